import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { getBalance } from './get-balance.ts'
import { assertLedgerSound } from './prove-ledger.ts'
import { formatShortage } from './rupees.ts'

export type NewHold = {
  organizationId: string
  /** Whose deed it is; the money is its own balance's or its organisation's. */
  accountId: string
  amount: number
  /** The same key gives the same hold: a repeated start holds once. */
  opKey: string
}

/** Sets money aside in one guarded update, or refuses with the exact shortfall. */
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
  const { short, needed, available: left } = formatShortage(Math.max(amount, available + 1), available)
  throw new Problem('insufficient_balance', `The balance is ₹${short} short: ₹${needed} needed, ₹${left} available`, {
    details: [{ field: 'shortfall', message: short }],
  })
}

export type Capture = { organizationId: string; holdId: string; amount: number; opKey: string; reference: string }

/** Spends from a hold; a second capture under the same key changes nothing. */
export async function captureHold(
  db: Db,
  { organizationId, holdId, amount, opKey, reference }: Capture,
): Promise<void> {
  await sql`select capture_hold(${organizationId}::uuid, ${holdId}::uuid, ${amount}::bigint, ${opKey}, ${reference})`.execute(
    db,
  )
}

/** Gives back what was not captured; a second release gives back nothing. */
export async function releaseHold(
  db: Db,
  { organizationId, holdId }: { organizationId: string; holdId: string },
): Promise<{ released: number }> {
  const { rows } = await sql<{
    released: number
  }>`select release_hold(${organizationId}::uuid, ${holdId}::uuid) as released`.execute(db)
  return { released: rows[0]?.released ?? 0 }
}
