import { getChannel } from '../../../channels/index.ts'
import type { PlannedLeg } from './campaign-plan.ts'

/**
 * Legs that repeat the first leg's message for recipients whom the channel accepts again after a while. Nothing is set aside
 * for them: what was not delivered is not paid, and its money is kept for the repeat. There are none where each try costs, and
 * none where such recipients fail over at once.
 */
export function waitingLegs(first: PlannedLeg, { goesOnAtOnce }: { goesOnAtOnce: readonly string[] }): PlannedLeg[] {
  if (first.billableOn !== 'delivered' || goesOnAtOnce.includes('frequency_capped')) return []
  return getChannel(first.channel)
    .repeats(first)
    .map(({ reason, delaySeconds }) => ({
      ...first,
      estimated: 0,
      entrance: { reasons: [reason], afterSeconds: null, unless: 'delivered', delaySeconds },
    }))
}
