import type { Conversation } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import { eachAsSystem, type Database } from '../../../db/pool.ts'
import type { DomainEvent, EventOf } from '../../../events/domain-events.ts'
import type { Realtime } from '../../../realtime/realtime.ts'
import { presentConversation, readRowsOfAll } from '../list/conversation-rows.ts'
import type { ThreadKey } from '../thread/thread-rows.ts'
import { membersRoom, roomsOfConversation, type Visibility } from './rooms.ts'

/** A conversation as it is pushed. */
export type PushedConversation = Visibility & { conversation: Conversation; key: ThreadKey }

type ChatKey = { organizationId: string; chatId: string }

/** Conversations of any organizations with who may see them, in one statement. */
export async function readPushed(database: Database, keys: readonly ChatKey[]): Promise<PushedConversation[]> {
  if (keys.length === 0) return []
  const organizations = keys.map(({ organizationId }) => organizationId)
  const rows = await eachAsSystem(database, (db) =>
    readRowsOfAll<{ organization_id: string; assignee_path: string | null }>(db, {
      chosen: sql`
        select conversation.*, holder.path::text as assignee_path
        from (select distinct * from unnest(${organizations}::uuid[], ${keys.map(({ chatId }) => chatId)}::uuid[])) as asked (organization_id, id)
        join conversations conversation on conversation.organization_id = asked.organization_id and conversation.id = asked.id
        left join accounts holder on holder.organization_id = conversation.organization_id and holder.id = conversation.assignee_id`,
    }),
  )
  return rows.map((row) => ({
    organizationId: row.organization_id,
    senderId: row.sender_id,
    teamId: row.team_id,
    assigneeId: row.assignee_id,
    assigneePath: row.assignee_path === null ? [] : row.assignee_path.split('.').map(idOfLabel),
    conversation: presentConversation(row),
    key: {
      organizationId: row.organization_id,
      id: row.id,
      senderId: row.sender_id,
      channel: row.channel,
      phone: row.phone,
    },
  }))
}

/** A label of an account's path is its id without dashes. */
function idOfLabel(label: string): string {
  return label.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Events of organizations with accounts connected to this process. */
export function ofConnected<Event extends DomainEvent>(realtime: Realtime, events: readonly Event[]): Event[] {
  const connected = new Set(realtime.organizations())
  return events.filter(({ organizationId }) => connected.has(organizationId))
}

const mostKnown = 100_000

/**
 * Pushes changed conversations to those who see them. When its assignee, team or line changed, or is first seen by this process, the
 * other members learn that they do not see it.
 */
export function createConversationPushes({ database, realtime }: { database: Database; realtime: Realtime }) {
  /** Who could see each conversation when it was last pushed. */
  const known = new Map<string, string>()

  function isShownToOthers({ senderId, teamId, assigneeId, conversation: { chatId } }: PushedConversation): boolean {
    const visibility = `${senderId} ${teamId} ${assigneeId}`
    const isChanged = known.get(chatId) !== visibility
    if (known.size >= mostKnown) known.clear()
    known.set(chatId, visibility)
    return isChanged
  }

  return async (events: readonly EventOf<'conversation.changed'>[]): Promise<void> => {
    const keys = ofConnected(realtime, events).flatMap(({ organizationId, subjectIds }) =>
      subjectIds.map((chatId) => ({ organizationId, chatId })),
    )
    for (const pushed of await readPushed(database, keys)) {
      const rooms = roomsOfConversation(pushed)
      const { conversation, organizationId } = pushed
      realtime.chat({ event: 'conversation', payload: { conversation }, rooms })
      if (!isShownToOthers(pushed)) continue
      const { chatId, assignee } = conversation
      const payload = { chatId, ...(assignee && { assignee: assignee.name }) }
      realtime.chat({ event: 'conversationGone', payload, rooms: [membersRoom(organizationId)], except: rooms })
    }
  }
}
