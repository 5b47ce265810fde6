import type { Conversation } from '@carillon/contract/conversation-records'
import type { WebhookData } from '@carillon/contract/webhook-records'
import {
  readPublished,
  readPublishedMessages,
  type PublishedConversation,
  type PublishedMessage,
} from '../../conversations/index.ts'
import { subjectOf, type Describe, type Occurrence } from './occurrence.ts'

export const describeOpened: Describe<'conversation.opened'> = async (db, events) => {
  const found = await readPublished(db, events.map(chatKeyOf))
  return events.map((event) => ofConversation('conversation.opened', found.get(subjectOf(event))))
}

const noted = { assigned: 'conversation.assigned', resolved: 'conversation.resolved' } as const

export const describeNoted: Describe<'conversation.noted'> = async (db, events) => {
  const wanted = events.filter(({ payload }) => payload.kind in noted)
  const found = await readPublished(db, wanted.map(chatKeyOf))
  return events.map((event) => {
    const { kind } = event.payload
    return kind === 'assigned' || kind === 'resolved' ? ofConversation(noted[kind], found.get(subjectOf(event))) : []
  })
}

/** Messages of blocked people are left out, as they call for nothing in the inbox. */
export const describeReceived: Describe<'message.received'> = async (db, events) => {
  const received = events.flatMap(({ organizationId, subjectIds }) => subjectIds.map((id) => ({ organizationId, id })))
  const found = await readPublishedMessages(db, received)
  return events.map(({ subjectIds }) =>
    subjectIds.flatMap((id) => {
      const published = found.get(id)
      return published && !published.conversation.isBlocked ? [ofMessage(published)] : []
    }),
  )
}

const chatKeyOf = (event: { organizationId: string; subjectIds: string[] }) => ({
  organizationId: event.organizationId,
  chatId: subjectOf(event),
})

type ConversationType = 'conversation.opened' | 'conversation.assigned' | 'conversation.resolved'

function ofConversation(type: ConversationType, found: PublishedConversation | undefined): Occurrence[] {
  if (!found) return []
  const { conversation, rooms } = found
  return [{ type, data: presentConversation(conversation), visibleTo: { rooms }, orderKey: conversation.chatId }]
}

function presentConversation(conversation: Conversation): WebhookData<ConversationType> {
  const { chatId, contactId, channel, line, phoneNumber, username, name, status, handledBy } = conversation
  const { assignee, team, priority, labels, windowExpiresAt, openedAt } = conversation
  return {
    id: chatId,
    contactId,
    channel,
    sender: named(line),
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(username !== undefined && { username }),
    name,
    status,
    handledBy,
    ...(assignee && { assignee: named(assignee) }),
    ...(team && { team: named(team) }),
    priority,
    labels,
    ...(windowExpiresAt !== undefined && { windowExpiresAt }),
    openedAt,
  }
}

function ofMessage({ message, conversation, rooms }: PublishedMessage): Occurrence {
  const { chatId, contactId, channel, line, phoneNumber, username, name } = conversation
  const { id, at, body, inReplyTo, campaignId } = message
  return {
    type: 'message.inbound',
    data: {
      id,
      conversationId: chatId,
      contactId,
      channel,
      sender: named(line),
      ...(phoneNumber !== undefined && { from: phoneNumber }),
      ...(username !== undefined && { username }),
      name,
      body,
      ...(inReplyTo?.id !== undefined && { inReplyToId: inReplyTo.id }),
      ...(campaignId !== undefined && { campaignId }),
      receivedAt: at,
    },
    visibleTo: { rooms },
    orderKey: chatId,
  }
}

const named = ({ _id: id, name }: { _id: string; name: string }) => ({ id, name })
