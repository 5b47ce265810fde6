type Batch<Entry> = { entries: Entry[]; settle: PromiseWithResolvers<void>; until: number; timer: NodeJS.Timeout }

/**
 * Gathers what many callers hand in into batches: `flush` gets up to `size` entries, at the latest `waitMs` after the first,
 * and sooner once nothing has come for a tenth of that: who sends no more before it is answered is not kept waiting. One
 * batch is under way at a time, so that order is kept; meanwhile the next one gathers. A caller's promise settles with its batch.
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

  /** Never rejects: what a flush throws goes to its callers. */
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
