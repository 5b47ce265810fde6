/** Limits failed binds of an address, or of a system id. */
export type AttemptLimit = {
  /** Takes an attempt; false if there are none left now. */
  take(key: string): boolean
  /** Gives an attempt back that did not fail. */
  giveBack(key: string): void
}

type Bucket = { level: number; at: number }

const mostKeys = 100_000

/** As many attempts at once as in a minute. */
export function limitAttempts(perMinute: number, now: () => number = () => performance.now()): AttemptLimit {
  const buckets = new Map<string, Bucket>()

  function levelOf(key: string): number {
    const bucket = buckets.get(key)
    return bucket ? Math.min(perMinute, bucket.level + ((now() - bucket.at) / 60_000) * perMinute) : perMinute
  }

  function set(key: string, level: number) {
    if (buckets.size >= mostKeys) dropFull()
    if (level >= perMinute) buckets.delete(key)
    else buckets.set(key, { level, at: now() })
  }

  /** Full ones, and the oldest if most are not. */
  function dropFull() {
    for (const key of buckets.keys()) if (levelOf(key) >= perMinute) buckets.delete(key)
    for (const key of buckets.keys()) {
      if (buckets.size < mostKeys) break
      buckets.delete(key)
    }
  }

  return {
    take(key) {
      const level = levelOf(key)
      if (level < 1) return false
      set(key, level - 1)
      return true
    },
    giveBack: (key) => set(key, levelOf(key) + 1),
  }
}
