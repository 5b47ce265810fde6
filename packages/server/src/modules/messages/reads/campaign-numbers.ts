import type { Channel } from '@carillon/contract/channels'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { counterColumns } from '../housekeeping/counter-columns.ts'
import { isOutranked } from './outranked.ts'

export type CampaignKey = { organizationId: string; campaignId: string }

const countedColumns = [...counterColumns, 'clicked'] as const

type CampaignNumbers = { campaignId: string } & Record<(typeof countedColumns)[number], number>

export type Counts = Omit<CampaignNumbers, 'campaignId'>

const names = sql.raw(counterColumns.join(', '))
const noNumbers = sql.raw(counterColumns.map(() => '0').join(', '))

/** Counts to add up: folded counters, deltas, and recipients by the link they clicked first. Exact at any time. */
function countsWhere(isIncluded: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select campaign_id, ${names}, 0 as clicked from counters where ${isIncluded}
    union all select campaign_id, ${names}, 0 from counter_deltas where ${isIncluded}
    union all select campaign_id, ${noNumbers}, first_people from campaign_links where ${isIncluded}`
}

const sums = sql.raw(countedColumns.map((name) => `sum(${name})::float8 as ${name}`).join(', '))

/** In one statement for a whole page of campaigns. */
export async function campaignStats(
  db: Db,
  { organizationId, campaignIds }: { organizationId: string; campaignIds: readonly string[] },
): Promise<CampaignNumbers[]> {
  if (campaignIds.length === 0) return []
  const isIncluded = sql`organization_id = ${organizationId}::uuid and campaign_id = any(${campaignIds}::uuid[])`
  const { rows } = await sql<CampaignNumbers>`
    select campaign_id as "campaignId", ${sums} from (${countsWhere(isIncluded)}) counted group by campaign_id`.execute(
    db,
  )
  return rows
}

const ofIt = 'organization_id = campaigns.organization_id and campaign_id = campaigns.id'
const jsonSums = sql.raw(countedColumns.map((name) => `'${name}', sum(${name})`).join(', '))

/** The same as a column of a query on `campaigns`; null if nothing was counted yet. */
export const countsOfCampaign: RawBuilder<Counts | null> = sql`(select json_build_object(${jsonSums})
  from (${countsWhere(sql.raw(ofIt))}) counted having count(*) > 0)`

/** Whether it has tracked links, as a column of a query on `campaigns`. */
export const campaignHasLinks: RawBuilder<boolean> = sql.raw(`exists (select from campaign_links where ${ofIt})`)

/** Messages of one channel that failed or were skipped for one reason. */
export type CountedFailure = {
  reason: string
  channel: Channel
  count: number
  /** Of them, those that failed; the others were skipped. */
  failed: number
  codes: { code: string; count: number }[]
}

/**
 * Why messages of the campaign failed or were skipped, most frequent first, with the operator's codes. A recipient that failed
 * over counts by the best message.
 */
export async function failureGroups(db: Db, campaign: CountedCampaign): Promise<CountedFailure[]> {
  return countFailures(
    db,
    campaign,
    campaign.hasEntries ? sql<boolean>`${isOutranked(campaign)} is null` : sql<boolean>`true`,
  )
}

/** A campaign whose messages are read, with the columns of its row that this needs. */
export type CountedCampaign = CampaignKey & {
  /** Names the partition of its messages. */
  createdOn: string | null
  /** Whether recipients have failed over. */
  hasEntries: boolean
}

/** As a column of a query on `campaigns`. */
export const campaignHasEntries: RawBuilder<boolean> = sql.raw(`exists (select from leg_entries where ${ofIt})`)

/** Handed over, delivered and failed by five minutes, oldest first, as a column of a query on `campaigns`. */
export const pointsOfCampaign: RawBuilder<CountedPoint[]> =
  sql.raw(`(select coalesce(json_agg(point order by at), '[]') from (
  select at, submitted as sent, delivered, failed from counter_points where ${ofIt} order by at limit 2000) point)`)

export type CountedPoint = { at: string; sent: number; delivered: number; failed: number }

/** Why recipients failed over; some without a failure, by timeout. */
export async function failoverReasons(db: Db, key: CountedCampaign): Promise<CountedFailure[]> {
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
  { organizationId, campaignId, createdOn }: CountedCampaign,
  which: RawBuilder<boolean>,
): Promise<CountedFailure[]> {
  const { rows } = await sql<FailureRow>`
    select reason, code, coalesce(own.channel, (select channel from campaigns where organization_id = ${organizationId}::uuid and id = ${campaignId}::uuid)) as channel,
      count(*) as count, count(*) filter (where status = 'failed') as failed
    from messages message
    left join campaign_legs own on own.organization_id = message.organization_id and own.campaign_id = message.campaign_id and own.leg = message.leg
    where message.organization_id = ${organizationId}::uuid and message.campaign_id = ${campaignId}::uuid and created_on = ${createdOn}::date
      and reason is not null and status in ('failed', 'skipped') and ${which}
    group by 1, 2, 3
    order by count desc`.execute(db)
  const groups = new Map<string, CountedFailure>()
  for (const { reason, code, channel, count, failed } of rows) {
    const group = groups.get(`${reason} ${channel}`) ?? { reason, channel, count: 0, failed: 0, codes: [] }
    group.count += count
    group.failed += failed
    if (code !== null) group.codes.push({ code, count })
    groups.set(`${reason} ${channel}`, group)
  }
  return [...groups.values()].sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1))
}

type FailureRow = Omit<CountedFailure, 'codes'> & { code: string | null }
