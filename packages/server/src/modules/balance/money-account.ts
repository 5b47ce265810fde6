import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { getAccount, isFounder, type AccountRow } from '../accounts/index.ts'
import { findOwnBalance } from './move-balance.ts'

/** The account whose money is shown, and its ledger account. */
export type MoneyAccount = {
  account: AccountRow
  organizationId: string
  /** Undefined before the first transaction. */
  ledgerAccount: string | undefined
  /** Whether the balance is its own; a member without one uses the organisation's, and sees only its own usage. */
  isOwn: boolean
}

/** For an admin: what they have issued. */
export async function findMoneyAccount(
  db: Db,
  { actor, userId = actor.accountId }: { actor: UserActor; userId?: string | undefined },
): Promise<MoneyAccount> {
  const account = await getAccount(db, { id: userId, scope: actor.scope })
  const organizationId = account.organization_id
  if (isFounder(account)) {
    const kind = account.role === 'admin' ? 'issuance' : 'balance'
    return { account, organizationId, ledgerAccount: await findLedgerAccount(db, organizationId, kind), isOwn: true }
  }
  const own = await findOwnBalance(db, account)
  const ledgerAccount = own ?? (await findLedgerAccount(db, organizationId, 'balance'))
  return { account, organizationId, ledgerAccount, isOwn: own !== undefined }
}

async function findLedgerAccount(
  db: Db,
  organizationId: string,
  kind: 'balance' | 'issuance',
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from ledger_accounts
    where organization_id = ${organizationId}::uuid and account_id = ${organizationId}::uuid and kind = ${kind}`.execute(
    db,
  )
  return rows[0]?.id
}
