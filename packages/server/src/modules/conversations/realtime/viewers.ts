import type { Viewer } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'

/** A browser that stopped reporting is gone after this time. */
export const viewerSeconds = 30

/** Members who have a conversation open, by name. */
export async function readViewers(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<Viewer[]> {
  const { rows } = await sql<Viewer>`
    with viewers as materialized (
      select account_id, is_replying from conversation_viewers
      where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid
        and seen_at > clock_timestamp() - ${sql.lit(viewerSeconds)} * interval '1 second'
    )
    select viewers.account_id as "_id", coalesce(member.name, '') as name, viewers.is_replying as "isReplying"
    from viewers
    left join member_names(${organizationId}::uuid, array(select account_id from viewers)) member on member.id = viewers.account_id
    order by name, "_id"`.execute(db)
  return rows
}
