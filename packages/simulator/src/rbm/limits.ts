import type { RbmSettings } from './settings.ts'

export type Limits = {
  /** Whether the agent may send now. */
  takeMessage: (agentId: string) => boolean
  takeBatchGet: () => boolean
  reset: () => void
}

/** Limits by the earliest time of the next request (GCRA), with bursts of one period. */
export function createLimits(settings: RbmSettings): Limits {
  const dueByKey = new Map<string, number>()

  function take(key: string, { rate, periodMs }: { rate: number; periodMs: number }): boolean {
    if (rate === 0) return true
    const now = performance.now()
    const due = Math.max(dueByKey.get(key) ?? 0, now)
    const gap = periodMs / rate
    if (due - now > periodMs - gap) return false
    dueByKey.set(key, due + gap)
    return true
  }

  return {
    takeMessage: (agentId) => take(agentId, { rate: settings.messagesPerSecond, periodMs: 1000 }),
    takeBatchGet: () => take('users:batchGet', { rate: settings.batchGetsPerMinute, periodMs: 60_000 }),
    reset: () => dueByKey.clear(),
  }
}
