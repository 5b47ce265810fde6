import { sql } from 'kysely'
import { z } from 'zod'
import { VariantResult } from '@carillon/contract/ab-tests'
import type { Db } from '../../../db/pool.ts'
import { toRupees } from '../../balance/index.ts'
import { legCounts } from '../../messages/index.ts'
import type { CampaignKey } from '../campaigns.queries.ts'

/** The results of a variant, as they are kept when the winner is chosen. */
export const StoredResults = z.array(VariantResult.omit({ value: true }))
export type StoredResult = z.infer<typeof StoredResults>[number]

/** The results of each variant until now. Until the winner is chosen, all messages of the variants belong to the test. */
export async function measureVariants(db: Db, key: CampaignKey): Promise<StoredResult[]> {
  const variants = await listVariants(db, key)
  const counts = await legCounts(db, key)
  return variants.map((variant) => {
    const { sent, delivered, read, cost } = counts.get(variant.leg) ?? nothing
    return { ...variant, sent, delivered, read, cost: toRupees(cost) }
  })
}

const nothing = { sent: 0, delivered: 0, read: 0, cost: 0 }

type Variant = Omit<StoredResult, keyof typeof nothing>

async function listVariants(db: Db, { organizationId, campaignId }: CampaignKey): Promise<Variant[]> {
  const ofIt = sql`organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid`
  const { rows } = await sql<Variant>`
    with own as (
      select variant, draft_leg, leg, channel, sender_id, template_id, case when is_rest then 0 else starters end as starters
      from campaign_legs where ${ofIt} and variant is not null
    ), replies as (
      select leg, replied from counters where ${ofIt}
      union all
      select leg, replied from counter_deltas where ${ofIt}
    )
    select variant, draft_leg as leg, min(channel::text) as channel,
      coalesce((select name from senders where organization_id = ${organizationId}::uuid and id = (array_agg(sender_id))[1]), '') as "senderName",
      coalesce((select name from templates where organization_id = ${organizationId}::uuid and id = (array_agg(template_id))[1]), '')
        as "templateName",
      sum(starters)::int as people,
      coalesce((select sum(replied) from replies where leg = any(array_agg(own.leg))), 0)::int as replied,
      coalesce((select sum(first_people) from campaign_links where ${ofIt} and campaign_links.leg = own.draft_leg), 0)::int as clicked
    from own group by variant, draft_leg order by variant`.execute(db)
  return rows
}
