import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { Db } from '../../../db/pool.ts'
import { readDraft, type CampaignRow } from '../campaigns.queries.ts'
import { organizationScope } from '../reads/organization-scope.ts'
import type { Groups } from '../ab-tests/draw-groups.ts'
import { enabledTest } from '../ab-tests/enabled-test.ts'
import type { Skipped } from './assign-recipients.ts'
import type { CampaignPlan, PlannedLeg, PlannedTest } from './campaign-plan.ts'
import { legsByCountry } from './legs-by-country.ts'
import { loadChoices } from './load-draft.ts'
import { priceCampaign } from './price-campaign.ts'
import type { PricedLeg } from './priced-campaign.ts'
import { revokeBeforeFailover } from './revoke-before-failover.ts'
import { waitingLegs } from './waiting-legs.ts'

/** Loads what a draft refers to, then counts, prices and checks it. Throws a problem if it cannot be counted. */
export async function planCampaign(
  db: Db,
  campaign: CampaignRow,
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<CampaignPlan> {
  const draft = readDraft(campaign)
  const choices = await loadChoices(db, { scope: await organizationScope(db, campaign), publicUrl }, campaign)
  const payer = { organizationId: campaign.organization_id, accountId: campaign.created_by }
  const { legs, skipped, split, cost, checks } = await priceCampaign(db, { choices, payer, now })
  const conditions = draft.legs.flatMap(({ isEnabled, entryConditions }) => (isEnabled ? entryConditions : []))
  const failoverReasons = conditions.map(({ type }) => type)
  const planned = legs.map((leg, index) => {
    const own = planLeg(leg, choices.groups && index < choices.groups.variants ? index : undefined)
    return index < (choices.groups?.variants ?? 1)
      ? [...own, ...own.flatMap((first) => waitingLegs(first, { failoverReasons }))]
      : own
  })
  const { people, parts } = legs[0].count
  return {
    people,
    parts,
    cost,
    checks,
    legs: revokeBeforeFailover(planned.flat()),
    skipped: skipped.map((skip) => ({ ...skip, leg: plannedLegOf(planned, skip) })),
    split,
    test: planTest(draft, choices.groups),
    window: planned[0]?.[0]?.window,
    expiresAt: draft.expiresAt,
    skipRecent: draft.skipRecent,
    ignoresCap: draft.frequencyCap === 'ignore',
    splitOverDays: draft.splitOverDays,
  }
}

/** One leg for each share of a draft's leg and each country. */
function planLeg(
  { channel, position, loaded, prepared, shares, entrance, window, ...terms }: PricedLeg,
  variant: number | undefined,
): PlannedLeg[] {
  const { content, isPromotion, isMarketing } = prepared
  const { ttlSeconds, revokeGraceSeconds } = terms
  const sent = {
    channel,
    draftLeg: position,
    window,
    senderId: loaded.sender.id,
    templateId: loaded.template.id,
    content,
    isPromotion,
    isMarketing,
  }
  const leg = { ...sent, variant, ttlSeconds, revokeGraceSeconds }
  return shares.flatMap(({ category, role, members, prices }) =>
    legsByCountry(
      { ...leg, category, members, isRest: role === 'rest', ...(entrance && role === 'follow' ? { entrance } : {}) },
      prices,
    ),
  )
}

/** The first leg that was made of a leg of the draft, for those who begin with it or for the others. */
function plannedLegOf(planned: readonly PlannedLeg[][], { leg, isRest = false }: Skipped): number {
  const own = planned[leg] ?? []
  const place = own.findIndex((one) => (one.isRest ?? false) === isRest)
  return planned.slice(0, leg).flat().length + Math.max(0, place)
}

function planTest(draft: CampaignDraft, groups: Groups | undefined): PlannedTest | undefined {
  const test = enabledTest(draft)
  if (!test || !groups) return undefined
  const { metric, durationMinutes, autoSend } = test
  return { metric, durationMinutes, autoSend, rest: groups.rest, heldOut: groups.heldOut }
}
