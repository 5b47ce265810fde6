import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { recordEvents } from '../../../events/record-events.ts'
import type { Actor } from './record-changes.ts'

/**
 * Unassigns the conversations of members who cannot answer any more: their account is not active, or has no module `chat`. While
 * the whole organization is suspended, its members keep what they hold. With a path, only of accounts below it.
 */
export async function releaseHeld(db: Db, path?: string): Promise<void> {
  await release(
    db,
    sql`
      with holder as materialized (
        select member.organization_id, member.id, member.name, member.path from accounts member
        where (${path ?? null}::ltree is null or member.path <@ ${path ?? null}::ltree)
          and exists (select from conversations held
            where held.organization_id = member.organization_id and held.assignee_id = member.id and held.status <> 'resolved')
      ), gone as materialized (
        select * from holder
        where (account_status_of(path) <> 'active' or id not in (select accounts_with_module(array(select id from holder), 'chat')))
          and account_status_of((
            select founder.path from members_of(holder.organization_id) founder where founder.id = holder.organization_id)) = 'active'
      )
      select gone.organization_id, gone.id as holder_id, gone.name, held.id from gone
      join conversations held on held.organization_id = gone.organization_id and held.assignee_id = gone.id`,
  )
}

/**
 * Unassigns conversations that are not resolved, which their threads show. `held` selects `organization_id` and `id` of conversations,
 * and `holder_id` and `name` of the members who lose them.
 */
export async function release(db: Db, held: RawBuilder<unknown>, actor?: Actor): Promise<void> {
  const { rows } = await sql<{ organizationId: string; chatId: string; id: string }>`
    with held as materialized (${held}), locked as (
      select conversation.organization_id, conversation.id, held.holder_id, held.name from conversations conversation
      join held on held.organization_id = conversation.organization_id and held.id = conversation.id
        and held.holder_id = conversation.assignee_id
      where conversation.status <> 'resolved'
      order by conversation.organization_id, conversation.id for update of conversation
    ), released as (
      update conversations conversation set assignee_id = null, assigned_at = null from locked
      where conversation.organization_id = locked.organization_id and conversation.id = locked.id
      returning conversation.organization_id, conversation.id, conversation.revision, locked.holder_id, locked.name
    ), added as (
      insert into conversation_events (organization_id, conversation_id, id, kind, actor_id, impersonated_by, details, revision)
      select organization_id, id, gen_random_uuid(), 'unassigned', ${actor?.accountId ?? null}::uuid, ${actor?.impersonatedBy ?? null}::uuid,
        jsonb_build_object('assignee', name, 'assigneeId', holder_id), revision
      from released
      returning organization_id, conversation_id, id
    )
    select organization_id as "organizationId", conversation_id as "chatId", id from added`.execute(db)
  await recordEvents(
    db,
    rows.map(({ organizationId, chatId, id }) => ({
      type: 'thread.changed' as const,
      organizationId,
      subjectIds: [id],
      payload: { chatId },
    })),
  )
}
