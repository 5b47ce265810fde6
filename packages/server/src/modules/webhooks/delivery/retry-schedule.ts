const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Waits after the first, second, … failed attempt, as Standard Webhooks 1.0.0 recommends: ten attempts within 76 hours. */
const waitsMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** Share of a wait by which it is longer or shorter at random, so that deliveries that failed together do not meet again. */
const jitter = 0.1

/**
 * How long to wait for the next attempt after this many failed ones; undefined if no attempt is left. `random` is 0 to 1. The endpoint
 * may ask for a longer wait.
 */
export function nextWaitMs(
  failed: number,
  { random, leastMs = 0 }: { random: number; leastMs?: number | undefined },
): number | undefined {
  const wait = waitsMs[failed - 1]
  return wait === undefined ? undefined : Math.max(leastMs, wait * (1 - jitter + 2 * jitter * random))
}
