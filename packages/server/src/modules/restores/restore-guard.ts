import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { runEvery } from '../../lib/background.ts'
import type { Logger } from '../../lib/logger.ts'
import { detectRestore, type RestoreReason } from './detect-restore.ts'
import { adoptDatabase, advance, lockInstallation, type InstallationRow } from './installation.queries.ts'
import { pauseSending } from './pause-sending.ts'
import { describePause } from './restore-messages.ts'
import { openSendingStateFile, type Position, type StoredPosition } from './sending-state-file.ts'

export type RestoreGuardOptions = {
  database: Database
  dataDirectory: string
  logger: Logger
  /** The database also stores its data in DATA_DIR. */
  isEmbedded: boolean
  /** This process sends, and increments the counter. */
  isSender: boolean
  trustsFailover: boolean
  /** Started with --after-restore. */
  isAfterRestore: boolean
}

export type LaneEpoch = { organizationId: string; senderId: string; epoch: number }

/** Detects a restored database, at start and at runtime, and pauses sending for the whole installation. */
export type RestoreGuard = {
  /** The state that a lane claim must find in the database. */
  currentPosition(): Pick<Position, 'incarnation' | 'counter'>
  noteLanes(lanes: readonly LaneEpoch[]): void
  /** Why sending is paused and what to do, in one line; undefined if it is not. */
  notice(): string | undefined
  stop(): Promise<void>
}

const checkEveryMs = 2000

/** Checks the database before anything else in this process. */
export async function openRestoreGuard(options: RestoreGuardOptions): Promise<RestoreGuard> {
  const { database, logger, isSender } = options
  const file = await openSendingStateFile(options.dataDirectory)
  let reason: RestoreReason | null = null
  let position = await examine(file.read(), { isRequested: options.isAfterRestore })

  async function examine(
    known: Position | StoredPosition | undefined,
    { isRequested = false } = {},
  ): Promise<Position> {
    const { row, pausedFor } = await asSystem(database, (db) => decide(db, known, { ...options, isRequested }))
    if (pausedFor && !reason) logger.error({ reason: pausedFor }, describePause(pausedFor))
    if (reason && !pausedFor) logger.info('sending goes on')
    reason = pausedFor
    // While sending is paused the remembered position is kept, since the pause refers to it.
    return pausedFor ? (known ?? row) : row
  }

  async function check() {
    const known = position
    const counter = reason ? undefined : await asSystem(database, (db) => advance(db, known, { isSender }))
    position = counter === undefined ? await examine(known) : { ...known, counter, epochs: position.epochs }
    if (!reason) file.write(position)
  }

  const checking = runEvery(checkEveryMs, check, { name: 'looking for a restored database', logger })
  return {
    currentPosition: () => position,
    noteLanes(lanes) {
      const epochs = lanes.map(({ organizationId, senderId, epoch }) => [`${organizationId}/${senderId}`, epoch])
      position = { ...position, epochs: { ...position.epochs, ...Object.fromEntries(epochs) } }
    },
    notice: () => (reason ? describePause(reason) : undefined),
    stop: checking.stop,
  }
}

type Decision = { row: Position; pausedFor: RestoreReason | null }

/** Pauses if this is a restored copy; a sender accepts a new database. */
async function decide(
  db: Db,
  known: Position | StoredPosition | undefined,
  options: RestoreGuardOptions & { isRequested: boolean },
): Promise<Decision> {
  const row = await lockInstallation(db, known)
  if (row.pausedAt) return { row: positionOf(row), pausedFor: row.pauseReason }
  const found = options.isRequested ? 'requested' : detectRestore(row, { ...options, position: known })
  if (found) {
    await pauseSending(db, found)
    return { row: positionOf(row), pausedFor: found }
  }
  if (options.isSender) await adoptDatabase(db)
  return { row: positionOf(row), pausedFor: null }
}

function positionOf({ incarnation, counter }: InstallationRow): Position {
  return { incarnation, counter, epochs: {} }
}
