import type { PlannedLeg } from './campaign-plan.ts'

const hour = 3600

/** How long a person is spared whom WhatsApp lets get no more offers for now, after the first refusal and after the second. */
const waitsSeconds = [24 * hour, 48 * hour]

/** What WhatsApp says of such a person. */
const spared = 'user_marketing_cap'

/**
 * The legs behind a marketing leg in which those are tried again who get enough offers already: the same message, sooner or
 * later. Nothing is set aside for them: what was not delivered is not paid, and its money waits with the person. Where each try
 * costs, and where such people are to go on elsewhere at once, nobody waits.
 */
export function waitingLegs(first: PlannedLeg, { goesOnAtOnce }: { goesOnAtOnce: readonly string[] }): PlannedLeg[] {
  if (first.category !== 'marketing' || first.billableOn !== 'delivered' || goesOnAtOnce.includes('frequency_capped'))
    return []
  return waitsSeconds.map((delaySeconds) => ({
    ...first,
    estimated: 0,
    entrance: { reasons: [spared], afterSeconds: null, unless: 'delivered', delaySeconds },
  }))
}
