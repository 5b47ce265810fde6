import type pg from 'pg'

/** NOTIFY takes a lock of the whole database until its commit, so it stays out of the transactions that cause it. */
const everyMs = 50

/**
 * Notifies the listeners of a channel soon: at once, unless it has just notified. Calls within a short time become one NOTIFY. It
 * may be lost with the process or the connection, so listeners also poll.
 */
export function createNotifier(pool: pg.Pool): (channel: string) => void {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let flushedAt = Number.NEGATIVE_INFINITY

  function flush() {
    timer = undefined
    flushedAt = performance.now()
    const channels = [...waiting]
    waiting.clear()
    pool.query(`select pg_notify(channel, '') from unnest($1::text[]) as channel`, [channels]).catch(() => undefined)
  }

  return (channel) => {
    waiting.add(channel)
    timer ??= setTimeout(flush, Math.max(0, flushedAt + everyMs - performance.now())).unref()
  }
}
