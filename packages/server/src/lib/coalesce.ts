type Batch<Entry> = {
  entries: Entry[]
  settle: PromiseWithResolvers<void>
  until: number
  timer: NodeJS.Timeout
  /** No entry has arrived for a while, or the first has waited for long enough. */
  isDue: boolean
}

type Limits = {
  /** Entries of a batch. */
  size: number
  /** Maximum wait of the first entry, apart from an earlier flush. */
  waitMs: number
  /** A batch is flushed earlier if no entry arrives for this time. By default a tenth of `waitMs`. */
  quietMs?: number
}

/**
 * Batches entries of many callers. `flush` gets up to `size` entries, at most `waitMs` after the first, and earlier if no
 * entry has arrived for `quietMs` (callers that wait for the response before sending more should not wait). Only
 * one flush runs at a time, to keep the order; entries collect meanwhile. A caller's promise settles with its batch.
 */
export function coalesce<Entry>(
  flush: (entries: Entry[]) => Promise<void>,
  { size, waitMs, quietMs = waitMs / 10 }: Limits,
): (entries: readonly Entry[]) => Promise<void> {
  const full: Batch<Entry>[] = []
  let gathering: Batch<Entry> | undefined
  let isFlushing = false

  function begin(): Batch<Entry> {
    const until = performance.now() + waitMs
    const timer = setTimeout(() => flushIfDue(batch), quietMs)
    const batch = { entries: [], settle: Promise.withResolvers<void>(), until, timer, isDue: false }
    return batch
  }

  function take(): Batch<Entry> | undefined {
    const due = full.shift() ?? (gathering?.isDue ? gathering : undefined)
    if (due === gathering) gathering = undefined
    clearTimeout(due?.timer)
    return due
  }

  async function flushAll() {
    if (isFlushing) return
    isFlushing = true
    for (let batch = take(); batch; batch = take()) {
      const { entries, settle } = batch
      try {
        await flush(entries)
        settle.resolve()
      } catch (error) {
        settle.reject(error)
      }
    }
    isFlushing = false
  }

  /** Never rejects: errors of `flush` are passed to the callers of the batch. */
  function flushIfDue(batch: Batch<Entry>) {
    batch.isDue = true
    flushAll().catch(() => undefined)
  }

  return (entries) => {
    const batch = (gathering ??= begin())
    batch.entries.push(...entries)
    if (batch.entries.length >= size) {
      full.push(batch)
      gathering = undefined
    }
    if (batch.entries.length >= size || performance.now() >= batch.until) flushIfDue(batch)
    else batch.timer.refresh()
    return batch.settle.promise
  }
}
