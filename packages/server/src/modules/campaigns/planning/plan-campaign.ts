import type { Db } from '../../../db/pool.ts'
import { readDraft, type CampaignRow } from '../campaigns.queries.ts'
import { organizationScope } from '../reads/organization-scope.ts'
import type { CampaignPlan, PlannedLeg } from './campaign-plan.ts'
import { legsByCountry } from './legs-by-country.ts'
import { loadChoices } from './load-draft.ts'
import { priceCampaign } from './price-campaign.ts'
import type { PricedLeg } from './priced-campaign.ts'
import { waitingLegs } from './waiting-legs.ts'

/** Loads what a draft refers to, then counts, prices and checks it. Throws a problem if it cannot be counted. */
export async function planCampaign(db: Db, campaign: CampaignRow, now: Date): Promise<CampaignPlan> {
  const draft = readDraft(campaign)
  const choices = await loadChoices(db, await organizationScope(db, campaign), draft)
  const payer = { organizationId: campaign.organization_id, accountId: campaign.created_by }
  const { legs, cost, checks } = await priceCampaign(db, { choices, payer, now })
  const [first, ...others] = legs
  const firsts = planLeg(first)
  const conditions = draft.legs.flatMap(({ isEnabled, entryConditions }) => (isEnabled ? entryConditions : []))
  const failoverReasons = conditions.map(({ type }) => type)
  return {
    people: first.count.people,
    parts: first.count.parts,
    cost,
    checks,
    // They were not priced, so nothing is on hold for them: a later consent must not put them back into the leg.
    legs: [
      ...firsts.map((leg) => ({ ...leg, excluded: first.optedOut })),
      ...firsts.flatMap((leg) => waitingLegs(leg, { failoverReasons })),
      ...others.flatMap(planLeg),
    ],
    window: firsts[0]?.window,
    expiresAt: draft.expiresAt,
    skipRecent: draft.skipRecent,
    ignoresCap: draft.frequencyCap === 'ignore',
    splitOverDays: draft.splitOverDays,
  }
}

function planLeg({ channel, loaded, prepared, prices, entrance, ttlSeconds, window }: PricedLeg): PlannedLeg[] {
  const { content, category, isPromotion } = prepared
  const leg = {
    channel,
    window,
    senderId: loaded.sender.id,
    templateId: loaded.template.id,
    content,
    category,
    isPromotion,
    ttlSeconds,
  }
  return legsByCountry({ ...leg, ...(entrance ? { entrance } : {}) }, prices)
}
