import type { AccountStatus } from '@carillon/contract/accounts'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { Problem } from '../../lib/problem.ts'

/** The worst of an account's own status and those above it. */
export async function getStanding(db: Db, path: string): Promise<AccountStatus> {
  const { rows } = await sql<{
    standing: AccountStatus | null
  }>`select account_standing(${path}::ltree) as standing`.execute(db)
  return rows[0]?.standing ?? 'closed'
}

/**
 * Refuses to send anything for an account that is suspended, or stands below one that is. The answer holds until the
 * transaction ends; ask before locking anything that a suspension locks as well.
 */
export async function assertMaySend(db: Db, path: string): Promise<void> {
  const { rows } = await sql<{
    standing: AccountStatus | null
  }>`select hold_standing(${path}::ltree) as standing`.execute(db)
  if (rows[0]?.standing !== 'active')
    throw new Problem('account_suspended', 'This account is suspended: contact your account manager')
}

/** Waits for what is being sent on the strength of the account's status, before that is changed. */
export async function lockStanding(db: Db, path: string): Promise<void> {
  await sql`select change_standing(${path}::ltree)`.execute(db)
}
