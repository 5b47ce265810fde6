import type { Clock } from '../../../lib/clock.ts'
import { createCircuitBreaker } from '../../messages/index.ts'
import type { Verdict } from './judge-response.ts'

/** How an endpoint has answered, as it is stored. */
export type LaneState = {
  heldUntil: Date | null
  trips: number
  failingSince: Date | null
  lastDeliveredAt: Date | null
  lastFailedAt: Date | null
}

/** How many requests an endpoint gets at the same time, and when. */
export type Pace = {
  /** Whether another request may start while this many are in flight. */
  mayStart(inFlight: number): boolean
  isHeld(): boolean
  note(outcome: { verdict: Verdict; sentAt: number; isReplay: boolean }): void
  /** The endpoint has another URL: how the one before answered says nothing about it. */
  reset(): void
  state(): LaneState
  /** Whether the state has changed since the last call. */
  takeChange(): boolean
}

const mostAtOnce = 4
const firstThrottleMs = 1000
const longestHoldMs = 60_000
/** A wait that an endpoint asks for is obeyed up to this time; probes find out whether it is over. */
const longestAskedMs = 3_600_000

export function createPace(stored: LaneState, clock: Clock): Pace {
  const state = { ...stored }
  let breaker = createCircuitBreaker(stored.trips)
  let isChanged = false
  let throttles = 0
  // An endpoint in trouble begins with one request.
  let window = stored.failingSince === null ? mostAtOnce : 1

  function hold(ms: number) {
    if (ms <= 0) return
    const until = new Date(clock.now().getTime() + ms)
    if (state.heldUntil === null || state.heldUntil < until) state.heldUntil = until
  }

  function noteFailure({ isThrottled, retryAfterMs }: Verdict, isReplay: boolean) {
    const now = clock.now()
    state.lastFailedAt = now
    // Replays do not count against an endpoint.
    if (!isReplay) state.failingSince ??= now
    if (!isThrottled) return
    window = 1
    const wait = firstThrottleMs * 2 ** Math.min(throttles, 10) * (0.75 + Math.random() / 2)
    throttles += 1
    hold(Math.min(longestAskedMs, retryAfterMs ?? Math.min(longestHoldMs, wait)))
  }

  return {
    mayStart: (inFlight) => inFlight < Math.min(window, breaker.limit()) && !isHeldAt(state, clock),
    isHeld: () => isHeldAt(state, clock),
    note({ verdict, sentAt, isReplay }) {
      const { isSuccess, isAnswered } = verdict
      isChanged = true
      const trippedMs = breaker.record(isAnswered, sentAt)
      if (isSuccess) {
        state.failingSince = null
        state.heldUntil = null
        state.lastDeliveredAt = clock.now()
        throttles = 0
        window = Math.min(mostAtOnce, window + 1)
      } else noteFailure(verdict, isReplay)
      state.trips = breaker.trips()
      hold(trippedMs)
    },
    reset() {
      Object.assign(state, { failingSince: null, heldUntil: null, trips: 0 })
      breaker = createCircuitBreaker()
      throttles = 0
      window = mostAtOnce
      isChanged = true
    },
    state: () => ({ ...state }),
    takeChange() {
      const was = isChanged
      isChanged = false
      return was
    },
  }
}

function isHeldAt({ heldUntil }: LaneState, clock: Clock): boolean {
  return heldUntil !== null && heldUntil > clock.now()
}
