import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { Actor } from '../../http/handlers.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import { getBalance } from './get-balance.ts'
import { formatRupees } from './rupees.ts'

export type BalanceMove = {
  actor: Actor
  fromAccount: string
  toAccount: string
  /** Ledger units. */
  amountUnits: number
  opKey: string
  note: string
}

type Holder = { organizationId: string; accountId: string; role: Actor['role'] }

/**
 * Moves money between two accounts of the actor's reach, once for each `opKey`. What an admin gives is issued; what anybody
 * else gives, he must have. Two entries, one in each organisation, meet over their clearing accounts.
 */
export async function moveBalance(db: Db, move: BalanceMove): Promise<void> {
  const from = await findHolder(db, move.fromAccount)
  const to = await findHolder(db, move.toAccount)
  const issues = from.role === 'admin'
  if (!issues) await assertEnough(db, from, move.amountUnits)
  await sql`select post_entry(${from.organizationId}::uuid, ${`${move.opKey}:out`}, ${issues ? 'issue' : 'transfer_out'},
    ledger_account_of(${from.organizationId}::uuid, ${from.accountId}::uuid, ${issues ? 'issuance' : 'balance'}),
    ledger_account_of(${from.organizationId}::uuid, ${from.organizationId}::uuid, 'clearing'),
    ${move.amountUnits}::bigint, ${move.note})`.execute(db)
  await sql`select post_entry(${to.organizationId}::uuid, ${`${move.opKey}:in`}, 'transfer_in',
    ledger_account_of(${to.organizationId}::uuid, ${to.organizationId}::uuid, 'clearing'),
    ledger_account_of(${to.organizationId}::uuid, ${to.accountId}::uuid, 'balance'),
    ${move.amountUnits}::bigint, ${move.note})`.execute(db)
}

async function findHolder(db: Db, id: string): Promise<Holder> {
  const account = await db
    .selectFrom('accounts')
    .select(['organization_id', 'id', 'role'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!account) throw notFound('User')
  return { organizationId: account.organization_id, accountId: account.id, role: account.role }
}

/** The row is held until the transaction ends: of two moves at once, the second sees what the first left. */
async function assertEnough(db: Db, from: Holder, units: number) {
  await sql`select from ledger_accounts where organization_id = ${from.organizationId}::uuid
    and id = paying_balance(${from.organizationId}::uuid, ${from.accountId}::uuid) for update`.execute(db)
  const { available } = await getBalance(db, from)
  if (available < units)
    throw new Problem(
      'insufficient_balance',
      `The balance is ₹${formatRupees(units - available)} short: ₹${formatRupees(units)} needed, ₹${formatRupees(available)} available`,
    )
}
