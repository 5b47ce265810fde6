import { type CampaignStatus } from '@carillon/contract/campaign-records'
import { CampaignDraft } from '@carillon/contract/draft-legs'
import { sql, type Selectable, type Updateable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within, type Scope } from '../../db/scope.ts'
import type { Campaigns } from '../../db/schema.ts'
import { recordEvents } from '../../events/record-events.ts'
import type { Actor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { assertMaySend } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { assertLedgerSound } from '../balance/index.ts'
import { assertCanBecome } from './lifecycle/campaign-states.ts'
import { notifyOwner } from './lifecycle/notify-owner.ts'
import { z } from 'zod'

export type CampaignRow = Selectable<Campaigns>

/** Identifies a campaign for internal work, which has no scope. */
export const CampaignKey = z.object({ organizationId: z.string(), campaignId: z.string() })
export type CampaignKey = z.infer<typeof CampaignKey>

export async function getCampaign(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<CampaignRow> {
  const campaign = await db
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', id)
    .where(within(scope))
    .executeTakeFirst()
  if (!campaign) throw notFound('Campaign')
  return campaign
}

/** Locks the campaign for the rest of the transaction. */
export async function lockCampaign(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<CampaignRow> {
  const campaign = await db
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', id)
    .where(within(scope))
    .forUpdate()
    .executeTakeFirst()
  if (!campaign) throw notFound('Campaign')
  return campaign
}

/**
 * Locks a campaign for sending, if its account may send. The account status is read first, in the lock order of status changes.
 */
export async function lockToSend(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<CampaignRow> {
  const { path, organization_id: organizationId } = await getCampaign(db, { id, scope })
  await assertMaySend(db, path)
  await assertLedgerSound(db, organizationId)
  return lockCampaign(db, { id, scope })
}

export async function lockByKey(db: Db, { organizationId, campaignId }: CampaignKey): Promise<CampaignRow | undefined> {
  return db
    .selectFrom('campaigns')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', campaignId)
    .forUpdate()
    .executeTakeFirst()
}

export type Transition = {
  campaign: CampaignRow
  to: CampaignStatus
  set?: Updateable<Campaigns>
  /** An event of the timeline. */
  event: string
  details?: Record<string, string | number>
  /** Undefined for automatic events. */
  actor: Actor
}

/** Changes the status of a locked campaign, records timeline and audit entries, and notifies the owner. */
export async function transition(
  db: Db,
  { campaign, to, set, event, details = {}, actor }: Transition,
): Promise<CampaignRow> {
  assertCanBecome(campaign.status, to)
  const changed = await updateCampaign(db, campaign, {
    ...set,
    status: to,
    pause_reason: set?.pause_reason ?? null,
    status_detail: set?.status_detail ?? null,
  })
  await recordEvent(db, { campaign, event, details, actor })
  await announceStatus(db, changed)
  return changed
}

export async function announceStatus(db: Db, { organization_id, id, status }: CampaignRow): Promise<void> {
  await recordEvents(db, [
    { type: 'campaign.changed', organizationId: organization_id, subjectIds: [id], payload: { status } },
  ])
}

export async function updateCampaign(db: Db, campaign: CampaignRow, set: Updateable<Campaigns>): Promise<CampaignRow> {
  return db
    .updateTable('campaigns')
    .set({ ...set, updated_at: sql`clock_timestamp()` })
    .where('organization_id', '=', campaign.organization_id)
    .where('id', '=', campaign.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function recordEvent(
  db: Db,
  { campaign, event, details = {}, actor }: Pick<Transition, 'campaign' | 'event' | 'details' | 'actor'>,
): Promise<void> {
  await db
    .insertInto('campaign_events')
    .values({
      organization_id: campaign.organization_id,
      id: newId(),
      campaign_id: campaign.id,
      actor_id: whoActs(actor).actorId ?? null,
      event,
      details: JSON.stringify(details),
    })
    .execute()
  await recordAudit(db, {
    organizationId: campaign.organization_id,
    ...whoActs(actor),
    action: `campaign.${event}`,
    object: { type: 'campaign', id: campaign.id },
    details,
  })
  await notifyOwner(db, { campaign, event, details, actor })
}

export function readDraft(campaign: Pick<CampaignRow, 'draft'>): CampaignDraft {
  return CampaignDraft.parse(campaign.draft)
}
