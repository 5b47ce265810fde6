import type { ReplyContent } from '@carillon/contract/conversation-records'
import type { Db } from '../../../db/pool.ts'
import { badField, conflict } from '../../../lib/problem.ts'
import { sendSingle } from '../../messages/index.ts'
import { lockConversation, phoneOf, type ConversationRow } from '../access/lock-conversation.ts'
import { loadReach, type Member } from '../access/sees.ts'
import { auditMember } from '../changes/audit-change.ts'
import { announceItems } from '../changes/record-changes.ts'
import { composeReply } from './compose-reply.ts'
import { assertNotOptedOut } from './find-opt-out.ts'
import { findQuoted } from './find-quoted.ts'
import { moveConversation } from './move-conversation.ts'

export type Reply = {
  member: Member
  /** The conversation. */
  id: string
  clientId: string
  content: ReplyContent
  /** The item of the thread that it replies to. */
  inReplyTo?: string | undefined
}

/** Of this installation, for files that phones fetch. */
export type ReplyDeps = { publicUrl(): string }

export type SentReply = { conversation: ConversationRow; itemId: string }

/**
 * Accepts a reply of a member, whether it comes from a call, from a socket or at its planned time. A repeat with the same client id is
 * answered with the first message: the conversation stays locked until the commit, so that of two at once one is the repeat.
 */
export async function sendReply(db: Db, deps: ReplyDeps, reply: Reply): Promise<SentReply> {
  const { member, id, clientId, content } = reply
  const conversation = await lockConversation(db, await loadReach(db, member), id)
  const earlier = await findByClientId(db, conversation, clientId)
  if (earlier !== undefined) return { conversation, itemId: earlier }
  if (conversation.blocked_at !== null) throw conflict('This person is blocked. Unblock them to write')
  const composed = await composeReply(db, { member, conversation, content, publicUrl: deps.publicUrl() })
  const optedOutAt = await assertNotOptedOut(db, conversation, composed)
  const { isAnswer, inReplyTo = await readQuoted(db, conversation, reply), ...message } = composed
  const phone = phoneOf(conversation)
  const { messageId } = await sendSingle(db, {
    organizationId: member.organizationId,
    accountId: member.accountId,
    path: member.scope.path,
    senderId: conversation.sender_id,
    kind: 'reply',
    channel: conversation.channel,
    ...(phone === null ? {} : { phoneNumber: `+${phone}` }),
    identity: conversation.identity,
    ...message,
    reply: { authorId: member.accountId, impersonatedBy: member.impersonatedBy, clientId, inReplyTo, optedOutAt },
  })
  const eventIds = isAnswer ? await moveConversation(db, conversation, { member, composed }) : []
  await announceItems(db, conversation, [messageId, ...eventIds])
  if (member.impersonatedBy !== undefined) await auditMember(db, { member, conversation, action: 'replied' })
  return { conversation, itemId: messageId }
}

async function findByClientId(
  db: Db,
  { organization_id, id }: ConversationRow,
  clientId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('reply_client_ids')
    .select('message_id')
    .where('organization_id', '=', organization_id)
    .where('conversation_id', '=', id)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row?.message_id
}

async function readQuoted(
  db: Db,
  conversation: ConversationRow,
  { inReplyTo }: Pick<Reply, 'inReplyTo'>,
): Promise<string | undefined> {
  if (inReplyTo === undefined) return undefined
  const quoted = await findQuoted(db, conversation, inReplyTo)
  if (!quoted) throw badField('inReplyTo', 'The message that you reply to is not in this conversation')
  return quoted.providerId
}
