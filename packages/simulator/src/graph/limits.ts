import type { PhoneNumber, Portfolio } from './objects.ts'
import type { GraphSettings } from './settings.ts'

export type Limits = {
  /** The error code of the exceeded limit; undefined if within limits. */
  take: (number: PhoneNumber, waId: string) => 130429 | 131056 | undefined
  /** Inbound messages count towards the throughput and are never rejected. */
  countInbound: (number: PhoneNumber) => void
  /** Whether the messaging limit of the business (24 hours) allows one more person. */
  reserveNewPerson: (portfolio: Portfolio, waId: string) => boolean
  reset: () => void
}

const pairGapMs = 6000
const pairBurst = 45
const dayMs = 24 * 3_600_000
const prunedPairs = 200_000

const tiers: Record<string, number> = {
  TIER_50: 50,
  TIER_250: 250,
  TIER_1K: 1000,
  TIER_2K: 2000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
}

export function isTier(tier: string): boolean {
  return tier === 'TIER_UNLIMITED' || Object.hasOwn(tiers, tier)
}

export function createLimits(settings: GraphSettings): Limits {
  /** Earliest time of the next message per number and per pair (GCRA). */
  const dueByNumber = new Map<string, number>()
  const dueByPair = new Map<string, number>()
  const reachedByPortfolio = new Map<string, Map<string, number>>()

  function pairDue(key: string, now: number): number | undefined {
    const due = Math.max(dueByPair.get(key) ?? 0, now)
    return due - now > pairGapMs * (pairBurst - 1) ? undefined : due + pairGapMs
  }

  function prune(now: number) {
    if (dueByPair.size <= prunedPairs) return
    for (const [key, due] of dueByPair) if (due <= now) dueByPair.delete(key)
  }

  return {
    take(number, waId) {
      const now = performance.now()
      const rate = number.throughputLevel === 'HIGH' ? Math.max(settings.throughput, 1000) : settings.throughput
      const due = Math.max(dueByNumber.get(number.id) ?? 0, now)
      if (settings.throughput > 0 && due - now > 1000 - 1000 / rate) return 130429
      if (settings.pairLimit) {
        const key = `${number.id}/${waId}`
        const next = pairDue(key, now)
        if (next === undefined) return 131056
        dueByPair.set(key, next)
        prune(now)
      }
      if (settings.throughput > 0) dueByNumber.set(number.id, due + 1000 / rate)
      return undefined
    },
    countInbound(number) {
      if (settings.throughput === 0) return
      const now = performance.now()
      dueByNumber.set(number.id, Math.max(dueByNumber.get(number.id) ?? 0, now) + 1000 / settings.throughput)
    },
    reserveNewPerson({ id, limitTier }, waId) {
      const limit = tiers[limitTier]
      if (!settings.tierLimit || limit === undefined) return true
      const reached = reachedByPortfolio.get(id) ?? new Map<string, number>()
      reachedByPortfolio.set(id, reached)
      const now = Date.now()
      // In insertion order, so the first recent entry ends the search.
      for (const [person, at] of reached) {
        if (at > now - dayMs) break
        reached.delete(person)
      }
      if (reached.has(waId)) return true
      if (reached.size >= limit) return false
      reached.set(waId, now)
      return true
    },
    reset() {
      dueByNumber.clear()
      dueByPair.clear()
      reachedByPortfolio.clear()
    },
  }
}
