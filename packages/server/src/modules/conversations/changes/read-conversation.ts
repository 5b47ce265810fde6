import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/pool.ts'
import { addJob, defineProviderJob } from '../../../jobs/jobs.ts'
import { notifyAfterCommit } from '../../../db/pool.ts'
import { eventChannel } from '../../../events/domain-events.ts'
import { badField } from '../../../lib/problem.ts'
import { lockConversation, type ConversationRow } from '../access/lock-conversation.ts'
import { loadReach, type Member } from '../access/sees.ts'

/** Sends a read receipt to the person. */
export const sendReceipt = defineProviderJob(
  'conversations.send-receipt',
  z.object({ organizationId: z.string(), senderId: z.string(), messageId: z.string() }),
  'receipts',
)

type Reading = { member: Member; id: string; /** An item of the thread. */ upTo?: string | undefined }

/** Marks the messages up to an item as read. One that arrives while a member reads stays unread. */
export async function readConversation(db: Db, { member, id, upTo }: Reading): Promise<void> {
  const conversation = await lockConversation(db, await loadReach(db, member), id)
  if (conversation.unread === 0) return
  const { last, later } = await findRead(db, conversation, upTo)
  const unread = Math.min(conversation.unread, later)
  if (unread === conversation.unread) return
  await db
    .updateTable('conversations')
    .set({ unread })
    .where('organization_id', '=', conversation.organization_id)
    .where('id', '=', conversation.id)
    .execute()
  notifyAfterCommit(db, eventChannel)
  if (last !== null) await enqueueReceipt(db, conversation, last)
}

/** The newest message of the person that was read, by the provider's id, and how many came after it. */
type Read = { last: string | null; later: number }

/** What may be after an item, which may be of any kind. */
const asking = sql<boolean>`coalesce(content ->> 'type', 'text') not in ('reaction', 'system')`

async function findRead(
  db: Db,
  { organization_id, id, unread }: ConversationRow,
  upTo: string | undefined,
): Promise<Read> {
  const of = sql`organization_id = ${organization_id}::uuid and conversation_id = ${id}::uuid`
  const place =
    upTo === undefined
      ? sql`select 'infinity'::timestamptz as at, ${id}::uuid as id`
      : sql`select received_at as at, id from inbound_messages where ${of} and id = ${upTo}::uuid
          union all select created_at, id from single_sends where ${of} and id = ${upTo}::uuid
          union all select at, id from conversation_events where ${of} and id = ${upTo}::uuid`
  const { rows } = await sql<Read>`
    select (select dedupe_key from inbound_messages where ${of} and (received_at, id) <= (place.at, place.id)
        order by received_at desc, id desc limit 1) as last,
      (select count(*)::int from (select from inbound_messages where ${of} and (received_at, id) > (place.at, place.id) and ${asking}
        limit ${unread}) later) as later
    from (${place}) place`.execute(db)
  if (!rows[0]) throw badField('upTo', 'This item is not in the conversation')
  return rows[0]
}

/** Only for channels whose providers send receipts; the newest receipt of a conversation replaces one that was not sent yet. */
async function enqueueReceipt(db: Db, conversation: ConversationRow, messageId: string): Promise<void> {
  const { organization_id: organizationId, sender_id: senderId, id, window_expires_at } = conversation
  if (window_expires_at === null) return
  await addJob(db, sendReceipt, { payload: { organizationId, senderId, messageId }, jobKey: `receipt:${id}` })
}
