import type { Position, StoredPosition } from './sending-state-file.ts'

/** The installation's row in the database, and the server's identity. */
export type Installation = {
  incarnation: string
  confirmed: readonly string[]
  counter: number
  /** A sender has worked on this database. */
  hasSent: boolean
  /** Something would be sent if the senders started. */
  hasWork: boolean
  recorded: Identity
  live: Identity
  /** Number of remembered lanes whose epoch is lower than remembered. */
  lanesBehind: number
}

/** Null if the server does not report it. */
export type Identity = { systemIdentifier: string | null; timeline: string | null; databaseOid: number | null }

export const restoreReasons = [
  'database_behind',
  'other_history',
  'other_server',
  'other_database',
  'new_timeline',
  'copied_folder',
  'missing_state',
  'requested',
] as const
export type RestoreReason = (typeof restoreReasons)[number]

export type KnownState = {
  /** From the memory of this process, else from DATA_DIR. */
  position: Position | StoredPosition | undefined
  /** The database also stores its data in DATA_DIR. */
  isEmbedded: boolean
  /** Failovers lose no committed data, so a new timeline alone does not indicate a restore. */
  trustsFailover: boolean
}

/** Why this database must be a restored copy; undefined if it is not. Restarts, crashes and long downtime are not reasons. */
export function detectRestore(installation: Installation, known: KnownState): RestoreReason | undefined {
  const { position } = known
  const { hasSent, hasWork, incarnation } = installation
  // A new database, or one of a version without history; next to another folder's state it may be an old backup.
  if (!hasSent && (!position || position.incarnation === incarnation || !hasWork)) return undefined
  return compareIdentity(installation, known) ?? comparePosition(installation, known)
}

function compareIdentity({ recorded, live }: Installation, { trustsFailover }: KnownState): RestoreReason | undefined {
  const differs = (field: keyof Identity) =>
    recorded[field] !== null && live[field] !== null && recorded[field] !== live[field]
  if (differs('systemIdentifier')) return 'other_server'
  if (differs('databaseOid')) return 'other_database'
  return differs('timeline') && !trustsFailover ? 'new_timeline' : undefined
}

function comparePosition(
  { incarnation, confirmed, counter, lanesBehind }: Installation,
  { position, isEmbedded }: KnownState,
): RestoreReason | undefined {
  // Processes may have folders of their own; but the folder that holds the database must hold its state.
  if (!position) return isEmbedded ? 'missing_state' : undefined
  // The remembered state is older than a confirmed restore.
  if (confirmed.includes(position.incarnation)) return undefined
  if (position.incarnation !== incarnation) return 'other_history'
  if (position.counter > counter || lanesBehind > 0) return 'database_behind'
  // With an external database a copied folder means nothing, unless the database has not advanced since the copy either.
  const isCopy = 'isCopy' in position && position.isCopy
  return isCopy && (isEmbedded || counter <= position.counter) ? 'copied_folder' : undefined
}
