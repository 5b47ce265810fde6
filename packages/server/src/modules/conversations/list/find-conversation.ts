import type { Conversation } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { notFound } from '../../../lib/problem.ts'
import { loadReach, sees, type Reach } from '../access/sees.ts'
import { readCursor, type Cursor } from '../access/snapshots.ts'
import { daysOf, type ThreadKey } from '../thread/thread-rows.ts'
import { presentConversation, readConversationRows } from './conversation-rows.ts'

/** A conversation that the member sees, and how its thread is read. */
export type FoundConversation = { conversation: Conversation; key: ThreadKey }

/** The conversations that the member sees of those with these ids, in no order. */
export async function findConversations(db: Db, reach: Reach, ids: readonly string[]): Promise<FoundConversation[]> {
  if (ids.length === 0) return []
  const { organizationId } = reach
  const rows = await readConversationRows<{ days: string[] }>(db, {
    organizationId,
    chosen: sql`select conversation.*, ${daysOf('conversation')} as days from conversations conversation where ${sees(reach)} and conversation.id = any(${[...ids]}::uuid[])`,
  })
  return rows.map((row) => ({
    conversation: presentConversation(row),
    key: {
      organizationId,
      id: row.id,
      senderId: row.sender_id,
      channel: row.channel,
      phone: row.phone,
      days: row.days,
    },
  }))
}

/** The conversation, with the state of the database before it was read. */
export async function getConversation(
  db: Db,
  { actor, id }: { actor: UserActor; id: string },
): Promise<FoundConversation & Cursor> {
  const [cursor, reach] = await Promise.all([readCursor(db), loadReach(db, actor)])
  const [found] = await findConversations(db, reach, [id])
  if (!found) throw notFound('Conversation')
  return { ...found, ...cursor }
}
