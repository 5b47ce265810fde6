import type { Database } from '../../db/pool.ts'

/** Partitions of coming days are made well ahead: while a worker is down, others go on. */
const daysAhead = 14

/** Creates partitions of coming days, and drops those that are no longer retained. */
export async function keepDays({ systemPool }: Database, retentionDays: number): Promise<void> {
  await systemPool.query('select ensure_webhook_days(current_date - 1, current_date + $1::int)', [daysAhead])
  await systemPool.query('select drop_webhook_days($1::int)', [retentionDays])
}
