type Batch<Entry> = { entries: Entry[]; settle: PromiseWithResolvers<void>; until: number; timer: NodeJS.Timeout }

/**
 * Batches entries of many callers. `flush` gets up to `size` entries, at most `waitMs` after the first, and earlier if no
 * entry has arrived for a tenth of that time (callers that wait for the response before sending more should not wait). Only
 * one flush runs at a time, to keep the order; entries collect meanwhile. A caller's promise settles with its batch.
 */
export function coalesce<Entry>(
  flush: (entries: Entry[]) => Promise<void>,
  { size, waitMs }: { size: number; waitMs: number },
): (entries: readonly Entry[]) => Promise<void> {
  const full: Batch<Entry>[] = []
  let gathering: Batch<Entry> | undefined
  let isFlushing = false

  function begin(): Batch<Entry> {
    const timer = setTimeout(flushInBackground, waitMs / 10)
    return { entries: [], settle: Promise.withResolvers<void>(), until: performance.now() + waitMs, timer }
  }

  function take(): Batch<Entry> | undefined {
    const batch = full.shift() ?? gathering
    if (batch === gathering) gathering = undefined
    clearTimeout(batch?.timer)
    return batch
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
  function flushInBackground() {
    flushAll().catch(() => undefined)
  }

  return (entries) => {
    const batch = (gathering ??= begin())
    batch.entries.push(...entries)
    if (batch.entries.length >= size) {
      full.push(batch)
      gathering = undefined
    }
    if (batch.entries.length >= size || performance.now() >= batch.until) flushInBackground()
    else batch.timer.refresh()
    return batch.settle.promise
  }
}
