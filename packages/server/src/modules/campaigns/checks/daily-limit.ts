import { z } from 'zod'
import type { Db } from '../../../db/pool.ts'
import { conflict } from '../../../lib/problem.ts'
import { countPeopleMessaged, type PlannedDay } from '../../messages/index.ts'
import { listLimitGroup } from '../../senders/index.ts'
import type { CampaignRow } from '../campaigns.queries.ts'
import { Hours, nextOpen } from './send-window.ts'
import { mostDays, splitOverDays, type DailyLimit } from '../planning/split-days.ts'

const Limited = z.object({ messagingLimit: z.number().nullable().catch(null) })

/** A limit, and whether other senders share it. */
export type SharedLimit = DailyLimit & { isShared: boolean }

/** Undefined if the provider reports no limit. People messaged within a day count, whichever sender messaged them. */
export async function findDailyLimit(
  db: Db,
  { organizationId, senderId, facts }: { organizationId: string; senderId: string; facts: unknown },
): Promise<SharedLimit | undefined> {
  const limit = Limited.catch({ messagingLimit: null }).parse(facts).messagingLimit
  if (limit === null) return undefined
  const senderIds = await listLimitGroup(db, { organizationId, senderId })
  const used = await countPeopleMessaged(db, { organizationId, senderIds })
  return { limit, left: Math.max(0, limit - used), isShared: senderIds.length > 1 }
}

/** The days of a campaign that starts now within its sender's daily limit; undefined if one day is enough. */
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
  const window = Hours.optional().parse(campaign.send_window ?? undefined)
  const days = splitOverDays(daily, { people: total, ratePerSecond, window, beginsAt: nextOpen(window, now) })
  if (days.length === 0) return undefined
  if (days.length > mostDays) throw conflict(`The number would need more than ${mostDays} days for this many people`)
  const last = days.at(-1)
  if (expires_at && last && last.endsAt > expires_at)
    throw conflict('The campaign would end before its last part: choose a later end')
  return days.map(({ lo, hi, beginsAt }, index) => ({
    lo,
    hi,
    notBefore: index === 0 && daily?.left ? null : beginsAt,
  }))
}
