import type { MessageStatus } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/** Who went on to the last leg of a campaign, and how both messages fared. */
export type FailoverNumbers = {
  campaignId: string
  entered: number
  /** Of those, by what the message before has become: each person counts once, by the message that came last. */
  before: Partial<Record<MessageStatus, number>>
  sent: number
  delivered: number
  /** Reached by both after all: the first was delivered when the second had left. */
  both: number
}

type Row = { campaignId: string; before: MessageStatus; after: MessageStatus | null; count: number }

const arrived: readonly (MessageStatus | null)[] = ['delivered', 'read']
const left: readonly (MessageStatus | null)[] = ['sent', 'delivered', 'read', 'failed', 'unknown', 'unconfirmed']

/** Only campaigns of several legs have any. */
export async function failoverNumbers(
  db: Db,
  { organizationId, campaignIds }: { organizationId: string; campaignIds: readonly string[] },
): Promise<Map<string, FailoverNumbers>> {
  const { rows } = await sql<Row>`
    select entry.campaign_id as "campaignId", before.status as before, after.status as after, count(*)::int as count
    from leg_entries entry
    join campaigns campaign on campaign.organization_id = entry.organization_id and campaign.id = entry.campaign_id
    join messages before on before.organization_id = entry.organization_id and before.campaign_id = entry.campaign_id
      and before.seq = entry.seq and before.leg = entry.leg - 1 and before.created_on = campaign.created_on
    left join messages after on after.organization_id = entry.organization_id and after.campaign_id = entry.campaign_id
      and after.seq = entry.seq and after.leg = entry.leg and after.created_on = campaign.created_on
    where entry.organization_id = ${organizationId}::uuid and entry.campaign_id = any(${campaignIds}::uuid[])
    group by 1, 2, 3`.execute(db)
  const numbers = new Map<string, FailoverNumbers>()
  for (const { campaignId, before, after, count } of rows) {
    const known = numbers.get(campaignId) ?? { campaignId, entered: 0, before: {}, sent: 0, delivered: 0, both: 0 }
    known.entered += count
    known.before[before] = (known.before[before] ?? 0) + count
    if (left.includes(after)) known.sent += count
    if (arrived.includes(after)) known.delivered += count
    if (arrived.includes(after) && arrived.includes(before)) known.both += count
    numbers.set(campaignId, known)
  }
  return numbers
}
