import type { ThreadItem } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import { eachAsSystem, type Database } from '../../../db/pool.ts'
import type { EventOf } from '../../../events/domain-events.ts'
import type { Realtime } from '../../../realtime/realtime.ts'
import { presentRows } from '../thread/present-item.ts'
import { readItemsOfAll } from '../thread/read-items.ts'
import { isAnnotation, noReferences, noRows } from '../thread/references.ts'
import { inboundColumns, type InboundRow } from '../thread/thread-rows.ts'
import { ofConnected, readPushed, type PushedConversation } from './pushed-conversations.ts'
import { roomsOfConversation } from './rooms.ts'

type Deps = { database: Database; realtime: Realtime }

type ReceivedRow = InboundRow & { organization_id: string; conversation_id: string; channel: string }

/** Pushes new inbound messages to those who see their conversations. */
export async function pushMessages(
  { database, realtime }: Deps,
  events: readonly EventOf<'message.received'>[],
): Promise<void> {
  const rows = await readReceived(database, ofConnected(realtime, events))
  const keys = rows.map((row) => ({ organizationId: row.organization_id, chatId: row.conversation_id }))
  const conversations = new Map((await readPushed(database, keys)).map((pushed) => [pushed.key.id, pushed]))
  const referring: ReceivedRow[] = []
  for (const row of rows) {
    const pushed = conversations.get(row.conversation_id)
    if (!pushed) continue
    // What refers to another message is read with it.
    if (row.in_reply_to === null) pushItem(realtime, pushed, { row, item: presentReceived(pushed, row) })
    else referring.push(row)
  }
  await pushReferring({ database, realtime }, { conversations, referring })
}

async function readReceived(
  database: Database,
  events: readonly EventOf<'message.received'>[],
): Promise<ReceivedRow[]> {
  if (events.length === 0) return []
  const received = events.flatMap(({ organizationId, subjectIds }) => subjectIds.map((id) => ({ organizationId, id })))
  const organizations = received.map(({ organizationId }) => organizationId)
  const { rows } = await eachAsSystem(database, (db) =>
    sql<ReceivedRow>`
      select organization_id, conversation_id, channel::text, ${inboundColumns}
      from unnest(${organizations}::uuid[], ${received.map(({ id }) => id)}::uuid[]) as asked (organization_id, id)
      join inbound_messages using (organization_id, id)
      where conversation_id is not null
      order by received_at, id`.execute(db),
  )
  return rows
}

function presentReceived({ key }: PushedConversation, row: InboundRow): ThreadItem | undefined {
  return presentRows(key.channel, { ...noRows, inbound: [row] }, noReferences)[0]?.item
}

type Referring = { conversations: ReadonlyMap<string, PushedConversation>; referring: readonly ReceivedRow[] }

async function pushReferring({ database, realtime }: Deps, { conversations, referring }: Referring): Promise<void> {
  const rowById = new Map(referring.map((row) => [row.id, row]))
  const idsByChat = Map.groupBy(referring, (row) => row.conversation_id)
  const asked = [...idsByChat].flatMap(([chatId, rows]) => {
    const pushed = conversations.get(chatId)
    return pushed ? [{ key: pushed.key, ids: rows.map(({ id }) => id) }] : []
  })
  if (asked.length === 0) return
  const found = await eachAsSystem(database, (db) => readItemsOfAll(db, asked))
  for (const [chatId, items] of found) {
    const pushed = conversations.get(chatId)
    for (const item of items) if (pushed) pushItem(realtime, pushed, { row: rowById.get(item.id), item })
  }
}

type Item = { /** Of a new message. */ row: InboundRow | undefined; item: ThreadItem | undefined }

/** A reaction or a change of a message, and what a blocked person writes, calls for nothing, so it is no incoming message. */
function pushItem(realtime: Realtime, pushed: PushedConversation, { row, item }: Item): void {
  if (!item) return
  const rooms = roomsOfConversation(pushed)
  const { conversation } = pushed
  const { chatId, channel, phoneNumber = '', name } = conversation
  if (!row || isAnnotation(row) || conversation.isBlocked)
    return realtime.chat({ event: 'threadItem', payload: { chatId, item }, rooms })
  const { id: messageId, text, at } = row
  const payload = {
    channel,
    chatId,
    messageId,
    senderPhoneNumber: phoneNumber,
    text,
    sendTime: at.toISOString(),
    name,
    item,
  }
  realtime.chat({ event: 'message', payload, rooms })
}

/** Pushes new and changed items of threads: replies, notes, events, and media that arrived. */
export async function pushItems(
  { database, realtime }: Deps,
  events: readonly EventOf<'thread.changed'>[],
): Promise<void> {
  const byChat = Map.groupBy(ofConnected(realtime, events), ({ payload }) => payload.chatId)
  const keys = [...byChat].flatMap(([chatId, [event]]) => (event ? [{ ...event, chatId }] : []))
  const conversations = await readPushed(database, keys)
  if (conversations.length === 0) return
  const asked = conversations.map(({ key }) => ({
    key,
    ids: (byChat.get(key.id) ?? []).flatMap(({ subjectIds }) => subjectIds),
  }))
  const found = await eachAsSystem(database, (db) => readItemsOfAll(db, asked))
  for (const pushed of conversations) {
    const { chatId } = pushed.conversation
    const rooms = roomsOfConversation(pushed)
    for (const item of found.get(chatId) ?? []) realtime.chat({ event: 'threadItem', payload: { chatId, item }, rooms })
  }
}
