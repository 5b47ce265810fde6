import type { Conversation, ThreadItemOf } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { readAllReaches } from '../access/read-reaches.ts'
import { readVisible } from '../realtime/pushed-conversations.ts'
import { roomsOfConversation, roomsOfMember } from '../realtime/rooms.ts'
import { readItemsOfAll } from '../thread/read-items.ts'

type ChatKey = { organizationId: string; chatId: string }

/** A conversation, and the rooms of the members who see it. */
export type PublishedConversation = { conversation: Conversation; rooms: readonly string[] }

/** Conversations of any organizations by id. For the system role. */
export async function readPublished(
  db: Db,
  keys: readonly ChatKey[],
): Promise<ReadonlyMap<string, PublishedConversation>> {
  const visible = await readVisible(db, keys)
  return new Map(
    visible.map((found) => [found.key.id, { conversation: found.conversation, rooms: roomsOfConversation(found) }]),
  )
}

/** The rooms of accounts by their ids: an account sees a conversation if they have one in common. For the system role. */
export async function readRoomsOfMembers(
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (accountIds.length === 0) return new Map()
  const reaches = await readAllReaches(db, accountIds)
  return new Map(reaches.map((reach) => [reach.accountId, new Set(roomsOfMember(reach))]))
}

export type PublishedMessage = PublishedConversation & { message: ThreadItemOf<'inbound'> }

/** Inbound messages by id, without those that only change another message. For the system role. */
export async function readPublishedMessages(
  db: Db,
  received: readonly { organizationId: string; id: string }[],
): Promise<ReadonlyMap<string, PublishedMessage>> {
  if (received.length === 0) return new Map()
  const { rows } = await sql<{ organizationId: string; id: string; chatId: string }>`
    select message.organization_id as "organizationId", message.id, message.conversation_id as "chatId"
    from unnest(${received.map(({ organizationId }) => organizationId)}::uuid[], ${received.map(({ id }) => id)}::uuid[])
      as asked (organization_id, id)
    join inbound_messages message on message.organization_id = asked.organization_id and message.id = asked.id
    where message.conversation_id is not null`.execute(db)
  const visible = await readVisible(db, rows)
  const idsByChat = Map.groupBy(rows, ({ chatId }) => chatId)
  const asked = visible.map(({ key }) => ({ key, ids: (idsByChat.get(key.id) ?? []).map(({ id }) => id) }))
  const items = await readItemsOfAll(db, asked)
  const ids = new Set(rows.map(({ id }) => id))
  return new Map(
    visible.flatMap((found) =>
      (items.get(found.key.id) ?? []).flatMap((item): [string, PublishedMessage][] =>
        item.kind === 'inbound' && ids.has(item.id)
          ? [[item.id, { message: item, conversation: found.conversation, rooms: roomsOfConversation(found) }]]
          : [],
      ),
    ),
  )
}
