import { getChannel } from '../../../channels/index.ts'
import type { PlannedLeg } from './campaign-plan.ts'

/**
 * Legs that repeat the first leg's message later, to recipients whose channel limit has then ended. They reserve no further
 * amount: an undelivered message is not charged, and its reservation is used by the repeat. None
 * where each attempt is charged, or where such recipients fail over at once.
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
      starters: 0,
      entrance: { reasons: [reason], afterSeconds: null, unless: 'delivered', delaySeconds },
    }))
}
