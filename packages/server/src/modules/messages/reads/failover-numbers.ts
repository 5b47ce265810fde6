import type { MessageStatus } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { wasAccepted } from '../reports/was-accepted.ts'

/** Who went on to another leg of a campaign, and how the messages before and after fared. */
export type FailoverNumbers = {
  campaignId: string
  /** At once, to another channel. */
  entered: number
  /** Of all that went on, by what the message before has become: each person counts once, by the message that came last. */
  before: Partial<Record<MessageStatus, number>>
  /** Accepted by the provider of either leg; such recipients count as submitted once. */
  twice: number
  sent: number
  delivered: number
  /** Reached by both after all: the first was delivered when the second had left. */
  both: number
  /** Who is tried again later, and when the first and the last of them are. */
  waiting: { people: number; from: Date; until: Date } | undefined
}

type Row = {
  campaignId: string
  isLater: boolean
  before: MessageStatus
  after: MessageStatus | null
  isTwice: boolean
  count: number
  waiting: number
  from: Date | null
  until: Date | null
}

const arrived: readonly (MessageStatus | null)[] = ['delivered', 'read']
const left: readonly (MessageStatus | null)[] = ['sent', 'delivered', 'read', 'failed', 'unknown', 'unconfirmed']

/** Only campaigns with several legs have any. Without campaigns nothing is read: the statement is slow to plan. */
export async function failoverNumbers(
  db: Db,
  { organizationId, campaignIds }: { organizationId: string; campaignIds: readonly string[] },
): Promise<Map<string, FailoverNumbers>> {
  if (campaignIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select entry.campaign_id as "campaignId", next.enter_delay_seconds > 0 as "isLater", before.status as before, after.status as after,
      coalesce(${wasAccepted('before')} and ${wasAccepted('after')}, false) as "isTwice",
      count(*)::int as count, count(retry.seq)::int as waiting, min(retry.due_at) as "from", max(retry.due_at) as until
    from leg_entries entry
    join campaigns campaign on campaign.organization_id = entry.organization_id and campaign.id = entry.campaign_id
    join campaign_legs next on next.organization_id = entry.organization_id and next.campaign_id = entry.campaign_id and next.leg = entry.leg
    join messages before on before.organization_id = entry.organization_id and before.campaign_id = entry.campaign_id
      and before.seq = entry.seq and before.leg = entry.from_leg and before.created_on = campaign.created_on
    left join messages after on after.organization_id = entry.organization_id and after.campaign_id = entry.campaign_id
      and after.seq = entry.seq and after.leg = entry.leg and after.created_on = campaign.created_on
    left join retries retry on retry.organization_id = entry.organization_id and retry.campaign_id = entry.campaign_id
      and retry.seq = entry.seq and retry.leg = entry.leg and campaign.status in ('queued', 'running', 'paused')
    where entry.organization_id = ${organizationId}::uuid and entry.campaign_id = any(${campaignIds}::uuid[])
    group by 1, 2, 3, 4, 5`.execute(db)
  const numbers = new Map<string, FailoverNumbers>()
  for (const row of rows) {
    const known = numbers.get(row.campaignId) ?? nothing(row.campaignId)
    known.before[row.before] = (known.before[row.before] ?? 0) + row.count
    if (row.isTwice) known.twice += row.count
    if (row.isLater) known.waiting = addWaiting(known.waiting, row)
    else addOther(known, row)
    numbers.set(row.campaignId, known)
  }
  return numbers
}

function nothing(campaignId: string): FailoverNumbers {
  return { campaignId, entered: 0, before: {}, twice: 0, sent: 0, delivered: 0, both: 0, waiting: undefined }
}

function addOther(numbers: FailoverNumbers, { before, after, count }: Row) {
  numbers.entered += count
  if (left.includes(after)) numbers.sent += count
  if (arrived.includes(after)) numbers.delivered += count
  if (arrived.includes(after) && arrived.includes(before)) numbers.both += count
}

function addWaiting(known: FailoverNumbers['waiting'], { waiting, from, until }: Row): FailoverNumbers['waiting'] {
  if (waiting === 0 || !from || !until) return known
  if (!known) return { people: waiting, from, until }
  return {
    people: known.people + waiting,
    from: from < known.from ? from : known.from,
    until: until > known.until ? until : known.until,
  }
}
