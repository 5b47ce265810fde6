import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/**
 * The senders that share a daily messaging limit with this one, itself included. Lines that have not been read since share it
 * by account.
 */
export async function listLimitGroup(
  db: Db,
  { organizationId, senderId }: { organizationId: string; senderId: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with grouped as (
      select id, coalesce(facts ->> 'limitGroup', provider_account_id::text) as limit_group from senders
      where organization_id = ${organizationId}::uuid
    )
    select id from grouped where limit_group = (select limit_group from grouped where id = ${senderId}::uuid)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
