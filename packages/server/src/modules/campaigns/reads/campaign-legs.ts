import { ExpectedSplit } from '@carillon/contract/campaign-drafts'
import type { CampaignLeg } from '@carillon/contract/campaigns'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { toRupees } from '../../balance/index.ts'
import { legNumbers, type CountedCampaign, type LegNumbers } from '../../messages/index.ts'

type LegsQuery = CountedCampaign & { total: number; expected: unknown }
type LegsOfCampaign = { legs: CampaignLeg[]; expected?: Pick<ExpectedSplit, 'range' | 'excluded'> }

/** The legs of the draft with the numbers of all legs that were made of each, beside what the review expected. */
export async function listCampaignLegs(db: Db, { total, expected, ...campaign }: LegsQuery): Promise<LegsOfCampaign> {
  const drafted = await listDrafted(db, campaign)
  if (drafted.length === 0) return { legs: [] }
  const numbers = await legNumbers(db, campaign)
  const promised = ExpectedSplit.safeParse(expected).data
  const legs = drafted.map(({ leg, starters, ...names }, index) => {
    const { cost, ...counts } = numbers.get(leg) ?? nothing
    return {
      leg,
      ...names,
      starters: starters ?? (index === 0 ? total : 0),
      ...counts,
      cost: toRupees(cost),
      ...promiseFor(promised?.legs.find((one) => one.leg === leg)),
    }
  })
  return { legs, ...(promised ? { expected: { range: promised.range, excluded: promised.excluded } } : {}) }
}

const nothing: LegNumbers = { entered: 0, sent: 0, delivered: 0, read: 0, failed: 0, expired: 0, skipped: 0, cost: 0 }

function promiseFor(expected: ExpectedSplit['legs'][number] | undefined) {
  if (!expected) return {}
  const { expectedPeople, expectedDelivered, expectedCost, basis } = expected
  return { expectedPeople, expectedDelivered, expectedCost, basis }
}

type Drafted = Pick<CampaignLeg, 'leg' | 'channel' | 'senderName' | 'templateName'> & { starters: number | null }

async function listDrafted(
  db: Db,
  { organizationId, campaignId }: Pick<LegsQuery, 'organizationId' | 'campaignId'>,
): Promise<Drafted[]> {
  const { rows } = await sql<Drafted>`
    select leg.draft_leg as leg, min(leg.channel) as channel, min(senders.name) as "senderName",
      coalesce(min(templates.name), '') as "templateName", sum(leg.starters) filter (where not leg.is_rest or leg.variant = test.winner)::int as starters
    from campaign_legs leg
    join senders on senders.organization_id = leg.organization_id and senders.id = leg.sender_id
    left join ab_tests test on test.organization_id = leg.organization_id and test.campaign_id = leg.campaign_id
    left join templates on templates.organization_id = leg.organization_id and templates.id = leg.template_id
    where leg.organization_id = ${organizationId}::uuid and leg.campaign_id = ${campaignId}::uuid
    group by leg.draft_leg order by leg.draft_leg`.execute(db)
  return rows
}
