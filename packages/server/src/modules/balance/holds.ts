import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { getBalance } from './get-balance.ts'
import { assertLedgerSound } from './prove-ledger.ts'
import { formatShortage } from './rupees.ts'

export type NewHold = {
  organizationId: string
  /** The acting account; the money is from its own balance or its organisation's. */
  accountId: string
  amount: number
  /** Idempotency key: a repeated start places one hold. */
  opKey: string
}

/** Reserves an amount with one conditional update, or throws with the exact shortfall. */
export async function placeHold(
  db: Db,
  { organizationId, accountId, amount, opKey }: NewHold,
): Promise<{ id: string }> {
  const { rows } = await sql<{ id: string | null }>`
    select place_hold(${organizationId}::uuid, ${newId()}::uuid,
      coalesce(paying_balance(${organizationId}::uuid, ${accountId}::uuid),
        ledger_account_of(${organizationId}::uuid, ${organizationId}::uuid, 'balance')),
      ${amount}::bigint, ${opKey}) as id`.execute(db)
  const id = rows[0]?.id
  if (id) return { id }

  const { available } = await getBalance(db, { organizationId, accountId })
  if (available >= amount) await assertLedgerSound(db, organizationId)
  throw insufficientBalance({ needed: Math.max(amount, available + 1), available })
}

/** The exact shortfall. */
export function insufficientBalance(units: { needed: number; available: number }): Problem {
  const { short, needed, available } = formatShortage(units.needed, units.available)
  return new Problem(
    'insufficient_balance',
    `The balance is ₹${short} short: ₹${needed} needed, ₹${available} available`,
    { details: [{ field: 'shortfall', message: short }] },
  )
}

export type Capture = { organizationId: string; holdId: string; amount: number; opKey: string; reference: string }

/** Spends from a hold; a second capture with the same key has no effect. */
export async function captureHold(
  db: Db,
  { organizationId, holdId, amount, opKey, reference }: Capture,
): Promise<void> {
  await sql`select capture_hold(${organizationId}::uuid, ${holdId}::uuid, ${amount}::bigint, ${opKey}, ${reference})`.execute(
    db,
  )
}

/** Returns the uncaptured amount; a second release has no effect. */
export async function releaseHold(
  db: Db,
  { organizationId, holdId }: { organizationId: string; holdId: string },
): Promise<{ released: number }> {
  const { rows } = await sql<{
    released: number
  }>`select release_hold(${organizationId}::uuid, ${holdId}::uuid) as released`.execute(db)
  return { released: rows[0]?.released ?? 0 }
}
