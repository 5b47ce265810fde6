import type { Database } from '../../db/pool.ts'

const mostCounted = 100_000

/** Receipts that no receiver has confirmed, up to `mostCounted`. */
export async function countQueuedReceipts({ systemPool }: Database): Promise<number> {
  const { rows } = await systemPool.query<{ count: number }>(
    'select count(*)::int as count from (select from smpp_receipts where due_at <= now() limit $1) counted',
    [mostCounted],
  )
  return rows[0]?.count ?? 0
}
