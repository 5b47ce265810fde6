import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { CampaignKey, CountedCampaign } from './campaign-numbers.ts'
import { outrankedStatus } from './failover-numbers.ts'
import { isOutrankedByTry } from './outranked.ts'

/** The messages of all legs that were made of one leg of a draft. Each recipient counts once in each. */
export type LegNumbers = {
  /** Recipients who came from another leg of the draft. */
  entered: number
  /** Accepted by the provider. */
  sent: number
  /** Includes read ones. */
  delivered: number
  read: number
  failed: number
  /** Of the failed ones, those that expired or were revoked. */
  expired: number
  skipped: number
  /** Ledger units: charges less refunds. */
  cost: number
}

/** Reasons of messages that were not delivered in time. */
export const expiredReasons: readonly string[] = ['expired', 'revoked']

/**
 * By position in the draft. A message that is tried again on a later leg with the same position counts by its best try, as it does
 * in the numbers of the campaign; only the first leg is tried again, so all tries before are of the same position.
 */
export async function legNumbers(db: Db, campaign: CountedCampaign): Promise<Map<number, LegNumbers>> {
  const counts = await legCounts(db, campaign)
  const hasFailed = [...counts.values()].some(({ failed }) => failed > 0)
  const expired = hasFailed ? await countExpired(db, campaign) : new Map<number, number>()
  return new Map([...counts].map(([leg, numbers]) => [leg, { ...numbers, expired: expired.get(leg) ?? 0 }]))
}

type LegCounts = Omit<LegNumbers, 'expired'>

/** What is counted as messages change: a few rows, however many recipients. */
export async function legCounts(db: Db, { organizationId, campaignId }: CampaignKey): Promise<Map<number, LegCounts>> {
  const ofIt = sql`organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid`
  const { rows } = await sql<LegCounts & { leg: number }>`
    with own as materialized (
      select leg, draft_leg, enter_delay_seconds > 0 as is_later from campaign_legs where ${ofIt}
    ), counted as (
      select leg, submitted, delivered, read, failed, skipped, cost, refunded from counters where ${ofIt}
      union all
      select leg, submitted, delivered, read, failed, skipped, cost, refunded from counter_deltas where ${ofIt}
    ), moved as (
      select leg, ${outrankedStatus} as outranked, twice, entries from failover_counts where ${ofIt}
      union all
      select leg, ${outrankedStatus}, twice, entries from failover_deltas where ${ofIt}
    ), parts as (
      select leg, 0 as entered, submitted as sent, delivered + read as delivered, read, failed, skipped, cost - refunded as cost from counted
      union all
      select leg, entries, 0, 0, 0, 0, 0, 0 from moved join own using (leg) where not is_later
      union all
      select leg, 0, case when twice then -entries else 0 end, case when outranked in ('delivered', 'read') then -entries else 0 end,
        case when outranked = 'read' then -entries else 0 end, case when outranked = 'failed' then -entries else 0 end,
        case when outranked = 'skipped' then -entries else 0 end, 0
      from moved join own using (leg) where is_later
      union all
      -- Recipients who are held out of a test are in none of its messages; their results are stored with its first leg.
      select (select min(leg) from own), 0, 0, 0, 0, 0, -held_out, 0 from ab_tests where ${ofIt} and decides_at is not null and held_out > 0
    )
    select draft_leg as leg, sum(entered)::int as entered, sum(sent)::int as sent, sum(delivered)::int as delivered,
      sum(read)::int as read, sum(failed)::int as failed, sum(skipped)::int as skipped, sum(cost)::float8 as cost
    from parts join own using (leg)
    group by draft_leg`.execute(db)
  return new Map(rows.map(({ leg, ...numbers }) => [leg, numbers]))
}

/** By the index of reasons: not counted as messages change, because few campaigns are looked at. */
export async function countExpired(
  db: Db,
  { organizationId, campaignId, createdOn }: Omit<CountedCampaign, 'hasEntries'>,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ leg: number; count: number }>`
    select own.draft_leg as leg, count(*)::int as count
    from messages message
    join campaign_legs own on own.organization_id = message.organization_id and own.campaign_id = message.campaign_id
      and own.leg = message.leg
    where message.organization_id = ${organizationId}::uuid and message.campaign_id = ${campaignId}::uuid
      and message.created_on = ${createdOn}::date and message.reason = any(${expiredReasons}::text[]) and message.status = 'failed'
      and ${isOutrankedByTry({ organizationId, campaignId })} is null
    group by own.draft_leg`.execute(db)
  return new Map(rows.map(({ leg, count }) => [leg, count]))
}
