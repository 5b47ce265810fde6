import type { Entrance, PlannedLeg } from './campaign-plan.ts'

/** Ends of a message that its provider or the engine brings about when its time has passed. */
const timedOut = ['expired', 'revoked']

/**
 * Where a provider can revoke messages and a later leg has a time limit, the limit is also the validity period of the messages:
 * the provider gives them up when it has passed, and the engine revokes those for which it reports nothing. Either end then leads
 * to the later leg at once.
 */
export function revokeBeforeFailover(legs: readonly PlannedLeg[]): PlannedLeg[] {
  return legs.map((leg, index) => {
    const later = legs.slice(index + 1).filter(({ range }) => overlap(leg.range, range))
    const limit = later.find(({ entrance }) => entrance && entrance.afterSeconds !== null)?.entrance?.afterSeconds
    const isAfterRevocable = legs
      .slice(0, index)
      .some((earlier) => earlier.revokeGraceSeconds !== undefined && overlap(earlier.range, leg.range))
    return {
      ...leg,
      ...(leg.revokeGraceSeconds !== undefined && limit
        ? { ttlSeconds: Math.min(leg.ttlSeconds ?? limit, limit) }
        : {}),
      ...(isAfterRevocable && leg.entrance ? { entrance: enteredInTime(leg.entrance) } : {}),
    }
  })
}

function enteredInTime(entrance: Entrance): Entrance {
  const isTimed = entrance.afterSeconds !== null || entrance.reasons.includes('expired')
  return isTimed ? { ...entrance, reasons: [...new Set([...entrance.reasons, ...timedOut])] } : entrance
}

function overlap(one: PlannedLeg['range'], other: PlannedLeg['range']): boolean {
  return !one || !other || (one.lo < other.hi && other.lo < one.hi)
}
