import { guarded } from './background.ts'

const bucketMs = 10

export type Scheduler = {
  after: (delayMs: number, task: () => void) => void
  /** Cancels all pending events. */
  clear: () => void
}

/** A scheduler for hundreds of thousands of delays: events share one timer per 10 ms. */
export function createScheduler(): Scheduler {
  const buckets = new Map<number, { timer: NodeJS.Timeout; tasks: (() => void)[] }>()

  return {
    after(delayMs, task) {
      const bucket = Math.ceil((Date.now() + delayMs) / bucketMs)
      const known = buckets.get(bucket)
      if (known) {
        known.tasks.push(task)
        return
      }
      const tasks = [task]
      const timer = setTimeout(() => {
        buckets.delete(bucket)
        for (const due of tasks) guarded(due)
      }, delayMs)
      buckets.set(bucket, { timer, tasks })
    },
    clear() {
      for (const { timer } of buckets.values()) clearTimeout(timer)
      buckets.clear()
    },
  }
}
