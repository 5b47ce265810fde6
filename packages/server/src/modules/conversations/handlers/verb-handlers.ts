import type { Conversation, ScheduledReply, ThreadItem } from '@carillon/contract/conversation-records'
import type { conversationEndpoints } from '@carillon/contract/conversations'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { notFound } from '../../../lib/problem.ts'
import { readThreadKey, type ConversationRow } from '../access/lock-conversation.ts'
import { changeConversation } from '../changes/change-conversation.ts'
import { changeMany } from '../changes/change-many.ts'
import { readConversation } from '../changes/read-conversation.ts'
import { writeNote } from '../changes/write-note.ts'
import { presentConversation, readConversationRows } from '../list/conversation-rows.ts'
import { scheduleReply, unscheduleReply } from '../replies/schedule-reply.ts'
import { sendReply, type ReplyDeps } from '../replies/send-reply.ts'
import { askForRating } from '../ratings/ask-for-rating.ts'
import { startConversation } from '../replies/start-conversation.ts'
import { readItems } from '../thread/read-items.ts'
import { readScheduledReplies } from '../thread/scheduled-replies.ts'

type Part<Names extends keyof typeof conversationEndpoints> = Pick<Handlers<typeof conversationEndpoints>, Names>

type Replies = 'conversations.start' | 'conversations.reply' | 'conversations.schedule' | 'conversations.unschedule'

type Changes = 'conversations.note' | 'conversations.read' | 'conversations.change' | 'conversations.changeMany'

export function conversationVerbHandlers(deps: ReplyDeps): Part<Replies | Changes> {
  return { ...replies(deps), ...changes(deps) }
}

function replies(deps: ReplyDeps): Part<Replies> {
  return {
    'conversations.start': async ({ db, actor: member, input }) => {
      const { conversation, itemId } = await startConversation(db, deps, { member, ...input.body })
      return {
        conversation: await presentOne(db, conversation),
        item: await presentItem(db, conversation, itemId),
      }
    },
    'conversations.reply': async ({ db, actor: member, input }) => {
      const { conversation, itemId } = await sendReply(db, deps, { member, id: input.path.id, ...input.body })
      return presentItem(db, conversation, itemId)
    },
    'conversations.schedule': async ({ db, actor: member, input }) => {
      const { sendAt, ...body } = input.body
      const { id } = input.path
      const replyId = await scheduleReply(db, deps, { member, id, ...body, sendAt: new Date(sendAt) })
      return presentScheduled(db, { organizationId: member.organizationId, id, replyId })
    },
    'conversations.unschedule': async ({ db, actor: member, input }) => {
      await unscheduleReply(db, { member, ...input.path })
      return {}
    },
  }
}

function changes(deps: ReplyDeps): Part<Changes> {
  return {
    'conversations.note': async ({ db, actor: member, input }) => {
      const { conversation, itemId } = await writeNote(db, { member, id: input.path.id, ...input.body })
      return presentItem(db, conversation, itemId)
    },
    'conversations.read': async ({ db, actor: member, input }) => {
      await readConversation(db, { member, id: input.path.id, ...input.body })
      return presentOne(db, { organization_id: member.organizationId, id: input.path.id })
    },
    'conversations.change': async ({ db, actor: member, input, afterCommit }) => {
      const { revision, ...change } = input.body
      const { id } = input.path
      await changeConversation(db, { member, id, change, revision })
      if (change.status === 'resolved')
        afterCommit((scoped) => scoped((own) => askForRating(own, deps, { member, id })))
      return presentOne(db, { organization_id: member.organizationId, id })
    },
    'conversations.changeMany': async ({ db, actor: member, input, afterCommit }) => {
      const { changed, refused } = await changeMany(db, { member, ...input.body })
      if (input.body.change.status === 'resolved')
        afterCommit(async (scoped) => {
          for (const id of changed) await scoped((own) => askForRating(own, deps, { member, id }))
        })
      return { conversations: await presentMany(db, member.organizationId, changed), refused }
    },
  }
}

/** After a change the caller may not see the conversation any more: it was handed over. */
async function presentMany(db: Db, organizationId: string, ids: readonly string[]): Promise<Conversation[]> {
  if (ids.length === 0) return []
  const rows = await readConversationRows(db, {
    organizationId,
    chosen: sql`select * from conversations where organization_id = ${organizationId}::uuid and id = any(${[...ids]}::uuid[])`,
  })
  return rows.map(presentConversation)
}

async function presentOne(
  db: Db,
  { organization_id, id }: Pick<ConversationRow, 'organization_id' | 'id'>,
): Promise<Conversation> {
  const [conversation] = await presentMany(db, organization_id, [id])
  if (!conversation) throw notFound('Conversation')
  return conversation
}

/** A reaction is shown with the message that it refers to. */
async function presentItem(db: Db, conversation: ConversationRow, id: string): Promise<ThreadItem> {
  const [item] = await readItems(db, { conversation: await readThreadKey(db, conversation), ids: [id] })
  if (!item) throw notFound('Message')
  return item
}

type ReplyKey = { organizationId: string; id: string; replyId: string }

async function presentScheduled(db: Db, { replyId, ...key }: ReplyKey): Promise<ScheduledReply> {
  const reply = (await readScheduledReplies(db, key)).find(({ id }) => id === replyId)
  if (!reply) throw notFound('Scheduled reply')
  return reply
}
