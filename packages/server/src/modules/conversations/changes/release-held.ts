import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { recordEvents } from '../../../events/record-events.ts'

/**
 * Unassigns the open conversations of members who cannot answer any more: their account is not active, or has no module `chat`. While
 * the whole organization is suspended, its members keep what they hold. With a path, only of accounts below it.
 */
export async function releaseHeld(db: Db, path?: string): Promise<void> {
  const { rows } = await sql<{ organizationId: string; chatId: string; id: string }>`
    with holder as materialized (
      select member.organization_id, member.id, member.name from accounts member
      where (${path ?? null}::ltree is null or member.path <@ ${path ?? null}::ltree)
        and exists (select from conversations held
          where held.organization_id = member.organization_id and held.assignee_id = member.id and held.status <> 'resolved')
        and (account_status_of(member.path) <> 'active' or not 'chat' = any(effective_modules(member.id)))
        and account_status_of((select founder.path from accounts founder where founder.id = member.organization_id)) = 'active'
    ), held as (
      select conversation.organization_id, conversation.id, holder.id as holder_id, holder.name from conversations conversation
      join holder on holder.organization_id = conversation.organization_id and holder.id = conversation.assignee_id
      where conversation.status <> 'resolved'
      order by conversation.organization_id, conversation.id for update of conversation
    ), released as (
      update conversations conversation set assignee_id = null, assigned_at = null from held
      where conversation.organization_id = held.organization_id and conversation.id = held.id
      returning conversation.organization_id, conversation.id, conversation.revision, held.holder_id, held.name
    ), added as (
      insert into conversation_events (organization_id, conversation_id, id, kind, details, revision)
      select organization_id, id, gen_random_uuid(), 'unassigned', jsonb_build_object('assignee', name, 'assigneeId', holder_id), revision
      from released
      returning organization_id, conversation_id, id
    )
    select organization_id as "organizationId", conversation_id as "chatId", id from added`.execute(db)
  await recordEvents(
    db,
    rows.map(({ organizationId, chatId, id }) => ({
      type: 'thread.changed',
      organizationId,
      subjectIds: [id],
      payload: { chatId },
    })),
  )
}
