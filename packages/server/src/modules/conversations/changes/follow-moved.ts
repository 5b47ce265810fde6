import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { releaseHeld } from './release-held.ts'

/**
 * Accounts moved to below another department head. Their conversations count as changed, so that browsers of the heads show or remove
 * them; those of members without the module `chat` above them are unassigned.
 */
export async function followMoved(db: Db, path: string): Promise<void> {
  await releaseHeld(db, path)
  await sql`
    update conversations held set assignee_id = held.assignee_id from accounts member
    where member.path <@ ${path}::ltree and held.organization_id = member.organization_id and held.assignee_id = member.id
      and held.status <> 'resolved'`.execute(db)
}
