import { sql } from 'kysely'
import { eachAsSystem, type Database } from '../../../db/pool.ts'
import { eventChannel } from '../../../events/domain-events.ts'
import type { Logger } from '../../../lib/logger.ts'
import { createCounter } from '../../../lib/metrics.ts'

export type QueueDeps = { database: Database; logger: Logger }

const leftWaiting = createCounter({
  name: 'carillon_inbox_left_waiting_total',
  help: 'Conversations that an agent could have taken and that the minute’s check assigned instead of the event before it',
  labelNames: [],
})({})

/**
 * Assigns waiting conversations of these organizations. Called after each change that can free an agent or bring work: such
 * changes record `conversation.changed` or `agent.changed`.
 */
export async function assignAfter(
  { database, logger }: QueueDeps,
  events: readonly { organizationId: string }[],
): Promise<void> {
  const ids = [...new Set(events.map(({ organizationId }) => organizationId))]
  for (const id of await findAutomatic(database, ids)) {
    // A failure concerns one organization; the minute's check repeats it.
    await assign(database, id).catch((error: unknown) =>
      logger.error({ organization: id, err: error }, 'waiting conversations could not be assigned'),
    )
  }
}

/** Assigns what no event has assigned, and counts it. */
export async function checkQueue({ database, logger }: QueueDeps): Promise<void> {
  for (const id of await findAutomatic(database, undefined)) {
    const left = await assign(database, id, settledAfter)
    if (left === 0) continue
    leftWaiting.count += left
    logger.warn({ organization: id, conversations: left }, 'conversations were left waiting and are assigned now')
  }
}

/** Events of the last seconds may still be on their way. */
const settledAfter = '10 seconds'

async function findAutomatic(database: Database, among: readonly string[] | undefined): Promise<string[]> {
  if (among?.length === 0) return []
  const { rows } = await eachAsSystem(database, (db) =>
    sql<{ id: string }>`
      select organization_id as id from inbox_settings
      where assigns_automatically and (${among ?? null}::uuid[] is null or organization_id = any(${among ?? null}::uuid[]))
      order by 1`.execute(db),
  )
  return rows.map(({ id }) => id)
}

/** Returns how many conversations it assigned. */
export async function assign(database: Database, organizationId: string, settled = '0'): Promise<number> {
  const { rows } = await eachAsSystem(database, (db) =>
    sql<{ count: number }>`select assign_waiting(${organizationId}::uuid, ${settled}::interval) as count`.execute(db),
  )
  const count = rows[0]?.count ?? 0
  if (count > 0) database.notifySoon(eventChannel)
  return count
}

/** Records conversations whose answer is late. */
export async function recordOverdue(database: Database): Promise<void> {
  let count: number
  do {
    const { rows } = await eachAsSystem(database, (db) =>
      sql<{ count: number }>`select record_overdue() as count`.execute(db),
    )
    count = rows[0]?.count ?? 0
    if (count > 0) database.notifySoon(eventChannel)
  } while (count > 0)
}
