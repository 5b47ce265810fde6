import type { Channel } from '@carillon/contract/channels'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { counterColumns } from '../housekeeping/counter-columns.ts'

export type CampaignKey = { organizationId: string; campaignId: string }

export type CampaignNumbers = { campaignId: string } & Record<(typeof counterColumns)[number], number>

const sums = sql.raw(counterColumns.map((name) => `sum(${name})::float8 as ${name}`).join(', '))
const columns = sql.raw(counterColumns.join(', '))

/** What was folded and what was not yet: exact at any moment, one statement for a whole page of campaigns. */
export async function campaignStats(
  db: Db,
  { organizationId, campaignIds }: { organizationId: string; campaignIds: readonly string[] },
): Promise<CampaignNumbers[]> {
  if (campaignIds.length === 0) return []
  const { rows } = await sql<CampaignNumbers>`
    select campaign_id as "campaignId", ${sums}
    from (
      select campaign_id, ${columns} from counters where organization_id = ${organizationId}::uuid and campaign_id = any(${campaignIds}::uuid[])
      union all
      select campaign_id, ${columns} from counter_deltas where organization_id = ${organizationId}::uuid and campaign_id = any(${campaignIds}::uuid[])
    ) counted
    group by campaign_id`.execute(db)
  return rows
}

/** Messages that one channel lost for one reason. */
export type CountedFailure = {
  reason: string
  channel: Channel
  count: number
  /** Of them, those that failed; the others were skipped. */
  failed: number
  codes: { code: string; count: number }[]
}

/**
 * Why messages of the campaign failed or were skipped, most frequent first, with the operator's codes. Whoever went on to
 * another leg has not failed by that: such people count by the message that came last.
 */
export async function failureGroups(db: Db, key: CampaignKey): Promise<CountedFailure[]> {
  return countFailures(db, key, sql<boolean>`not exists (select ${nextLegs(key)})`)
}

/** Why recipients failed over; some without a failure, by timeout. */
export async function failoverReasons(db: Db, key: CampaignKey): Promise<CountedFailure[]> {
  return countFailures(db, key, sql<boolean>`exists (select ${nextLegs(key)} and next.enter_delay_seconds = 0)`)
}

/** The entries that lead on from a message. */
function nextLegs({ organizationId, campaignId }: CampaignKey): RawBuilder<unknown> {
  return sql`from leg_entries entry
    join campaign_legs next on next.organization_id = entry.organization_id and next.campaign_id = entry.campaign_id and next.leg = entry.leg
    where entry.organization_id = ${organizationId}::uuid and entry.campaign_id = ${campaignId}::uuid
      and entry.from_leg = message.leg and entry.seq = message.seq`
}

async function countFailures(
  db: Db,
  { organizationId, campaignId }: CampaignKey,
  which: RawBuilder<boolean>,
): Promise<CountedFailure[]> {
  const { rows } = await sql<CountedFailure>`
    select reason, channel, sum(count)::int as count, sum(failed)::int as failed,
      coalesce(json_agg(json_build_object('code', code, 'count', count) order by count desc) filter (where code is not null), '[]') as codes
    from (
      select reason, code, coalesce(own.channel, (select channel from campaigns where organization_id = ${organizationId}::uuid and id = ${campaignId}::uuid)) as channel, count(*) as count, count(*) filter (where status = 'failed') as failed
      from messages message
      left join campaign_legs own on own.organization_id = message.organization_id and own.campaign_id = message.campaign_id and own.leg = message.leg
      where message.organization_id = ${organizationId}::uuid and message.campaign_id = ${campaignId}::uuid
        and created_on = (select created_on from campaigns where organization_id = ${organizationId}::uuid and id = ${campaignId}::uuid)
        and reason is not null and status in ('failed', 'skipped')
        and ${which}
      group by 1, 2, 3
    ) grouped
    group by reason, channel
    order by 3 desc, 1`.execute(db)
  return rows
}

/** Handed over, delivered and failed by five minutes, oldest first. */
export async function overTime(
  db: Db,
  { organizationId, campaignId }: CampaignKey,
): Promise<{ at: string; sent: number; delivered: number; failed: number }[]> {
  const { rows } = await sql<{ at: Date; sent: number; delivered: number; failed: number }>`
    select at, submitted as sent, delivered, failed from counter_points
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid
    order by at limit 2000`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}
