import { positionOfVariant } from '@carillon/contract/variant-positions'
import type { AbTest, CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'

/** The test of a draft; undefined if there is none, or it is switched off. */
export function enabledTest({ abTest }: Pick<CampaignDraft, 'abTest'>): AbTest | undefined {
  return abTest?.isEnabled ? abTest : undefined
}

/** Enabled legs of a draft by their positions, variants included. */
export function enabledLegs(draft: Pick<CampaignDraft, 'legs' | 'abTest'>): { leg: DraftLeg; position: number }[] {
  const variants = enabledTest(draft)?.variants ?? []
  return [
    ...draft.legs.map((leg, position) => ({ leg, position })),
    ...variants.map((leg, index) => ({ leg, position: positionOfVariant(index + 1) })),
  ].filter(({ leg }) => leg.isEnabled)
}
