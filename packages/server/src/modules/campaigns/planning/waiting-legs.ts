import { getChannel } from '../../../channels/index.ts'
import type { PlannedLeg } from './campaign-plan.ts'

/**
 * Legs that repeat the first leg's message later for recipients whom the channel then accepts again. They need no hold: what
 * was not delivered is not charged, and its amount is reserved for the repeat. None where each attempt is charged, or where
 * such recipients fail over at once.
 */
export function waitingLegs(
  first: PlannedLeg,
  { failoverReasons }: { failoverReasons: readonly string[] },
): PlannedLeg[] {
  if (first.billableOn !== 'delivered' || failoverReasons.includes('frequency_capped')) return []
  return getChannel(first.channel)
    .repeats(first)
    .map(({ reason, delaySeconds }) => ({
      ...first,
      estimated: 0,
      entrance: { reasons: [reason], afterSeconds: null, unless: 'delivered', delaySeconds },
    }))
}
