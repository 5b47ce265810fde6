import type { MessageStatus } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'

/** Recipients of a campaign that moved on to another leg, and the status of the messages before and after. */
export type FailoverNumbers = {
  campaignId: string
  /** Recipients that moved on without waiting: to another channel. */
  entered: number
  /** Of all that moved on, by the status of the earlier message: each recipient counts once, by the last message. */
  before: Partial<Record<MessageStatus, number>>
  /** Accepted by the provider of either leg; such recipients count as submitted once. */
  twice: number
  sent: number
  delivered: number
  /** Delivered on both legs: the first was delivered after the second had been sent. */
  both: number
  /** Recipients that are tried again later, and when the first and the last of them are. */
  waiting: { people: number; from: Date; until: Date } | undefined
}

type Row = {
  campaignId: string
  isLater: boolean
  before: MessageStatus
  after: MessageStatus
  isTwice: boolean
  count: number
}

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
    select counted.campaign_id as "campaignId", own.enter_delay_seconds > 0 as "isLater", before, after, twice as "isTwice",
      sum(entries)::int as count
    from (
      select campaign_id, leg, before, after, twice, entries from failover_counts where ${ofCampaigns}
      union all
      select campaign_id, leg, before, after, twice, entries from failover_deltas where ${ofCampaigns}
    ) counted
    join campaign_legs own on own.organization_id = ${organizationId}::uuid and own.campaign_id = counted.campaign_id
      and own.leg = counted.leg
    group by 1, 2, 3, 4, 5 having sum(entries) <> 0`.execute(db)
  const numbers = new Map<string, FailoverNumbers>()
  for (const row of rows) {
    const known = numbers.get(row.campaignId) ?? nothing(row.campaignId)
    known.before[row.before] = (known.before[row.before] ?? 0) + row.count
    if (row.isTwice) known.twice += row.count
    if (!row.isLater) addFailover(known, row)
    numbers.set(row.campaignId, known)
  }
  if (rows.some(({ isLater }) => isLater)) await addWaiting(db, numbers, organizationId)
  return numbers
}

function nothing(campaignId: string): FailoverNumbers {
  return { campaignId, entered: 0, before: {}, twice: 0, sent: 0, delivered: 0, both: 0, waiting: undefined }
}

function addFailover(numbers: FailoverNumbers, { before, after, count }: Row) {
  numbers.entered += count
  if (left.includes(after)) numbers.sent += count
  if (delivered.includes(after)) numbers.delivered += count
  if (delivered.includes(after) && delivered.includes(before)) numbers.both += count
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
