import type { Notification } from '@carillon/contract/notifications'
import { formatPhone } from '../../lib/format.ts'
import type { Incoming } from '../../lib/socket.ts'

/** One entry of the bell. */
export type FeedEntry = Notification & {
  /** An incoming message of which the server has stored no notification yet. */
  isLocal?: true
}

const kept = 100

/** Adds an incoming message at the top. The messages of a conversation are one entry, which counts the new ones. */
export function addMessage(known: readonly FeedEntry[], message: Incoming): FeedEntry[] {
  const isSame = ({ link }: FeedEntry) => link?.id === message.chatId
  const previous = known.find(isSame)
  const count = previous?.isNew ? (previous.count ?? 1) + 1 : 1
  const entry: FeedEntry = {
    _id: message.messageId,
    kind: 'message_received',
    title: formatPhone(message.senderPhoneNumber),
    description: message.text ?? '',
    link: { type: 'conversation', id: message.chatId },
    ...(count > 1 ? { count } : {}),
    isNew: true,
    at: message.sendTime ?? new Date().toISOString(),
    isLocal: true,
  }
  return [entry, ...known.filter((one) => !isSame(one))].slice(0, kept)
}

/** Newest first, without messages that a stored notification already has. */
export function mergeFeed(messages: readonly FeedEntry[], notifications: readonly Notification[]): FeedEntry[] {
  const isStored = ({ link, at }: FeedEntry) =>
    notifications.some(
      (stored) => stored.kind === 'message_received' && stored.link?.id === link?.id && stored.at >= at,
    )
  return [...messages.filter((message) => !isStored(message)), ...notifications].toSorted((a, b) =>
    b.at.localeCompare(a.at),
  )
}
