import type pg from 'pg'

/** NOTIFY takes a lock of the whole database until its commit, so it stays out of the transactions that cause it. */
const everyMs = 50

/**
 * Notifies the listeners of a channel soon. Calls within a short time become one NOTIFY. It may be lost with the process or the
 * connection, so listeners also poll.
 */
export function createNotifier(pool: pg.Pool): (channel: string) => void {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function flush() {
    timer = undefined
    const channels = [...waiting]
    waiting.clear()
    pool.query(`select pg_notify(channel, '') from unnest($1::text[]) as channel`, [channels]).catch(() => undefined)
  }

  return (channel) => {
    waiting.add(channel)
    timer ??= setTimeout(flush, everyMs).unref()
  }
}
