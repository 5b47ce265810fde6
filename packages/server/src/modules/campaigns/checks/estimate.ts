import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { toRupees } from '../../balance/index.ts'
import { getDraft } from '../drafts/drafts.ts'
import { loadChoices } from '../planning/load-draft.ts'
import { priceCampaign } from '../planning/price-campaign.ts'
import { presentPrices } from './country-prices.ts'

const nothing = { starters: 0, expectedPeople: 0, expectedDelivered: 0, expectedCost: 0, basis: 'assumed' } as const

/** The estimate of a draft as last saved. Its costs are those of its creator. */
export async function estimateDraft(
  db: Db,
  { actor, id, now, publicUrl }: { actor: UserActor; id: string; now: Date; publicUrl: string },
): Promise<Estimate> {
  const campaign = await getDraft(db, { actor, id })
  const choices = await loadChoices(db, { scope: actor.scope, publicUrl }, campaign)
  const payer = { organizationId: campaign.organization_id, accountId: campaign.created_by }
  const campaignPrice = await priceCampaign(db, { choices, payer, now })
  const { legs, split, cost, available, daily, beginsAt, endsAt, ...priced } = campaignPrice
  const [own] = legs
  const { countries: _, unfit: __, ...count } = own.count
  return {
    ...count,
    pricePerPart: own.prices.rate ? toRupees(own.prices.rate.price) : null,
    rateAsOf: own.prices.rate ? own.prices.rate.asOf.toISOString() : null,
    cost: toRupees(cost),
    prices: presentPrices(own.prices),
    range: split.range,
    excluded: split.excluded,
    rest: split.rest,
    heldOut: choices.groups?.heldOut ?? 0,
    legs: legs.map(({ channel, loaded, prices, position }, index) => ({
      ...(split.legs[index] ?? { ...nothing, leg: position }),
      channel,
      senderName: loaded.sender.name,
      templateName: loaded.template.name,
      pricePerPart: prices.rate ? toRupees(prices.rate.price) : null,
      cost: toRupees(prices.cost),
      prices: presentPrices(prices),
    })),
    balance: toRupees(available),
    balanceAfter: toRupees(available - cost),
    shortfall: toRupees(Math.max(0, cost - available)),
    limitLeft: daily?.left ?? null,
    durationSeconds: priced.durationSeconds,
    beginsAt: beginsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    checks: priced.checks,
  }
}
