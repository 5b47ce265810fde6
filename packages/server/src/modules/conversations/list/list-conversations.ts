import type { Conversation } from '@carillon/contract/conversation-records'
import type { Data } from '@carillon/contract/endpoint'
import type { conversationEndpoints } from '@carillon/contract/conversations'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { loadReach, type Reach } from '../access/sees.ts'
import { readCursor } from '../access/snapshots.ts'
import { presentConversation, readConversationRows } from './conversation-rows.ts'
import { writeCursor } from './cursor.ts'
import { inBox, matching, type ListQuery } from './filter.ts'
import { readPosition, scan, sectionsOf, writePosition, type Position } from './orders.ts'

type Page = Data<(typeof conversationEndpoints)['conversations.list']>

export async function listConversations(
  db: Db,
  { actor, query }: { actor: UserActor; query: ListQuery },
): Promise<Page> {
  const parts = sectionsOf(query)
  const after = query.after === undefined ? undefined : readPosition(query.after, parts.length)
  const [{ cursor, now }, reach] = await Promise.all([readCursor(db), loadReach(db, actor)])
  const found: { conversation: Conversation; position: Position }[] = []
  for (let section = after?.section ?? 0; section < parts.length && found.length <= query.limit; section += 1) {
    const from = after?.section === section ? after : undefined
    // One more than asked for: then there is a next page.
    found.push(...(await readSection(db, { reach, query, section, from, limit: query.limit + 1 - found.length })))
  }
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  return {
    conversations: page.map(({ conversation }) => conversation),
    ...(found.length > query.limit && last && { next: writePosition(last.position) }),
    cursor: writeCursor(cursor, reach),
    now: now.toISOString(),
  }
}

type Wanted = { reach: Reach; query: ListQuery; section: number; from: Position | undefined; limit: number }

async function readSection(db: Db, { reach, query, section, from, limit }: Wanted) {
  const part = sectionsOf(query)[section]
  if (!part) return []
  const { where, orderBy, micros, direction } = scan(part, from)
  const rows = await readConversationRows<{ micros: number }>(db, {
    organizationId: reach.organizationId,
    chosen: sql`
      select conversation.*, ${micros} as micros from conversations conversation
      where ${matching(query, reach)} and ${inBox(query.box, reach)} and ${where}
      order by ${orderBy} limit ${limit}`,
    order: sql`chosen.micros ${direction}, chosen.id ${direction}`,
  })
  return rows.map((row) => ({
    conversation: presentConversation(row),
    position: { section, micros: row.micros, id: row.id },
  }))
}
