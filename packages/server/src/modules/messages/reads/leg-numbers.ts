import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { CampaignKey } from './campaign-numbers.ts'

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
  /** Ledger units: charges less refunds. */
  cost: number
}

type Row = LegNumbers & { leg: number }

/**
 * By position in the draft. A message that is tried again on a later leg with the same position counts by its last try, as it does
 * in the numbers of the campaign.
 */
export async function legNumbers(
  db: Db,
  { organizationId, campaignId }: CampaignKey,
): Promise<Map<number, LegNumbers>> {
  const ofIt = sql`organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid`
  const { rows } = await sql<Row>`
    with counted as (
      select leg, submitted, delivered, read, failed, cost, refunded from counters where ${ofIt}
      union all
      select leg, submitted, delivered, read, failed, cost, refunded from counter_deltas where ${ofIt}
    ), moved as (
      select leg, before, twice, entries from failover_counts where ${ofIt}
      union all
      select leg, before, twice, entries from failover_deltas where ${ofIt}
    ), parts as (
      select leg, 0 as entered, submitted as sent, delivered + read as delivered, read, failed, cost - refunded as cost from counted
      union all
      select moved.leg, entries, 0, 0, 0, 0, 0 from moved
      join campaign_legs own using (leg) where own.organization_id = ${organizationId}::uuid and own.campaign_id = ${campaignId}::uuid and own.enter_delay_seconds = 0
      union all
      select moved.leg, 0, case when twice then -entries else 0 end, case when before in ('delivered', 'read') then -entries else 0 end,
        case when before = 'read' then -entries else 0 end, case when before = 'failed' then -entries else 0 end, 0
      from moved join campaign_legs own using (leg) where own.organization_id = ${organizationId}::uuid and own.campaign_id = ${campaignId}::uuid and own.enter_delay_seconds > 0
    )
    select own.draft_leg as leg, sum(entered)::int as entered, sum(sent)::int as sent, sum(parts.delivered)::int as delivered,
      sum(parts.read)::int as read, sum(parts.failed)::int as failed, sum(parts.cost)::float8 as cost
    from parts join campaign_legs own using (leg) where own.organization_id = ${organizationId}::uuid and own.campaign_id = ${campaignId}::uuid
    group by own.draft_leg`.execute(db)
  return new Map(rows.map(({ leg, ...numbers }) => [leg, numbers]))
}
