import { z } from 'zod'
import { Channel } from './channels.ts'
import { CampaignStats, CampaignStatus } from './campaign-records.ts'
import { Id } from './common.ts'
import { Conversation, ThreadItem, Viewer } from './conversation-records.ts'
import { Notification } from './notifications.ts'

/** Progress of validation or sending; at most one per second and campaign. */
export const ProgressUpdate = z.object({
  campaignId: Id,
  channel: Channel,
  phase: z.enum(['validating', 'sending']),
  status: CampaignStatus,
  processed: z.number(),
  total: z.number(),
  percent: z.number(),
  stats: CampaignStats,
  ratePerSecond: z.number(),
  etaSeconds: z.number().nullable(),
  at: z.string(),
})
export type ProgressUpdate = z.infer<typeof ProgressUpdate>

/** A chat message as sent by the client (a JSON string on the wire). */
export const ChatMessage = z.object({
  phoneNumber: z.string().max(20),
  chatId: z.string().max(64),
  channel: Channel,
  messageType: z.string().max(32).default('text'),
  messageObject: z.record(z.string(), z.unknown()),
  text: z.string().max(4096).optional(),
})
export type ChatMessage = z.infer<typeof ChatMessage>

/**
 * A chat event as sent by the client (a JSON string on the wire). `IS_TYPING` is sent with each incoming message. Additions:
 * `VIEWING` and `REPLYING` while an account has a conversation open or writes a reply, repeated every few seconds, and `LEFT`.
 */
export const ChatEvent = z.object({
  eventType: z.string().max(32),
  chatId: z.string().max(64),
  messageId: z.string().max(128),
  phoneNumber: z.string().max(20),
  channel: Channel,
})
export type ChatEvent = z.infer<typeof ChatEvent>

/** Pushed as `message` to everyone who sees the conversation. */
export const IncomingMessage = z.object({
  channel: Channel,
  chatId: z.string(),
  messageId: z.string(),
  senderPhoneNumber: z.string(),
  text: z.string(),
  sendTime: z.string(),
  /** Additions: the name of the person, and the item of the thread. */
  name: z.string(),
  item: ThreadItem,
})
export type IncomingMessage = z.infer<typeof IncomingMessage>

/** Pushed as `conversation` to everyone who sees it: it was opened or changed. An addition to the specification's events. */
export const ConversationEvent = z.object({ conversation: Conversation })
export type ConversationEvent = z.infer<typeof ConversationEvent>

/** Pushed as `conversationGone` to members who do not see it any more, such as after someone else took it. An addition. */
export const ConversationGoneEvent = z.object({ chatId: Id, assignee: z.string().optional() })
export type ConversationGoneEvent = z.infer<typeof ConversationGoneEvent>

/**
 * Pushed as `eventsMissed` to browsers that were not sent some events: their account sees other conversations than before, such as after
 * it was given a line, or the server could not check for a while what accounts may see. They read again what they show. An addition.
 */
export const EventsMissedEvent = z.object({})
export type EventsMissedEvent = z.infer<typeof EventsMissedEvent>

/** Pushed as `threadItem`: an item of a thread is new or changed. An addition. */
export const ThreadItemEvent = z.object({ chatId: Id, item: ThreadItem })
export type ThreadItemEvent = z.infer<typeof ThreadItemEvent>

/** Pushed as `viewers` to those who have the conversation open. An addition. */
export const ViewersEvent = z.object({ chatId: Id, viewers: z.array(Viewer) })
export type ViewersEvent = z.infer<typeof ViewersEvent>

/** Pushed as `typingStatus` to the others who have the conversation open, at most once in five seconds. */
export const TypingStatus = ChatEvent.extend({
  /** Who sent the event. */
  member: z.object({ _id: Id, name: z.string() }),
  /** Whether the person types: the events of members do not say so. */
  isTyping: z.boolean(),
})
export type TypingStatus = z.infer<typeof TypingStatus>

/** Pushed as `failedStatus` to the browser whose message was refused; the specification's client ignores it. */
export const FailedStatus = ChatMessage.pick({ chatId: true, phoneNumber: true, channel: true }).extend({
  clientId: z.string().optional(),
  reason: z.string(),
})
export type FailedStatus = z.infer<typeof FailedStatus>

/** Pushed as `notification`. An addition to the specification's events. */
export const NotificationEvent = Notification
export type NotificationEvent = z.infer<typeof NotificationEvent>
