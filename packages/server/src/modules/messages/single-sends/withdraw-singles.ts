import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { endLegs } from './legs-of-singles.ts'

/** Withdraws queued messages of a subtree: they expire, and their holds are released. */
export async function withdrawSingles(db: Db, path: string): Promise<void> {
  await sql`
    update priority_messages set expires_at = now(), due_at = least(due_at, now())
    where path <@ ${path}::ltree and submitting_epoch is null and expires_at > now()`.execute(db)
  await sql`
    delete from single_failovers using accounts account
    where account.path <@ ${path}::ltree and single_failovers.organization_id = account.organization_id and account_id = account.id`.execute(
    db,
  )
}

/** Withdraws one message if it is still queued, and those that may follow it. */
export async function withdrawSingle(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<{ isWithdrawn: boolean; hadLegs: boolean }> {
  const ended = await endLegs(db, { organizationId, messageIds: [id] })
  const { numAffectedRows } = await sql`
    update priority_messages set expires_at = now(), due_at = least(due_at, now())
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid and submitting_epoch is null and expires_at > now()`.execute(
    db,
  )
  return { isWithdrawn: numAffectedRows === 1n, hadLegs: ended > 0 }
}
