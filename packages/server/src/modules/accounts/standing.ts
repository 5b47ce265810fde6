import type { AccountStatus } from '@carillon/contract/accounts'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { Problem } from '../../lib/problem.ts'

/** The worst of an account's own status and those above it. */
export async function getStanding(db: Db, path: string): Promise<AccountStatus> {
  const { rows } = await sql<{ standing: AccountStatus | null }>`select account_standing(${path}::ltree) as standing`.execute(db)
  return rows[0]?.standing ?? 'closed'
}

/** Refuses to send anything for an account that is suspended, or stands below one that is. */
export async function assertMaySend(db: Db, path: string): Promise<void> {
  if ((await getStanding(db, path)) !== 'active')
    throw new Problem('account_suspended', 'This account is suspended: contact your account manager')
}
