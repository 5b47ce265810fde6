import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { Installation, RestoreReason } from './detect-restore.ts'
import type { Position } from './sending-state-file.ts'

export type InstallationRow = Installation & { pausedAt: Date | null; pauseReason: RestoreReason | null }

/** Reads and locks the row, so that only one process decides. */
export async function lockInstallation(db: Db, known: Position | undefined): Promise<InstallationRow> {
  const { keys, epochs } = lanesOf(known)
  const { rows } = await sql<InstallationRow>`
    select own.incarnation, own.confirmed, own.counter, own.paused_at as "pausedAt", own.pause_reason as "pauseReason",
      own.advanced_at is not null as "hasSent",
      exists (select from campaigns where status in ('scheduled', 'queued', 'running', 'paused'))
        or exists (select from priority_messages) or exists (select from single_failovers) as "hasWork",
      json_build_object('systemIdentifier', own.system_identifier, 'timeline', own.timeline, 'databaseOid', own.database_oid) as recorded,
      json_build_object('systemIdentifier', live.system_identifier, 'timeline', live.timeline, 'databaseOid', live.database_oid) as live,
      ${countBehind(keys, epochs)} as "lanesBehind"
    from installation own, database_identity() live
    for update of own`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The table installation is empty')
  return row
}

/**
 * Increments the counter if this is the known database and nothing in it is older than remembered; undefined otherwise.
 * Processes without senders only check.
 */
export async function advance(
  db: Db,
  known: Position,
  { isSender }: { isSender: boolean },
): Promise<number | undefined> {
  const { keys, epochs } = lanesOf(known)
  const isKnown = sql`may_send(own, ${known.incarnation}::uuid, ${known.counter}::bigint) and ${countBehind(keys, epochs)} = 0`
  const { rows } = isSender
    ? await sql<{ counter: number }>`
        update installation own set counter = counter + 1, advanced_at = now() where ${isKnown} returning counter`.execute(
        db,
      )
    : await sql<{ counter: number }>`select counter from installation own where ${isKnown}`.execute(db)
  return rows[0]?.counter
}

/** Accepts the current database as the one the senders work on. */
export async function adoptDatabase(db: Db): Promise<void> {
  await sql`
    update installation set advanced_at = now(), counter = counter + 1, system_identifier = live.system_identifier,
      timeline = live.timeline, database_oid = live.database_oid
    from database_identity() live`.execute(db)
}

/** True for the call that paused it. */
export async function setPaused(db: Db, reason: RestoreReason): Promise<boolean> {
  const { rows } = await sql<{ paused: boolean }>`select pause_sending(${reason}) as paused`.execute(db)
  return rows[0]?.paused ?? false
}

function countBehind(keys: string[], epochs: number[]) {
  return sql<number>`(
    select count(*) from unnest(${keys}::text[], ${epochs}::bigint[]) as known (key, epoch)
    join lanes on lanes.organization_id = split_part(known.key, '/', 1)::uuid and lanes.sender_id = split_part(known.key, '/', 2)::uuid
    where lanes.epoch < known.epoch)`
}

function lanesOf(known: Position | undefined): { keys: string[]; epochs: number[] } {
  const epochs = known?.epochs ?? {}
  return { keys: Object.keys(epochs), epochs: Object.values(epochs) }
}
