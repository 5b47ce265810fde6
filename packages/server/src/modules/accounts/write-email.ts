import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { AccountRow } from './find-account.ts'

type ChangeKey = { organization_id: string; id: string }

/** Changes the address; false if it is no longer `from`, or another account has `to`. */
export async function saveEmail(
  db: Db,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<boolean> {
  try {
    const { numAffectedRows } =
      await sql`update accounts set email = ${to} where id = ${accountId} and email = ${from}`.execute(db)
    return numAffectedRows === 1n
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505') return false
    throw error
  }
}

/** The change has taken effect and can be undone with the link of this hash. */
export async function markEmailChanged(
  db: Db,
  { organization_id, id }: ChangeKey,
  { now, undoHash }: { now: Date; undoHash: Buffer },
): Promise<void> {
  await db
    .updateTable('email_changes')
    .set({ applied_at: now, undo_hash: undoHash })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

export async function endEmailChange(
  db: Db,
  { organization_id, id }: ChangeKey,
  { now, outcome }: { now: Date; outcome: string },
): Promise<void> {
  await db
    .updateTable('email_changes')
    .set({ ended_at: now, outcome })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Ends the pending changes of an account, because another one takes their place. */
export async function replacePendingEmail(
  db: Db,
  account: Pick<AccountRow, 'organization_id' | 'id'>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('email_changes')
    .set({ ended_at: now, outcome: 'replaced' })
    .where('organization_id', '=', account.organization_id)
    .where('account_id', '=', account.id)
    .where('applied_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute()
}
