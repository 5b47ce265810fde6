import type { Position, StoredPosition } from './sending-state-file.ts'

/** What the single row of the database says, beside what the server that it is on says of itself. */
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
  /** The lanes among the remembered ones whose epoch is lower than remembered. */
  lanesBehind: number
}

/** Null where the server does not tell. */
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

export type Known = {
  /** From the memory of this process, else from DATA_DIR. */
  position: Position | StoredPosition | undefined
  /** The database keeps its data in DATA_DIR as well. */
  isEmbedded: boolean
  /** A failover loses nothing that was committed, so that a new timeline alone is no restore. */
  trustsFailover: boolean
}

/** Why this database has to be taken for a restored copy, if so. A restart, a crash and a long rest are not among the reasons. */
export function detectRestore(installation: Installation, known: Known): RestoreReason | undefined {
  const { position } = known
  const { hasSent, hasWork, incarnation } = installation
  // A new database, or one of a version that kept no history; beside the folder of another it may be an old backup.
  if (!hasSent && (!position || position.incarnation === incarnation || !hasWork)) return undefined
  return compareIdentity(installation, known) ?? comparePosition(installation, known)
}

function compareIdentity({ recorded, live }: Installation, { trustsFailover }: Known): RestoreReason | undefined {
  const differs = (field: keyof Identity) =>
    recorded[field] !== null && live[field] !== null && recorded[field] !== live[field]
  if (differs('systemIdentifier')) return 'other_server'
  if (differs('databaseOid')) return 'other_database'
  return differs('timeline') && !trustsFailover ? 'new_timeline' : undefined
}

function comparePosition(
  { incarnation, confirmed, counter, lanesBehind }: Installation,
  { position, isEmbedded }: Known,
): RestoreReason | undefined {
  // Processes come and go with folders of their own; but the folder that holds the database holds its state too.
  if (!position) return isEmbedded ? 'missing_state' : undefined
  // What it remembers is older than a restore that was confirmed.
  if (confirmed.includes(position.incarnation)) return undefined
  if (position.incarnation !== incarnation) return 'other_history'
  if (position.counter > counter || lanesBehind > 0) return 'database_behind'
  // Beside a database elsewhere a copied folder tells nothing, unless that has not moved on since the copy either.
  const isCopy = 'isCopy' in position && position.isCopy
  return isCopy && (isEmbedded || counter <= position.counter) ? 'copied_folder' : undefined
}
