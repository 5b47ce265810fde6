import type { Selectable } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Conversations } from '../../../db/schema.ts'
import { notFound } from '../../../lib/problem.ts'
import { daysOf, type ThreadKey } from '../thread/thread-rows.ts'
import { sees, type Reach } from './sees.ts'

export type ConversationRow = Selectable<Conversations>

/** A conversation that a member may see, locked until the end of the transaction. */
export async function lockConversation(db: Db, reach: Reach, id: string): Promise<ConversationRow> {
  const row = await db
    .selectFrom('conversations as conversation')
    .selectAll()
    .where('organization_id', '=', reach.organizationId)
    .where('id', '=', id)
    .where(sees(reach))
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('Conversation')
  return row
}

/** The person's number; null if the channel does not reveal it. */
export function phoneOf({ identity }: Pick<ConversationRow, 'identity'>): number | null {
  return /^\d{7,15}$/.test(identity) ? Number(identity) : null
}

/** How the thread of a conversation is read. */
export async function readThreadKey(db: Db, conversation: ConversationRow): Promise<ThreadKey> {
  const { organization_id: organizationId, id, sender_id: senderId, channel } = conversation
  const row = await db
    .selectFrom('conversations as conversation')
    .select(daysOf('conversation').as('days'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return { organizationId, id, senderId, channel, phone: phoneOf(conversation), days: row?.days ?? [] }
}
