import type { Viewer } from '@carillon/contract/conversation-records'
import { sql, type RawBuilder } from 'kysely'
import { eachAsSystem, type Database, type Db } from '../../../db/pool.ts'
import type { EventOf } from '../../../events/domain-events.ts'
import { openRoom, type OpenChat } from '../../../realtime/chat-sockets.ts'
import type { Realtime } from '../../../realtime/realtime.ts'

/** A browser that stopped reporting is gone after this time. */
export const viewerSeconds = 30

/** How long a viewer may be shown after that. */
export const viewerSweepMs = 10_000

type ChatKey = { organizationId: string; id: string }

/** Members who have a conversation open, by name. */
export async function readViewers(db: Db, { organizationId, id }: ChatKey): Promise<Viewer[]> {
  const names = sql`member_names(${organizationId}::uuid, array(select account_id from viewers))`
  const keys = [{ organizationId, chatId: id }]
  return (await readByChat(db, { keys, names })).map(({ chatId: _chatId, ...viewer }) => viewer)
}

type ViewerOf = Viewer & { chatId: string }

async function readByChat(
  db: Db,
  { keys, names }: { keys: readonly OpenChat[]; names: RawBuilder<unknown> },
): Promise<ViewerOf[]> {
  const organizations = keys.map(({ organizationId }) => organizationId)
  const { rows } = await sql<ViewerOf>`
    with viewers as materialized (
      select conversation_id, account_id, is_replying
      from unnest(${organizations}::uuid[], ${keys.map(({ chatId }) => chatId)}::uuid[]) as asked (organization_id, conversation_id)
      join conversation_viewers using (organization_id, conversation_id)
      where seen_at > clock_timestamp() - ${sql.lit(viewerSeconds)} * interval '1 second'
    )
    select conversation_id as "chatId", account_id as "_id", coalesce(member.name, '') as name, is_replying as "isReplying"
    from viewers
    left join ${names} member on member.id = viewers.account_id
    order by name, "_id"`.execute(db)
  return rows
}

/** Pushes who has a conversation open, to those of this process who have it open too. */
export function createViewerPushes({ database, realtime }: { database: Database; realtime: Realtime }) {
  /** The viewers last pushed, by conversation. */
  let pushed = new Map<string, string>()

  async function push(chats: readonly OpenChat[]): Promise<Map<string, string>> {
    if (chats.length === 0) return new Map()
    const found = await eachAsSystem(database, (db) => readByChat(db, { keys: chats, names: sql`accounts` }))
    const byChat = Map.groupBy(found, ({ chatId }) => chatId)
    return new Map(
      chats.map(({ chatId }) => {
        const viewers = (byChat.get(chatId) ?? []).map(({ chatId: _chatId, ...viewer }) => viewer)
        const state = JSON.stringify(viewers)
        if (pushed.get(chatId) !== state)
          realtime.chat({ event: 'viewers', payload: { chatId, viewers }, rooms: [openRoom(chatId)] })
        return [chatId, state]
      }),
    )
  }

  return {
    async handle(events: readonly EventOf<'viewers.changed'>[]): Promise<void> {
      const changed = new Set(events.flatMap(({ subjectIds }) => subjectIds))
      const chats = realtime.openChats().filter(({ chatId }) => changed.has(chatId))
      for (const { chatId } of chats) pushed.delete(chatId)
      for (const [chatId, state] of await push(chats)) pushed.set(chatId, state)
    },
    /** Finds viewers whose browsers stopped reporting. */
    async sweep(): Promise<void> {
      pushed = await push(realtime.openChats())
    },
  }
}
