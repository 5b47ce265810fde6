import { SendWindow } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import { conflict } from '../../lib/problem.ts'
import type { PlannedDay } from '../messages/index.ts'
import type { CampaignRow } from './campaigns.queries.ts'
import { nextOpen } from './send-window.ts'
import { mostDays, splitOverDays, type DailyLimit } from './split-days.ts'

const Limited = z.object({ messagingLimit: z.number().nullable().catch(null) })

/**
 * Undefined where the provider names no limit. Who was written to within a day counts against it; a message is kept under
 * the day its campaign started, which may be long ago.
 */
export async function findDailyLimit(
  db: Db,
  { organizationId, senderId, facts }: { organizationId: string; senderId: string; facts: unknown },
): Promise<DailyLimit | undefined> {
  const limit = Limited.catch({ messagingLimit: null }).parse(facts).messagingLimit
  if (limit === null) return undefined
  const { rows } = await sql<{ used: number }>`
    select count(distinct phone)::int as used from messages
    where organization_id = ${organizationId}::uuid and sender_id = ${senderId}::uuid
      and created_on = any(array(
        select created_on from campaigns where organization_id = ${organizationId}::uuid and started_at is not null
          and coalesce(completed_at, 'infinity') > now() - interval '1 day' and created_on is not null
        union select current_date union select current_date - 1))
      and provider_message_id is not null and sent_at > now() - interval '1 day'`.execute(db)
  return { limit, left: Math.max(0, limit - (rows[0]?.used ?? 0)) }
}

/** The days of a campaign that starts now and is to keep its sender's limit; undefined where everybody may go at once. */
export async function planDays(
  db: Db,
  { campaign, senderId, now }: { campaign: CampaignRow; senderId: string; now: Date },
): Promise<PlannedDay[] | undefined> {
  if (!campaign.split_over_days) return undefined
  const { organization_id: organizationId, total, expires_at } = campaign
  const { facts, rate_per_second: ratePerSecond } = await db
    .selectFrom('senders')
    .select(['facts', 'rate_per_second'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', senderId)
    .executeTakeFirstOrThrow()
  const daily = await findDailyLimit(db, { organizationId, senderId, facts })
  const window = SendWindow.optional().parse(campaign.send_window ?? undefined)
  const days = splitOverDays(daily, { people: total, ratePerSecond, window, beginsAt: nextOpen(window, now) })
  if (days.length === 0) return undefined
  if (days.length > mostDays) throw conflict(`The number would need more than ${mostDays} days for so many people`)
  const last = days.at(-1)
  if (expires_at && last && last.endsAt > expires_at)
    throw conflict('The campaign would end before its last part: choose a later end')
  return days.map(({ lo, hi, beginsAt }, index) => ({
    lo,
    hi,
    notBefore: index === 0 && daily?.left ? null : beginsAt,
  }))
}
