import type { NotificationEvent } from '@carillon/contract/realtime'
import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { runEvery } from '../../lib/background.ts'
import type { Logger } from '../../lib/logger.ts'
import { presentNotification, type NotificationRow } from './list-notifications.ts'

export type WatchDeps = {
  database: Database
  logger: Logger
  /** To one account alone. */
  announce(to: { accountId: string }, event: NotificationEvent): void
  /** Nobody is listening: nothing is read. */
  hasListeners(): boolean
}

const everyMs = 1000
/** A transaction may commit its news this long after it wrote them; the list has what comes later still. */
const lookBack = '30 seconds'
const most = 1000

/**
 * Pushes new notifications to the sockets of this process, read from the database, where every process writes them, once a
 * second and only while somebody listens. The first look tells what is a moment old: a page may have read its list before it
 * and connected after it. What is older stands in that list.
 */
export function watchNotifications(deps: WatchDeps): { stop(): Promise<void> } {
  let told: ReadonlySet<string> | undefined

  async function look() {
    if (!deps.hasListeners()) {
      told = undefined
      return
    }
    const before = told
    const rows = await asSystem(deps.database, findRecent)
    told = new Set(rows.map(({ id }) => id))
    for (const row of rows.filter(({ id, is_fresh }) => (before ? !before.has(id) : is_fresh)))
      deps.announce({ accountId: row.account_id }, presentNotification(row))
  }

  return runEvery(everyMs, look, { name: 'watching for notifications', logger: deps.logger })
}

/** Oldest first, as they are to be heard. More than can be read at once are left to the list. */
async function findRecent(db: Db): Promise<(NotificationRow & { is_fresh: boolean })[]> {
  const rows = await db
    .selectFrom('notifications')
    .selectAll()
    .select(sql<boolean>`created_at > clock_timestamp() - interval '2 seconds'`.as('is_fresh'))
    .where('created_at', '>', sql<Date>`clock_timestamp() - ${sql.lit(lookBack)}::interval`)
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute()
  return rows.toReversed()
}
