import type { AccountStatus } from '@carillon/contract/accounts'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { Problem } from '../../lib/problem.ts'

/** The strictest status of an account and those above it. */
export async function getAccountStatus(db: Db, path: string): Promise<AccountStatus> {
  const { rows } = await sql<{
    status: AccountStatus | null
  }>`select account_status_of(${path}::ltree) as status`.execute(db)
  return rows[0]?.status ?? 'closed'
}

/**
 * Throws if the account or one above it is suspended. The result holds until the transaction ends; call before locking
 * anything that a suspension locks as well.
 */
export async function assertMaySend(db: Db, path: string): Promise<void> {
  if (!(await holdMaySend(db, [path])).has(path)) throw accountSuspended()
}

/** The paths of those accounts that may send: neither they nor one above them is suspended. Holds like `assertMaySend`. */
export async function holdMaySend(db: Db, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ path: string; status: AccountStatus | null }>`
    select path, hold_account_status(path::ltree) as status from unnest(${paths}::text[]) as account (path)`.execute(db)
  return new Set(rows.flatMap(({ path, status }) => (status === 'active' ? [path] : [])))
}

export function accountSuspended(): Problem {
  return new Problem('account_suspended', 'This account is suspended: contact your account manager')
}

/** Waits for sends that rely on the account's status, before the status changes. */
export async function lockAccountStatus(db: Db, path: string): Promise<void> {
  await sql`select lock_account_status(${path}::ltree)`.execute(db)
}
