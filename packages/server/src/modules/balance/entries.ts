import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export type MoneyMove = {
  organizationId: string
  /** Whose balance it was paid from: its own, or its organisation's. */
  accountId: string
  amount: number
  opKey: string
  reference: string
}

/** Gives back what was spent on messages that failed. */
export async function refund(
  db: Db,
  { organizationId, accountId, amount, opKey, reference }: MoneyMove,
): Promise<void> {
  await sql`select refund_spent(${organizationId}::uuid, paying_balance(${organizationId}::uuid, ${accountId}::uuid), ${amount}::bigint, ${opKey}, ${reference})`.execute(
    db,
  )
}

/** Takes again what was given back for messages that were delivered after all; what the balance lacks is written to loss. */
export async function recharge(
  db: Db,
  { organizationId, accountId, amount, opKey, reference }: MoneyMove,
): Promise<void> {
  await sql`select recharge_spent(${organizationId}::uuid, paying_balance(${organizationId}::uuid, ${accountId}::uuid), ${amount}::bigint, ${opKey}, ${reference})`.execute(
    db,
  )
}

export type Issue = {
  /** Who brings the money into the world; its issuance account goes below zero. */
  issuer: { organizationId: string; accountId: string }
  organizationId: string
  accountId: string
  amount: number
  opKey: string
  reference: string
}

/**
 * Tops a balance up. Two entries, one in each organisation, meet over their clearing accounts; each happens once, so a
 * repeat after a crash completes what is missing.
 */
export async function issue(
  db: Db,
  { issuer, organizationId, accountId, amount, opKey, reference }: Issue,
): Promise<void> {
  await sql`select post_entry(${issuer.organizationId}::uuid, ${`${opKey}:out`}, 'issue',
    ledger_account_of(${issuer.organizationId}::uuid, ${issuer.accountId}::uuid, 'issuance'),
    ledger_account_of(${issuer.organizationId}::uuid, ${issuer.organizationId}::uuid, 'clearing'),
    ${amount}::bigint, ${reference})`.execute(db)
  await sql`select post_entry(${organizationId}::uuid, ${`${opKey}:in`}, 'transfer_in',
    ledger_account_of(${organizationId}::uuid, ${organizationId}::uuid, 'clearing'),
    ledger_account_of(${organizationId}::uuid, ${accountId}::uuid, 'balance'),
    ${amount}::bigint, ${reference})`.execute(db)
}
