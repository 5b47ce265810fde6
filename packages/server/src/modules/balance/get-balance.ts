import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/** In ledger units of 1/10,000 rupee. */
export type Balance = { posted: number; held: number; available: number }

/** The balance the account uses: its own if it has one, else its organisation's. */
export async function getBalance(
  db: Db,
  { organizationId, accountId = organizationId }: { organizationId: string; accountId?: string },
): Promise<Balance> {
  const { rows } = await sql<Balance>`
    select posted, held, posted - held as available
    from ledger_accounts
    where organization_id = ${organizationId}::uuid and id = paying_balance(${organizationId}::uuid, ${accountId}::uuid)`.execute(
    db,
  )
  return rows[0] ?? { posted: 0, held: 0, available: 0 }
}
