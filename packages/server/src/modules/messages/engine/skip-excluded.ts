import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'

/**
 * Writes the results of recipients that legs skip from the start. Called in the transaction that plans the legs, after their chunks are
 * planned.
 */
export async function skipExcluded(
  db: Db,
  { organizationId, campaignId, legs }: { organizationId: string; campaignId: string; legs: readonly number[] },
): Promise<void> {
  await sql`select skip_excluded(${organizationId}::uuid, ${campaignId}::uuid, ${legs}::smallint[])`.execute(db)
}
