import type { ReplyContent } from '@carillon/contract/conversation-records'
import { channelTraits } from '@carillon/contract/channels/table'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/pool.ts'
import { addJob, defineJob } from '../../../jobs/jobs.ts'
import { newId } from '../../../lib/ids.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import { lockConversation, type ConversationRow } from '../access/lock-conversation.ts'
import { loadReach, type Member } from '../access/sees.ts'
import { longestMs } from '../changes/change-rules.ts'
import { auditChange } from '../changes/audit-change.ts'
import { addEvents, announceItems } from '../changes/record-changes.ts'
import { composeReply } from './compose-reply.ts'
import { assertNotOptedOut } from './find-opt-out.ts'
import type { ReplyDeps } from './send-reply.ts'

/** Sends a scheduled reply at its time. */
export const sendScheduled = defineJob(
  'conversations.send-scheduled',
  z.object({ organizationId: z.string(), id: z.string() }),
)

export type Scheduling = { member: Member; id: string; content: ReplyContent; sendAt: Date; endsOnAnswer: boolean }

const mostWaiting = 20

/** Plans a reply. It is checked now, and once more when it is sent. Returns its id. */
export async function scheduleReply(
  db: Db,
  deps: ReplyDeps,
  { member, id, content, sendAt, endsOnAnswer }: Scheduling,
): Promise<string> {
  const conversation = await lockConversation(db, await loadReach(db, member), id)
  assertTime(conversation, { content, sendAt, endsOnAnswer })
  if (conversation.blocked_at !== null) throw conflict('This person is blocked. Unblock them to write')
  if (content.type === 'reaction') throw badField('content.type', 'A reaction cannot be sent later')
  const composed = await composeReply(db, { member, conversation, content, publicUrl: deps.publicUrl() })
  await assertNotOptedOut(db, conversation, composed)
  await assertFew(db, conversation)
  const { organizationId } = member
  const replyId = newId()
  await db
    .insertInto('scheduled_replies')
    .values({
      organization_id: organizationId,
      id: replyId,
      conversation_id: id,
      author_id: member.accountId,
      impersonated_by: member.impersonatedBy ?? null,
      content: JSON.stringify(content),
      send_at: sendAt,
      ends_on_answer: endsOnAnswer,
    })
    .execute()
  await enqueue(db, { organizationId, id: replyId, sendAt })
  const details = { at: sendAt.toISOString(), text: composed.text }
  await addEvent(db, conversation, { member, event: { kind: 'reply_scheduled', details } })
  return replyId
}

export async function enqueue(
  db: Db,
  { sendAt, ...payload }: { organizationId: string; id: string; sendAt: Date },
): Promise<void> {
  await addJob(db, sendScheduled, { payload, jobKey: `scheduled:${payload.id}`, runAt: sendAt })
}

/** A free-form reply that ends with an answer cannot be sent after the window: only an answer extends it. */
function assertTime(
  { channel, window_expires_at: closes }: ConversationRow,
  { content, sendAt, endsOnAnswer }: Pick<Scheduling, 'content' | 'sendAt' | 'endsOnAnswer'>,
): void {
  const ahead = sendAt.getTime() - Date.now()
  if (ahead <= 0) throw badField('sendAt', 'Choose a time in the future')
  if (ahead > longestMs) throw badField('sendAt', 'Choose a time within a year')
  if (content.type === 'template' || !channelTraits[channel].hasServiceWindow || !endsOnAnswer) return
  if (closes === null || closes <= sendAt)
    throw badField('sendAt', 'The 24-hour window is closed by then: choose an earlier time, or a template')
}

async function assertFew(db: Db, { organization_id, id }: ConversationRow): Promise<void> {
  const { count } = await db
    .selectFrom('scheduled_replies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .where('conversation_id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= mostWaiting) throw conflict(`${mostWaiting} replies of this conversation are already scheduled`)
}

type Event = { member: Member; event: { kind: 'reply_scheduled' | 'reply_cancelled'; details: Record<string, string> } }

async function addEvent(db: Db, conversation: ConversationRow, { member, event }: Event): Promise<void> {
  const { organization_id, id } = conversation
  await announceItems(
    db,
    conversation,
    await addEvents(db, { organization_id, id }, { actor: member, events: [event] }),
  )
  await auditChange(db, { member, conversation, events: [event] })
}

/** Cancels a reply that was not sent yet; every member who sees the conversation may. */
export async function unscheduleReply(
  db: Db,
  { member, id, replyId }: { member: Member; id: string; replyId: string },
): Promise<void> {
  const conversation = await lockConversation(db, await loadReach(db, member), id)
  const reply = await db
    .selectFrom('scheduled_replies')
    .select(['result', 'ended_at'])
    .where('organization_id', '=', member.organizationId)
    .where('conversation_id', '=', id)
    .where('id', '=', replyId)
    .forUpdate()
    .executeTakeFirst()
  if (!reply) throw notFound('Scheduled reply')
  if (reply.ended_at !== null)
    throw conflict(reply.result === 'sent' ? 'This reply was already sent' : 'This reply was already cancelled')
  await db
    .updateTable('scheduled_replies')
    .set({ ended_at: sql<Date>`now()`, result: 'cancelled' })
    .where('organization_id', '=', member.organizationId)
    .where('id', '=', replyId)
    .execute()
  await addEvent(db, conversation, { member, event: { kind: 'reply_cancelled', details: {} } })
}
