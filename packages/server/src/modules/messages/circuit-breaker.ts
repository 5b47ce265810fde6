/** Stops a lane that gets no answers, and lets single messages through until answers come again. */
export type CircuitBreaker = {
  /** What became of a message: whether the provider answered at all. Says how long to hold the lane, if it must be held. */
  record(answered: boolean): number
  /** Something that no single message can mend, such as a refused password. */
  trip(): number
  /** How many messages may be in the air: one while it is being tried. */
  limit(): number
}

const sampleSize = 20
const firstHoldMs = 2000
const longestHoldMs = 60_000

export function createCircuitBreaker(): CircuitBreaker {
  let recent: boolean[] = []
  let trips = 0
  let isTrying = false

  function trip() {
    const holdMs = Math.min(longestHoldMs, firstHoldMs * 2 ** Math.min(trips, 10))
    trips += 1
    isTrying = true
    recent = []
    return holdMs
  }

  return {
    trip,
    record(answered) {
      if (isTrying) {
        if (!answered) return trip()
        isTrying = false
        trips = 0
        return 0
      }
      recent.push(answered)
      if (recent.length > sampleSize) recent.shift()
      const lost = recent.length === sampleSize ? recent.filter((good) => !good).length : 0
      return lost * 2 >= sampleSize ? trip() : 0
    },
    limit: () => (isTrying ? 1 : Number.POSITIVE_INFINITY),
  }
}
