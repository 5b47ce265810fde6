import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'

/**
 * Writes the results of people who had opted out when the campaign was validated and are no recipients of its first legs. Called in the
 * transaction that starts the campaign, after its chunks are planned.
 */
export async function skipExcluded(
  db: Db,
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
): Promise<void> {
  await sql`select skip_excluded(${organizationId}::uuid, ${campaignId}::uuid)`.execute(db)
}
