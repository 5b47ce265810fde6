import type { QueuedDelivery } from './lanes.queries.ts'

/** Due deliveries of a lane that were read ahead. It knows all that are in memory, so that none is sent twice. */
export type DeliveryBuffer = {
  /** The next delivery to send. */
  take(): QueuedDelivery | undefined
  /** Whether to read due deliveries: there may be some, and room for them. */
  wantsMore(): boolean
  /** Deliveries may have been queued since the last read. */
  wake(): void
  /** Begins a read of due deliveries, which `offer` ends; returns how many to read. */
  beginRead(): number
  /** Adds the deliveries that were read, without those that are in memory already or ended meanwhile. */
  offer(rows: readonly QueuedDelivery[]): void
  /** The results of these deliveries are stored. */
  settle(ids: readonly string[]): void
  /** Forgets what waits: it is read again when it can be sent. */
  drop(): void
  /** Whether nothing waits, is in flight or has a result that is not stored. */
  isEmpty(): boolean
}

/** Deliveries read ahead. */
const mostWaiting = 32

export function createDeliveryBuffer(): DeliveryBuffer {
  let waiting: QueuedDelivery[] = []
  /** Waiting, in flight, or without a stored result. */
  const known = new Set<string>()
  /** Settled since the last read began: it may still see them in the queue. */
  const settled = new Set<string>()
  let asked = 0
  /** The last read found fewer than it asked for. */
  let isExhausted = false
  /** Of some deliveries only the oldest of their key are read. */
  let isOrdered = false

  return {
    take: () => waiting.shift(),
    wantsMore: () => !isExhausted && waiting.length < mostWaiting / 2,
    wake() {
      isExhausted = false
    },
    beginRead() {
      settled.clear()
      // A buffer that is woken during the read reads again.
      isExhausted = true
      asked = mostWaiting - waiting.length + known.size
      return asked
    },
    offer(rows) {
      if (rows.length === asked) isExhausted = false
      for (const row of rows) {
        if (known.has(row.id) || settled.has(row.id)) continue
        known.add(row.id)
        waiting.push(row)
        isOrdered ||= row.isOrdered
      }
    },
    settle(ids) {
      for (const id of ids) {
        known.delete(id)
        settled.add(id)
      }
      if (isOrdered) isExhausted = false
    },
    drop() {
      for (const { id } of waiting) known.delete(id)
      waiting = []
    },
    isEmpty: () => known.size === 0,
  }
}
