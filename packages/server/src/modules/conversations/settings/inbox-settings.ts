import { Channel } from '@carillon/contract/channels'
import { InboxSettings } from '@carillon/contract/inbox-settings'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { badField } from '../../../lib/problem.ts'
import { findCampaignTemplate } from '../../campaigns/index.ts'
import { recordAudit, whoActs } from '../../audit/index.ts'
import { agentsChanged } from '../agents/availability.ts'

/** Without a row: no automatic assignment, no hours and no targets, in the time zone of the organization's account. */
export async function getSettings(db: Db, { organizationId }: UserActor): Promise<InboxSettings> {
  const { rows } = await sql<{ timezone: string; settings: Record<string, unknown> | null }>`
    select inbox_timezone(${organizationId}::uuid) as timezone,
      (select json_build_object('assignsAutomatically', assigns_automatically, 'businessHours', business_hours,
        'firstReplyMinutes', first_reply_minutes, 'nextReplyMinutes', next_reply_minutes,
        'asksForRating', asks_for_rating, 'ratingText', rating_text, 'ratingTemplates', rating_templates)
        from inbox_settings where organization_id = ${organizationId}::uuid) as settings`.execute(db)
  const [row] = rows
  const none = {
    assignsAutomatically: false,
    businessHours: null,
    firstReplyMinutes: null,
    nextReplyMinutes: null,
    asksForRating: false,
    ratingText: null,
    ratingTemplates: {},
  }
  return InboxSettings.parse({ ...none, ...row?.settings, timezone: row?.timezone })
}

/** Targets apply to messages that begin to wait from now on. */
export async function saveSettings(
  db: Db,
  { actor, settings }: { actor: UserActor; settings: InboxSettings },
): Promise<InboxSettings> {
  const { organizationId, accountId } = actor
  await assertTemplates(db, actor, settings)
  const row = {
    assigns_automatically: settings.assignsAutomatically,
    timezone: settings.timezone,
    business_hours: settings.businessHours === null ? null : JSON.stringify(settings.businessHours),
    first_reply_minutes: settings.firstReplyMinutes,
    next_reply_minutes: settings.nextReplyMinutes,
    asks_for_rating: settings.asksForRating,
    rating_text: settings.ratingText,
    rating_templates: JSON.stringify(settings.ratingTemplates),
    updated_at: sql<Date>`now()`,
  }
  await db
    .insertInto('inbox_settings')
    .values({ organization_id: organizationId, ...row })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
    .execute()
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: 'inbox_settings.updated',
    details: { automaticAssignment: settings.assignsAutomatically },
  })
  await agentsChanged(db, organizationId, [accountId])
  return getSettings(db, actor)
}

/** Templates must be of the organization and of their channel. */
async function assertTemplates(db: Db, { scope }: UserActor, { ratingTemplates }: InboxSettings): Promise<void> {
  for (const [channel, id] of Object.entries(ratingTemplates)) {
    const found = await findCampaignTemplate(db, scope, { channel: Channel.parse(channel), id })
    if (!found) throw badField(`ratingTemplates.${channel}`, 'Choose a template of this channel')
  }
}
