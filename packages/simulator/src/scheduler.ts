import { guarded } from './background.ts'

const bucketMs = 10

export type Scheduler = {
  after: (delayMs: number, deed: () => void) => void
  /** Cancels all pending events. */
  clear: () => void
}

/** A scheduler for hundreds of thousands of delays: events share one timer per 10 ms. */
export function createScheduler(): Scheduler {
  const buckets = new Map<number, { timer: NodeJS.Timeout; deeds: (() => void)[] }>()

  return {
    after(delayMs, deed) {
      const bucket = Math.ceil((Date.now() + delayMs) / bucketMs)
      const known = buckets.get(bucket)
      if (known) {
        known.deeds.push(deed)
        return
      }
      const deeds = [deed]
      const timer = setTimeout(() => {
        buckets.delete(bucket)
        for (const due of deeds) guarded(due)
      }, delayMs)
      buckets.set(bucket, { timer, deeds })
    },
    clear() {
      for (const { timer } of buckets.values()) clearTimeout(timer)
      buckets.clear()
    },
  }
}
