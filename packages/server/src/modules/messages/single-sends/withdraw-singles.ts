import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'

/** Withdraws queued messages of a subtree: they expire, and their holds are released. */
export async function withdrawSingles(db: Db, path: string): Promise<void> {
  await sql`
    update priority_messages set expires_at = now(), due_at = least(due_at, now())
    where path <@ ${path}::ltree and submitting_epoch is null and expires_at > now()`.execute(db)
}

/** Withdraws one queued message; returns false if it was handed over already. */
export async function withdrawSingle(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update priority_messages set expires_at = now(), due_at = least(due_at, now())
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid and submitting_epoch is null and expires_at > now()`.execute(
    db,
  )
  return numAffectedRows === 1n
}
