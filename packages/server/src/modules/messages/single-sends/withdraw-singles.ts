import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'

/** What waits in a subtree's lanes is too late from now on: it ends as expired and its money goes back. */
export async function withdrawSingles(db: Db, path: string): Promise<void> {
  await sql`
    update priority_messages set expires_at = now(), due_at = least(due_at, now())
    where path <@ ${path}::ltree and submitting_epoch is null and expires_at > now()`.execute(db)
}
