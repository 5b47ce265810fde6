import type { CircuitBreaker } from './circuit-breaker.ts'
import type { TokenBucket } from './token-bucket.ts'

/** Who may hand over now, and how many: the places in the air first, then the rate. */
export type Admission = {
  /** Takes what can leave at once, or 0. */
  tryAdmit(parts: readonly number[]): number
  /** Waits until at least one of the messages may leave; 0 when the lane closes. Parts are those of each message, in order. */
  admit(parts: readonly number[], urgent: boolean): Promise<number>
  /** The messages have their outcomes. */
  land(messages: number, urgent: boolean): void
  inAir(): number
  close(): void
}

type Waiter = { wanted: number; start(places: number): void }

export function createAdmission({
  bucket,
  breaker,
  window,
}: {
  bucket: TokenBucket
  breaker: CircuitBreaker
  window: number
}): Admission {
  // Urgent messages have places of their own, so that no campaign can keep them on the ground.
  const flying = { urgent: 0, ordinary: 0 }
  const waiters: Record<keyof typeof flying, Waiter[]> = { urgent: [], ordinary: [] }
  let closed = false

  const free = (kind: keyof typeof flying) => Math.min(window, breaker.limit()) - flying[kind]

  function startWaiters(kind: keyof typeof flying) {
    for (let waiter = waiters[kind][0]; waiter; waiter = waiters[kind][0]) {
      // A quarter of the window at a time: crumbs would cost a commit each.
      const places = free(kind)
      if (!closed && places < Math.min(waiter.wanted, Math.max(1, Math.min(window, breaker.limit()) / 4))) return
      waiters[kind].shift()
      const taken = closed ? 0 : Math.min(places, waiter.wanted)
      flying[kind] += taken
      waiter.start(taken)
    }
  }

  function takePlaces(wanted: number, kind: keyof typeof flying): Promise<number> {
    return new Promise((start) => {
      waiters[kind].push({ wanted, start })
      startWaiters(kind)
    })
  }

  function land(messages: number, urgent: boolean) {
    const kind = urgent ? 'urgent' : 'ordinary'
    flying[kind] -= messages
    startWaiters(kind)
  }

  return {
    land,
    inAir: () => flying.urgent + flying.ordinary,
    tryAdmit(parts) {
      const places = Math.min(free('ordinary'), parts.length)
      if (closed || places < 1 || waiters.ordinary.length > 0 || !bucket.isUnlimited()) return 0
      flying.ordinary += places
      return places
    },
    async admit(parts, urgent) {
      const places = await takePlaces(parts.length, urgent ? 'urgent' : 'ordinary')
      if (places === 0) return 0
      const candidates = parts.slice(0, places)
      const atMost = candidates.reduce((sum, count) => sum + count, 0)
      const granted = await bucket.take({ atLeast: candidates[0] ?? 1, atMost, urgent })
      const { messages, used } = fit(candidates, granted)
      if (granted > used) bucket.giveBack(granted - used)
      if (places > messages) land(places - messages, urgent)
      return messages
    },
    close() {
      closed = true
      startWaiters('urgent')
      startWaiters('ordinary')
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
