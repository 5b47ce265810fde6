import { createHash } from 'node:crypto'
import type { Reach } from '../access/sees.ts'

/**
 * The cursor of a list: the state of the database, and a digest of what the member sees. Conversations that did not change themselves
 * come and go with it.
 */
export function writeCursor(snapshot: string, reach: Reach): string {
  return `${snapshot};${digestOf(reach)}`
}

export function readListCursor(cursor: string): { since: string; digest: string | undefined } {
  const [since = '', digest] = cursor.split(';')
  return { since, digest }
}

export function digestOf({ role, path, teamIds, lineIds, teamLineIds }: Reach): string {
  const sorted = [teamIds, lineIds, teamLineIds].map((ids) => ids?.toSorted() ?? null)
  return createHash('sha256')
    .update(JSON.stringify([role, path, ...sorted]))
    .digest('hex')
    .slice(0, 16)
}
