/**
 * Gathers what many callers hand in into batches: `flush` gets up to `size` entries, at the latest `waitMs` after the first.
 * A caller's promise settles with its batch. One batch is under way at a time, so that order is kept.
 */
export function coalesce<Entry>(
  flush: (entries: Entry[]) => Promise<void>,
  { size, waitMs }: { size: number; waitMs: number },
): (entries: readonly Entry[]) => Promise<void> {
  let gathered: { entries: Entry[]; done: Promise<void>; settle: PromiseWithResolvers<void> } | undefined
  let timer: NodeJS.Timeout | undefined
  let previous: Promise<unknown> = Promise.resolve()

  function send() {
    clearTimeout(timer)
    const batch = gathered
    gathered = undefined
    if (!batch) return
    previous = previous.then(() => flush(batch.entries)).then(batch.settle.resolve, batch.settle.reject)
  }

  return (entries) => {
    if (!gathered) {
      const settle = Promise.withResolvers<void>()
      gathered = { entries: [], done: settle.promise, settle }
      timer = setTimeout(send, waitMs)
    }
    const { done } = gathered
    gathered.entries.push(...entries)
    if (gathered.entries.length >= size) send()
    return done
  }
}
