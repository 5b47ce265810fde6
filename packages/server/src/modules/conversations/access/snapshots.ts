import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { badField } from '../../../lib/problem.ts'

/** The state of the database before a read, by which a later one finds what changed since. */
export type Cursor = { cursor: string; now: Date }

/** Read before the rows that it belongs to: a change in between is then returned twice, and none is missed. */
export async function readCursor(db: Db): Promise<Cursor> {
  const { rows } = await sql<Cursor>`select pg_current_snapshot()::text as cursor, now() as now`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database returned no snapshot')
  return row
}

/** Rows beyond this number are not listed as changes: the caller reads the lists again. */
export const mostChanges = 500

/**
 * Whether changes since a cursor cannot be told: it is newer than the database, which was restored, or is a promoted standby that
 * lacks its primary's latest transactions.
 */
export function isFromFuture(since: string, { cursor }: Pick<Cursor, 'cursor'>): boolean {
  return parse(since).xmax > parse(cursor).xmax
}

const largest = 2n ** 63n

/** A snapshot is written xmin:xmax:xip, where xip lists the transactions in progress between the two. */
export function assertCursor(since: string): void {
  const { xmin, xmax, inProgress } = parse(since)
  const isInOrder = inProgress.every((xid, index) => xid >= xmin && xid < xmax && xid > (inProgress[index - 1] ?? 0n))
  if (xmin < 1n || xmin > xmax || xmax >= largest || !isInOrder) throw badField('since', 'Use the cursor of a response')
}

function parse(snapshot: string): { xmin: bigint; xmax: bigint; inProgress: bigint[] } {
  const [xmin = '', xmax = '', inProgress = ''] = snapshot.split(':')
  const ids = inProgress === '' ? [] : inProgress.split(',')
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), inProgress: ids.map(BigInt) }
}
