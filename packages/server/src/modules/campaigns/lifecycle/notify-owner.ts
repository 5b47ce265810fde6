import type { Selectable } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Campaigns } from '../../../db/schema.ts'
import type { Actor } from '../../../actor.ts'
import { newId } from '../../../lib/ids.ts'
import { describePause, describeResumption } from './format-pause.ts'
import { notify, type NewNotification } from '../../notifications/index.ts'

type OwnerEvent = {
  campaign: Selectable<Campaigns>
  event: string
  details?: Record<string, string | number>
  actor: Actor
}

type OwnerNotification = Pick<NewNotification, 'kind' | 'title' | 'description'>

/** Events that notify the owner unless the owner caused them. Others appear only in the timeline. */
const notificationByEvent: Partial<Record<string, (ownerEvent: OwnerEvent) => OwnerNotification | undefined>> = {
  completed: ({ campaign }) => ({
    kind: 'campaign_completed',
    title: 'Campaign completed',
    description: `${campaign.name} finished sending`,
  }),
  paused: ({ campaign, actor, details }) => ({
    kind: 'campaign_paused',
    title: 'Campaign paused',
    description: [
      `${campaign.name} was paused${actor.kind === 'user' ? ` by ${actor.username}` : ''}`,
      describePause(reasonOf(details), campaign.channel),
    ]
      .filter(Boolean)
      .join('. '),
  }),
  // What a user does is in the timeline.
  resumed: ({ campaign, actor, details }) =>
    actor.kind === 'system'
      ? {
          kind: 'campaign_resumed',
          title: 'Campaign resumed',
          description: [`${campaign.name} is sending again`, describeResumption(reasonOf(details))]
            .filter(Boolean)
            .join('. '),
        }
      : undefined,
  winner_needed: ({ campaign, details }) => ({
    kind: 'campaign_paused',
    title: 'Choose the winner of a test',
    description: `${campaign.name}: ${reasonOf(details) ?? 'the test is over'}. The other recipients wait until you choose.`,
  }),
  winner_chosen: ({ campaign, details }) => ({
    kind: 'campaign_resumed',
    title: 'Winner of a test chosen',
    description: `${campaign.name}: ${reasonOf(details) ?? 'the winner'} is sent to the other recipients`,
  }),
  cancelled: ({ campaign, actor }) => ({
    kind: 'campaign_failed',
    title: 'Campaign cancelled',
    description: `${campaign.name} was cancelled${actor.kind === 'user' ? ` by ${actor.username}` : ''}`,
  }),
  validation_failed: ({ campaign, details }) => ({
    kind: 'campaign_failed',
    title: 'Campaign cannot start',
    description: `${campaign.name}: ${details?.['reason'] ?? 'the validation failed'}`,
  }),
}

function reasonOf(details: OwnerEvent['details']): string | null {
  const reason = details?.['reason']
  return typeof reason === 'string' ? reason : null
}

export async function notifyOwner(db: Db, ownerEvent: OwnerEvent): Promise<void> {
  const { campaign, event, actor } = ownerEvent
  const notification = notificationByEvent[event]?.(ownerEvent)
  const isOwnChange = actor.kind === 'user' && actor.accountId === campaign.created_by
  if (!notification || isOwnChange) return
  await notify(db, [
    {
      ...notification,
      organizationId: campaign.organization_id,
      accountId: campaign.created_by,
      link: { type: 'campaign', id: campaign.id },
      // A campaign ends once; repeatable events are notified each time.
      eventKey: `campaign_${event}:${event === 'completed' ? campaign.id : newId()}`,
    },
  ])
}
