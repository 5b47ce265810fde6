import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export type MoneyMove = {
  organizationId: string
  /** The account that paid, from its own balance or its organisation's. */
  accountId: string
  amount: number
  opKey: string
  reference: string
}

/** Refunds failed messages. */
export async function refund(
  db: Db,
  { organizationId, accountId, amount, opKey, reference }: MoneyMove,
): Promise<void> {
  await sql`select refund_spent(${organizationId}::uuid, paying_balance(${organizationId}::uuid, ${accountId}::uuid), ${amount}::bigint, ${opKey}, ${reference})`.execute(
    db,
  )
}

/** Charges refunded messages that were delivered after all; a shortfall is booked as loss. */
export async function recharge(
  db: Db,
  { organizationId, accountId, amount, opKey, reference }: MoneyMove,
): Promise<void> {
  await sql`select recharge_spent(${organizationId}::uuid, paying_balance(${organizationId}::uuid, ${accountId}::uuid), ${amount}::bigint, ${opKey}, ${reference})`.execute(
    db,
  )
}

export type Issue = {
  /** The issuing admin, whose issuance account goes below zero. */
  issuer: { organizationId: string; accountId: string }
  organizationId: string
  accountId: string
  amount: number
  opKey: string
  reference: string
}

/**
 * Tops a balance up. Two entries, one in each organisation, are linked by their clearing accounts; each is booked once, so a
 * repeat after a crash completes the rest.
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
