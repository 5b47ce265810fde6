import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { CampaignKey } from './campaign-numbers.ts'

/** Recipients who had reached the organisation's cap on marketing campaigns and get the message later. */
export type Postponed = { people: number; from: Date; until: Date }

/** Undefined if no one is postponed. */
export async function findPostponed(
  db: Db,
  { organizationId, campaignId }: CampaignKey,
): Promise<Postponed | undefined> {
  const { rows } = await sql<Postponed>`
    select count(*)::int as people, min(due_at) as "from", max(due_at) as until from retries
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid and is_entry and reason = 'frequency_capped'
    having count(*) > 0`.execute(db)
  return rows[0]
}
