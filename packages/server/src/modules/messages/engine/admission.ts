import type { CircuitBreaker } from './circuit-breaker.ts'
import type { TokenBucket } from './token-bucket.ts'

/** Messages that may be sent now. Each place is returned when its message has an outcome, or is not sent after all. */
export type Permit = { messages: number; land(messages: number): void }

/** How many messages may be sent now: limited by free places in the window first, then by the rate. */
export type Admission = {
  /** Takes what can be sent immediately, without waiting. */
  tryAdmit(parts: readonly number[]): Permit | undefined
  /**
   * Waits until at least one of the messages may be sent; undefined when the lane closes. `parts` are those of each message, in
   * order.
   */
  admit(parts: readonly number[], urgent: boolean): Promise<Permit | undefined>
  close(): void
}

type Kind = 'urgent' | 'ordinary'
type Places = { count: number; generation: number }
type Waiter = { wanted: number; start(places: Places): void }

/** Waiters get fewer places than half of the window only after this time. */
const patienceMs = 100

type Flow = { bucket: TokenBucket; breaker: CircuitBreaker; window: number }

export function createAdmission({ bucket, breaker, window }: Flow): Admission {
  // Priority messages have reserved places, so that a campaign cannot delay them.
  const places: Record<Kind, WindowPlaces> = {
    urgent: createPlaces({ window, breaker }),
    ordinary: createPlaces({ window, breaker }),
  }

  function permit(kind: Kind, { generation }: Places, messages: number): Permit {
    return { messages, land: (count) => places[kind].land({ count, generation }) }
  }

  return {
    tryAdmit(parts) {
      if (!bucket.isUnlimited()) return undefined
      const taken = places.ordinary.tryTake(parts.length)
      return taken && permit('ordinary', taken, taken.count)
    },
    async admit(parts, urgent) {
      const kind = urgent ? 'urgent' : 'ordinary'
      for (;;) {
        const taken = await places[kind].take(parts.length)
        if (taken.count === 0) return undefined
        const candidates = parts.slice(0, taken.count)
        const atMost = candidates.reduce((sum, count) => sum + count, 0)
        const granted = await bucket.take({ atLeast: candidates[0] ?? 1, atMost, urgent })
        // The breaker tripped meanwhile: only as many are sent as it allows now.
        const isStale = granted > 0 && taken.generation !== breaker.generation()
        const { messages, used } = isStale ? { messages: 0, used: 0 } : fit(candidates, granted)
        if (granted > used) bucket.returnUnused(granted - used)
        if (taken.count > messages) places[kind].land({ ...taken, count: taken.count - messages })
        if (messages > 0) return permit(kind, taken, messages)
        if (!isStale) return undefined
      }
    },
    close() {
      places.urgent.close()
      places.ordinary.close()
    },
  }
}

type WindowPlaces = {
  tryTake(wanted: number): Places | undefined
  /** Waits for places; none when closed. */
  take(wanted: number): Promise<Places>
  land(places: Places): void
  close(): void
}

function createPlaces({ window, breaker }: Pick<Flow, 'window' | 'breaker'>): WindowPlaces {
  const waiters: Waiter[] = []
  let inFlight = 0
  /** Messages in flight that were sent since the breaker last tripped. */
  let recent: Places = { count: 0, generation: 0 }
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function free(): number {
    if (recent.generation !== breaker.generation()) recent = { count: 0, generation: breaker.generation() }
    return Math.min(window - inFlight, breaker.limit() - recent.count)
  }

  function occupy(count: number): Places {
    inFlight += count
    recent.count += count
    return { count, generation: recent.generation }
  }

  function startWaiters(isPatienceOver: boolean) {
    for (let waiter = waiters[0]; waiter; waiter = waiters[0]) {
      const available = closed ? 0 : free()
      // Each slice costs a commit: while responses are fast, half of the window is filled at once.
      const enough = Math.min(waiter.wanted, Math.max(1, Math.min(window, breaker.limit()) / 2))
      if (!closed && available < (isPatienceOver ? 1 : enough)) {
        if (available >= 1) timer ??= setTimeout(endPatience, patienceMs)
        return
      }
      waiters.shift()
      waiter.start(occupy(Math.min(available, waiter.wanted)))
    }
  }

  function endPatience() {
    timer = undefined
    startWaiters(true)
  }

  return {
    tryTake(wanted) {
      const available = Math.min(free(), wanted)
      return closed || available < 1 || waiters.length > 0 ? undefined : occupy(available)
    },
    take(wanted) {
      return new Promise((start) => {
        waiters.push({ wanted, start })
        startWaiters(false)
      })
    },
    land({ count, generation }) {
      inFlight -= count
      if (generation === recent.generation) recent.count -= count
      startWaiters(false)
    },
    close() {
      closed = true
      clearTimeout(timer)
      startWaiters(true)
    },
  }
}

/** How many of the messages the granted parts cover. */
function fit(parts: readonly number[], granted: number): { messages: number; used: number } {
  let used = 0
  let messages = 0
  for (const count of parts) {
    if (used + count > granted) break
    used += count
    messages += 1
  }
  return { messages, used }
}
