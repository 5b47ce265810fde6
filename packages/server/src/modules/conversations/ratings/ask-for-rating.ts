import type { ReplyContent } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { findWindow, sendSingle } from '../../messages/index.ts'
import { channelTraits } from '@carillon/contract/channels/table'
import { lockConversation, phoneOf, type ConversationRow } from '../access/lock-conversation.ts'
import { loadReach, type Member } from '../access/sees.ts'
import { announceItems } from '../changes/record-changes.ts'
import { composeReply } from '../replies/compose-reply.ts'
import { assertNotOptedOut } from '../replies/find-opt-out.ts'
import type { ReplyDeps } from '../replies/send-reply.ts'

const usualQuestion = 'How did we do? Reply with a number from 1 (very bad) to 5 (very good).'

/** Minimum number of days between two questions in a conversation. */
const daysBetween = 1

type Settings = { rating_text: string | null; template: string | null }

/**
 * Asks the person to rate a conversation that a member resolved: in words while the window is open, else by the template chosen for
 * it. Nothing is asked if the settings say so, if no member answered, or if the message is refused (balance, opt-out, no template).
 */
export async function askForRating(
  db: Db,
  deps: ReplyDeps,
  { member, id }: { member: Member; id: string },
): Promise<void> {
  const conversation = await lockConversation(db, await loadReach(db, member), id)
  if (conversation.status !== 'resolved' || conversation.first_answered_at === null || conversation.blocked_at) return
  const settings = await findSettings(db, conversation)
  if (!settings || (await wasAskedRecently(db, conversation))) return
  const content = await writeQuestion(db, conversation, settings)
  if (content) await send(db, deps, { member, conversation, content })
}

async function findSettings(db: Db, { organization_id, channel }: ConversationRow): Promise<Settings | undefined> {
  return db
    .selectFrom('inbox_settings')
    .select(['rating_text', sql<string | null>`rating_templates ->> ${channel}`.as('template')])
    .where('organization_id', '=', organization_id)
    .where('asks_for_rating', '=', true)
    .executeTakeFirst()
}

async function wasAskedRecently(db: Db, { organization_id, id }: ConversationRow): Promise<boolean> {
  const row = await db
    .selectFrom('ratings')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('conversation_id', '=', id)
    .where('asked_at', '>', sql<Date>`now() - ${sql.lit(daysBetween)} * interval '1 day'`)
    .executeTakeFirst()
  return row !== undefined
}

async function writeQuestion(
  db: Db,
  { organization_id: organizationId, sender_id: senderId, channel, identity }: ConversationRow,
  { rating_text: text, template: templateId }: Settings,
): Promise<ReplyContent | undefined> {
  const mayWriteFreely =
    !channelTraits[channel].hasServiceWindow || (await findWindow(db, { organizationId, senderId, identity }))
  if (mayWriteFreely) return { type: 'text', text: text ?? usualQuestion }
  return templateId === null ? undefined : { type: 'template', templateId, values: {} }
}

type Question = { member: Member; conversation: ConversationRow; content: ReplyContent }

async function send(db: Db, { publicUrl }: ReplyDeps, { member, conversation, content }: Question): Promise<void> {
  const { organization_id, id: conversation_id, channel, sender_id: senderId, identity } = conversation
  const ratingId = newId()
  const phone = phoneOf(conversation)
  try {
    const { isAnswer: _, ...message } = await composeReply(db, {
      member,
      conversation,
      content,
      publicUrl: publicUrl(),
    })
    const optedOutAt = await assertNotOptedOut(db, conversation, message)
    const { messageId } = await sendSingle(db, {
      organizationId: organization_id,
      accountId: member.accountId,
      path: member.scope.path,
      senderId,
      kind: 'reply',
      channel,
      ...(phone === null ? {} : { phoneNumber: `+${phone}` }),
      identity,
      ...message,
      reply: {
        authorId: member.accountId,
        impersonatedBy: member.impersonatedBy,
        clientId: `rating:${ratingId}`,
        inReplyTo: undefined,
        optedOutAt,
      },
    })
    await db
      .insertInto('ratings')
      .values({ organization_id, id: ratingId, conversation_id, account_id: member.accountId })
      .execute()
    await announceItems(db, conversation, [messageId])
  } catch (error) {
    // The conversation is resolved all the same.
    if (!(error instanceof Problem)) throw error
  }
}
