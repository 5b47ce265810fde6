import type { Conversation } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import { eachAsSystem, type Database, type Db } from '../../../db/pool.ts'
import type { DomainEvent, EventOf } from '../../../events/domain-events.ts'
import type { Realtime } from '../../../realtime/realtime.ts'
import { presentConversation, readRowsOfAll } from '../list/conversation-rows.ts'
import { daysOf, type ThreadKey } from '../thread/thread-rows.ts'
import { membersRoom, roomsOfConversation, type Visibility } from './rooms.ts'

/** A conversation as it is pushed. */
export type PushedConversation = Visibility & { conversation: Conversation; key: ThreadKey }

type ChatKey = { organizationId: string; chatId: string }

/** Conversations of any organizations with who may see them, in one statement. */
export async function readPushed(database: Database, keys: readonly ChatKey[]): Promise<PushedConversation[]> {
  return keys.length === 0 ? [] : eachAsSystem(database, (db) => readVisible(db, keys))
}

/** The same in a transaction of the system role. */
export async function readVisible(db: Db, keys: readonly ChatKey[]): Promise<PushedConversation[]> {
  if (keys.length === 0) return []
  const rows = await readRowsOfAll<{ organization_id: string; assignee_path: string | null; days: string[] }>(db, {
    chosen: sql`
      select conversation.*, holder.path::text as assignee_path, ${daysOf('conversation')} as days
      from ${askedFor(keys)}
      join conversations conversation on conversation.organization_id = asked.organization_id and conversation.id = asked.id
      left join accounts holder on holder.organization_id = conversation.organization_id and holder.id = conversation.assignee_id`,
  })
  return rows.map((row) => ({
    ...visibilityOf(row),
    conversation: presentConversation(row),
    key: {
      organizationId: row.organization_id,
      id: row.id,
      senderId: row.sender_id,
      channel: row.channel,
      phone: row.phone,
      days: row.days,
    },
  }))
}

function askedFor(keys: readonly ChatKey[]) {
  const organizations = keys.map(({ organizationId }) => organizationId)
  return sql`(select distinct * from unnest(${organizations}::uuid[], ${keys.map(({ chatId }) => chatId)}::uuid[])) as asked (organization_id, id)`
}

/** Who sees these conversations: the rooms of each, by its id. */
export async function readConversationRooms(
  database: Database,
  keys: readonly ChatKey[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (keys.length === 0) return new Map()
  const { rows } = await eachAsSystem(database, (db) =>
    sql<VisibilityRow>`
      select conversation.organization_id, conversation.id, conversation.sender_id, conversation.team_id, conversation.assignee_id,
        holder.path::text as assignee_path
      from ${askedFor(keys)}
      join conversations conversation on conversation.organization_id = asked.organization_id and conversation.id = asked.id
      left join accounts holder on holder.organization_id = conversation.organization_id and holder.id = conversation.assignee_id`.execute(
      db,
    ),
  )
  return new Map(rows.map((row) => [row.id, roomsOfConversation(visibilityOf(row))]))
}

type VisibilityRow = {
  organization_id: string
  id: string
  sender_id: string
  team_id: string | null
  assignee_id: string | null
  assignee_path: string | null
}

function visibilityOf(row: VisibilityRow): Visibility {
  return {
    organizationId: row.organization_id,
    senderId: row.sender_id,
    teamId: row.team_id,
    assigneeId: row.assignee_id,
    assigneePath: row.assignee_path === null ? [] : row.assignee_path.split('.').map(idOfLabel),
  }
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
 * Pushes changed conversations to those who see them. When its assignee, the accounts above, its team or line changed, or is first seen by this process, the
 * other members learn that they do not see it.
 */
export function createConversationPushes({ database, realtime }: { database: Database; realtime: Realtime }) {
  /** Who could see each conversation when it was last pushed. */
  const known = new Map<string, string>()

  function isShownToOthers({ senderId, teamId, assigneePath, conversation: { chatId } }: PushedConversation): boolean {
    const visibility = `${senderId} ${teamId} ${assigneePath.join('.')}`
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
