import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { failPoint } from '../../lib/fail-points.ts'
import { newId } from '../../lib/ids.ts'
import { conflict, notFound, Problem } from '../../lib/problem.ts'
import { isFounder, type AccountRow } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { formatRupees, formatShortage } from './rupees.ts'

export type BalanceMove = {
  actor: UserActor
  fromAccount: string
  toAccount: string
  /** Ledger units. */
  amountUnits: number
  /** Idempotency key. */
  opKey?: string
  note: string
  kind?: 'transfer_in' | 'topup'
}

/** One side of a transfer: the account and its ledger account. */
type Side = { account: AccountRow; ledgerAccount: string }

/**
 * The only way balance moves between accounts: from the actor to an account below, back, or between two below. Admins issue
 * and destroy balance; others transfer what they have, up to the available amount. Transfers to oneself are rejected.
 */
export async function moveBalance(db: Db, move: BalanceMove): Promise<void> {
  const { actor, amountUnits, opKey = `move:${newId()}`, kind = 'transfer_in' } = move
  const [from, to] = await settleSides(db, move)
  failPoint('move-before-entries')
  const { rows } = await sql<{ available: number | null }>`
    select move_money(${from.account.organization_id}::uuid, ${from.ledgerAccount}::uuid, ${to.account.organization_id}::uuid,
      ${to.ledgerAccount}::uuid, ${amountUnits}::bigint, ${opKey}, ${kind},
      ${describe('To', nameFor(move, { seenBy: from, other: to }), move.note)},
      ${describe('From', nameFor(move, { seenBy: to, other: from }), move.note)}) as available`.execute(db)
  failPoint('move-after-entries')
  const available = rows[0]?.available
  if (typeof available === 'number') throw tooLittle({ actor, from: from.account, available, wanted: amountUnits })

  const organizations = new Set([actor.organizationId, from.account.organization_id, to.account.organization_id])
  for (const organizationId of [...organizations].sort())
    await recordAudit(db, {
      organizationId,
      ...whoActs(actor),
      action: 'balance.moved',
      object: { type: 'account', id: to.account.id === actor.accountId ? from.account.id : to.account.id },
      details: { from: from.account.id, to: to.account.id, amount: formatRupees(amountUnits), note: move.note },
    })
}

async function settleSides(db: Db, { actor, fromAccount, toAccount }: BalanceMove): Promise<[Side, Side]> {
  if (fromAccount === toAccount) throw new Problem('forbidden', 'Balance cannot be moved from an account to itself')
  const rows = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', [fromAccount, toAccount])
    .where(within(actor.scope))
    .execute()
  const from = rows.find(({ id }) => id === fromAccount)
  const to = rows.find(({ id }) => id === toAccount)
  if (!from || !to) throw notFound('User')
  if (to.status === 'closed') throw conflict('This account is closed and cannot receive balance')
  return [await sideOf(db, actor, from), await sideOf(db, actor, to)]
}

async function sideOf(db: Db, actor: UserActor, account: AccountRow): Promise<Side> {
  if (account.id === actor.accountId && account.role === 'admin')
    return { account, ledgerAccount: await ledgerAccountOf(db, account, 'issuance') }
  if (isFounder(account)) return { account, ledgerAccount: await ledgerAccountOf(db, account, 'balance') }
  const own = await findOwnBalance(db, account)
  if (own) return { account, ledgerAccount: own }
  throw conflict(
    account.id === actor.accountId
      ? 'You use your organisation’s balance: only your manager can move it'
      : `${account.name} uses its organisation’s balance: give it a separate balance first`,
  )
}

async function ledgerAccountOf(db: Db, account: AccountRow, kind: 'balance' | 'issuance'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select ledger_account_of(${account.organization_id}::uuid, ${account.id}::uuid, ${kind}) as id`.execute(db)
  if (!rows[0]) throw new Error('A ledger account could not be made')
  return rows[0].id
}

/** The separate balance of an organisation's member. */
export async function findOwnBalance(db: Db, account: AccountRow): Promise<string | undefined> {
  const row = await db
    .selectFrom('ledger_accounts')
    .select('id')
    .where('organization_id', '=', account.organization_id)
    .where('account_id', '=', account.id)
    .where('kind', '=', 'balance')
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/** Customers of a reseller do not see each other's names; the account above is named. */
function nameFor({ actor }: BalanceMove, { seenBy, other }: { seenBy: Side; other: Side }): string {
  if (other.account.id === seenBy.account.parent_id) return other.account.name
  const isStranger =
    seenBy.account.id !== actor.accountId && other.account.organization_id !== seenBy.account.organization_id
  return isStranger ? 'your provider' : other.account.name
}

function describe(direction: string, name: string, note: string): string {
  return note ? `${direction} ${name}: ${note}` : `${direction} ${name}`
}

type Shortage = { actor: UserActor; from: AccountRow; available: number; wanted: number }

function tooLittle({ actor, from, available, wanted }: Shortage): Problem {
  const { short, needed, available: left } = formatShortage(wanted, available)
  const whose = from.id === actor.accountId ? 'Your balance' : `The balance of ${from.name}`
  return new Problem('insufficient_balance', `${whose} is ₹${short} short: ₹${needed} needed, ₹${left} available`, {
    details: [{ field: 'shortfall', message: short }],
  })
}
