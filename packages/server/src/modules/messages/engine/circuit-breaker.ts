/** Stops a lane that gets no responses, and sends single messages as probes until responses come again. */
export type CircuitBreaker = {
  /**
   * Records whether the provider responded to a message sent at `sentAt`. Returns how long to hold the lane, 0 to continue.
   * While a probe is in flight, results of messages sent before the trip are ignored.
   */
  record(answered: boolean, sentAt?: number): number
  /** An error that concerns every message, such as a refused password. */
  trip(sentAt?: number): number
  /** How many messages may be sent since the last trip before one of them has a response. */
  limit(): number
  /** Number of trips. */
  generation(): number
  /** Trips since the last response. */
  trips(): number
}

const sampleSize = 20
/**
 * Messages sent together time out together. The sample reaches back this far, to compare them with those that were answered.
 */
const sampleMs = 5000
const longestSample = 2000
const firstHoldMs = 2000
const longestHoldMs = 60_000

/** With trips before, it begins with a probe. */
export function createCircuitBreaker(tripsBefore = 0): CircuitBreaker {
  const sample = createSample()
  let trips = tripsBefore
  let generation = 0
  let isTrying = tripsBefore > 0
  let trippedAt = Number.NEGATIVE_INFINITY

  function trip(sentAt = performance.now()) {
    if (isTrying && sentAt < trippedAt) return 0
    const holdMs = Math.min(longestHoldMs, firstHoldMs * 2 ** Math.min(trips, 10))
    trips += 1
    generation += 1
    isTrying = true
    trippedAt = performance.now()
    sample.clear()
    return holdMs
  }

  return {
    trip,
    record(answered, sentAt = performance.now()) {
      if (isTrying) {
        if (sentAt < trippedAt) return 0
        if (!answered) return trip(sentAt)
        isTrying = false
        trips = 0
        return 0
      }
      sample.add(answered)
      return !answered && sample.size() >= sampleSize && sample.lost() * 2 >= sample.size() ? trip(sentAt) : 0
    },
    limit: () => (isTrying ? 1 : Number.POSITIVE_INFINITY),
    generation: () => generation,
    trips: () => trips,
  }
}

/** The latest outcomes: those of the last seconds, and at least `sampleSize`. */
function createSample() {
  const times = new Float64Array(longestSample)
  const losses = new Uint8Array(longestSample)
  let first = 0
  let size = 0
  let lost = 0

  function drop() {
    lost -= losses[first] ?? 0
    first = (first + 1) % longestSample
    size -= 1
  }

  return {
    size: () => size,
    lost: () => lost,
    add(answered: boolean) {
      const now = performance.now()
      if (size === longestSample) drop()
      const next = (first + size) % longestSample
      times[next] = now
      losses[next] = answered ? 0 : 1
      lost += answered ? 0 : 1
      size += 1
      while (size > sampleSize && (times[first] ?? now) < now - sampleMs) drop()
    },
    clear() {
      size = 0
      lost = 0
    },
  }
}
