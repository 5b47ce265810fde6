import type { conversationEndpoints } from '@carillon/contract/conversations'
import type { Input } from '@carillon/contract/endpoint'
import { sql, type RawBuilder } from 'kysely'
import { sees, type Reach } from '../access/sees.ts'

export type ListQuery = Input<(typeof conversationEndpoints)['conversations.list']>['query']
export type ConversationFilter = Omit<ListQuery, 'order' | 'after' | 'limit' | 'box'>

export const closingSoonHours = 2

/** Conditions on `closes_at`, the minute of `window_expires_at`, limit what is read of the index. */
export const isOpen = sql<boolean>`(conversation.window_expires_at > now() and conversation.closes_at > now() - interval '1 minute')`
export const isClosed = sql<boolean>`(conversation.window_expires_at <= now() and conversation.closes_at <= now())`
const soon = sql`now() + ${sql.lit(closingSoonHours)} * interval '1 hour'`
export const closesSoon = sql<boolean>`(${isOpen} and conversation.window_expires_at <= ${soon} and conversation.closes_at <= ${soon})`

/** Conversations that the member sees and the filter lets through. */
export function matching(filter: ConversationFilter, reach: Reach): RawBuilder<boolean> {
  const { status, channel, line, assignee, team, label, handledBy, unread, closingSoon } = filter
  const conditions = [
    sees(reach),
    ...statusConditions(status),
    ...(channel ? [sql`conversation.channel = ${channel}::channel`] : []),
    ...(line ? [sql`conversation.sender_id = ${line}::uuid`] : []),
    ...(assignee ? [sql`conversation.assignee_id = ${assignee}::uuid`] : []),
    ...(team ? [sql`conversation.team_id = ${team}::uuid`] : []),
    ...(label ? [sql`${label} = any(conversation.labels)`] : []),
    ...(handledBy ? [sql`conversation.held_by = ${handledBy}`] : []),
    ...(unread ? [unread === 'true' ? sql`conversation.is_unread` : sql`not conversation.is_unread`] : []),
    ...(closingSoon ? [closingSoon === 'true' ? closesSoon : sql`${closesSoon} is not true`] : []),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Literals, because the indexes are partial. */
function statusConditions(status: ConversationFilter['status']): RawBuilder<unknown>[] {
  if (status === 'resolved') return [sql`conversation.status = 'resolved'`]
  const active = sql`conversation.status <> 'resolved'`
  return status === 'active' ? [active] : [active, sql`conversation.status = ${sql.lit(status)}`]
}

export function inBox(box: ListQuery['box'], { accountId }: Reach): RawBuilder<boolean> {
  if (box === 'mine') return sql<boolean>`conversation.assignee_id = ${accountId}::uuid`
  return box === 'unassigned' ? sql<boolean>`conversation.assignee_id is null` : sql<boolean>`true`
}
