import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { daysOfIds, onDays } from '../../../db/partition-days.ts'
import { notifyAfterCommit, type Db } from '../../../db/pool.ts'
import { addJob, defineProviderJob } from '../../../jobs/jobs.ts'
import { eventChannel } from '../../../events/domain-events.ts'
import { badField } from '../../../lib/problem.ts'
import { lockConversation, readThreadKey, type ConversationRow } from '../access/lock-conversation.ts'
import { loadReach, type Member } from '../access/sees.ts'
import { readItems } from '../thread/read-items.ts'
import { auditMember } from './audit-change.ts'

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
  if (member.impersonatedBy !== undefined) await auditMember(db, { member, conversation, action: 'read' })
}

/** The newest message of the person that was read, by the provider's id, and how many came after it. */
type Read = { last: string | null; later: number }

const asking = sql<boolean>`coalesce(content ->> 'type', 'text') not in ('reaction', 'system')`

async function findRead(db: Db, conversation: ConversationRow, upTo: string | undefined): Promise<Read> {
  const { id } = conversation
  if (upTo === undefined) return getUpTo(db, conversation, sql`select 'infinity'::timestamptz as at, ${id}::uuid as id`)
  const of = ofConversation(conversation)
  const read = await findUpTo(
    db,
    conversation,
    sql`select received_at as at, id from inbound_messages where ${of} and id = ${upTo}::uuid
      union all select created_at, id from single_sends where ${of} and id = ${upTo}::uuid and ${onDays('created_on', daysOfIds([upTo]))}
      union all select at, id from conversation_events where ${of} and id = ${upTo}::uuid`,
  )
  return read ?? findReadUpToCampaign(db, conversation, upTo)
}

/** A statement that selects a position. */
type Position = RawBuilder<unknown>

async function findUpTo(db: Db, conversation: ConversationRow, position: Position): Promise<Read | undefined> {
  const of = ofConversation(conversation)
  const { rows } = await sql<Read>`
    select (select dedupe_key from inbound_messages where ${of} and (received_at, id) <= (place.at, place.id)
        order by received_at desc, id desc limit 1) as last,
      (select count(*)::int from (
        select from inbound_messages where ${of} and (received_at, id) > (place.at, place.id) and ${asking} limit ${conversation.unread}
      ) later) as later
    from (${position}) place`.execute(db)
  return rows[0]
}

async function getUpTo(db: Db, conversation: ConversationRow, position: Position): Promise<Read> {
  return (await findUpTo(db, conversation, position)) ?? { last: null, later: conversation.unread }
}

function ofConversation({ organization_id, id }: ConversationRow): RawBuilder<boolean> {
  return sql<boolean>`organization_id = ${organization_id}::uuid and conversation_id = ${id}::uuid`
}

/** The item may be a message of a campaign, which has no row of its own in the conversation. */
async function findReadUpToCampaign(db: Db, conversation: ConversationRow, upTo: string): Promise<Read> {
  const [item] = await readItems(db, { conversation: await readThreadKey(db, conversation), ids: [upTo] })
  if (!item) throw badField('upTo', 'This item is not in the conversation')
  return getUpTo(db, conversation, sql`select ${item.at}::timestamptz as at, ${upTo}::uuid as id`)
}

/** Only for channels whose providers send receipts; the newest receipt of a conversation replaces one that was not sent yet. */
async function enqueueReceipt(db: Db, conversation: ConversationRow, messageId: string): Promise<void> {
  const { organization_id: organizationId, sender_id: senderId, id, window_expires_at } = conversation
  if (window_expires_at === null) return
  await addJob(db, sendReceipt, { payload: { organizationId, senderId, messageId }, jobKey: `receipt:${id}` })
}
