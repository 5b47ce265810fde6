import type { MessageStatus } from '@carillon/contract/campaign-records'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'

/** Recipients of a campaign that moved on to another leg, and what their messages came to. */
export type FailoverNumbers = {
  campaignId: string
  /** Recipients that moved on without waiting: to another channel. */
  entered: number
  /** Messages by which their recipients do not count, by status: each recipient counts once, by the best message. */
  outranked: Partial<Record<MessageStatus, number>>
  /** Accepted messages whose recipient has an earlier accepted message; such recipients count as submitted once. */
  twice: number
  sent: number
  delivered: number
  /** Recipients with delivered messages of two or more legs: an earlier one was delivered after a later one had been sent. */
  both: number
  /** Recipients that are tried again later, and when the first and the last of them are. */
  waiting: { people: number; from: Date; until: Date } | undefined
}

type Row = {
  campaignId: string
  isLater: boolean
  outranked: MessageStatus
  after: MessageStatus
  isTwice: boolean
  count: number
  seconds: number
}

/**
 * Of the best message before a failover and the one after it, the status of the one by which the recipient does not count. Of two that
 * arrived, the one that was read counts; one that arrived counts before one that did not; else the last counts.
 */
export const outrankedStatus: RawBuilder<MessageStatus> = sql.raw(
  `case when before in ('delivered', 'read') then least(before, after) else before end`,
)

const delivered: readonly MessageStatus[] = ['delivered', 'read']
const left: readonly MessageStatus[] = ['sent', 'delivered', 'read', 'failed', 'unknown', 'unconfirmed']

/** Reads the folded counts and the deltas since: a few rows for each campaign with several legs, however many recipients it has. */
export async function failoverNumbers(
  db: Db,
  { organizationId, campaignIds }: { organizationId: string; campaignIds: readonly string[] },
): Promise<Map<string, FailoverNumbers>> {
  if (campaignIds.length === 0) return new Map()
  const ofCampaigns = sql`organization_id = ${organizationId}::uuid and campaign_id = any(${campaignIds}::uuid[])`
  const { rows } = await sql<Row>`
    select counted.campaign_id as "campaignId", own.enter_delay_seconds > 0 as "isLater", ${outrankedStatus} as outranked, after, twice as "isTwice",
      sum(entries)::int as count, sum(seconds)::int as seconds
    from (
      select campaign_id, leg, before, after, twice, entries, seconds from failover_counts where ${ofCampaigns}
      union all
      select campaign_id, leg, before, after, twice, entries, seconds from failover_deltas where ${ofCampaigns}
    ) counted
    join campaign_legs own on own.organization_id = ${organizationId}::uuid and own.campaign_id = counted.campaign_id
      and own.leg = counted.leg
    group by 1, 2, 3, 4, 5 having sum(entries) <> 0 or sum(seconds) <> 0`.execute(db)
  const numbers = new Map<string, FailoverNumbers>()
  for (const row of rows) {
    const known = numbers.get(row.campaignId) ?? nothing(row.campaignId)
    known.outranked[row.outranked] = (known.outranked[row.outranked] ?? 0) + row.count
    known.both += row.seconds
    if (row.isTwice) known.twice += row.count
    if (!row.isLater) addFailover(known, row)
    numbers.set(row.campaignId, known)
  }
  if (rows.some(({ isLater }) => isLater)) await addWaiting(db, numbers, organizationId)
  return numbers
}

function nothing(campaignId: string): FailoverNumbers {
  return { campaignId, entered: 0, outranked: {}, twice: 0, sent: 0, delivered: 0, both: 0, waiting: undefined }
}

function addFailover(numbers: FailoverNumbers, { after, count }: Row) {
  numbers.entered += count
  if (left.includes(after)) numbers.sent += count
  if (delivered.includes(after)) numbers.delivered += count
}

type Waiting = { campaignId: string; people: number; from: Date; until: Date }

async function addWaiting(db: Db, numbers: Map<string, FailoverNumbers>, organizationId: string): Promise<void> {
  const { rows } = await sql<Waiting>`
    select retry.campaign_id as "campaignId", count(*)::int as people, min(retry.due_at) as "from", max(retry.due_at) as until
    from campaigns campaign
    join campaign_legs own on own.organization_id = campaign.organization_id and own.campaign_id = campaign.id
      and own.enter_delay_seconds > 0
    join retries retry on retry.organization_id = campaign.organization_id and retry.campaign_id = campaign.id and retry.leg = own.leg
    where campaign.organization_id = ${organizationId}::uuid and campaign.id = any(${[...numbers.keys()]}::uuid[])
      and campaign.status in ('queued', 'running', 'paused')
    group by 1`.execute(db)
  for (const { campaignId, ...waiting } of rows) {
    const known = numbers.get(campaignId)
    if (known) known.waiting = waiting
  }
}
