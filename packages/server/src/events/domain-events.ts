import { CampaignStatus } from '@carillon/contract/campaign-records'
import { z } from 'zod'

const about = { organizationId: z.string(), subjectIds: z.array(z.string()).min(1) }

/**
 * Changes that other processes need to know about. The subjects are ids, not copies: a follower that needs more reads the
 * current row.
 */
export const DomainEvent = z.discriminatedUnion('type', [
  /** Inbound messages of a sender. The subjects are the messages. */
  z.object({ ...about, type: z.literal('message.received'), payload: z.object({ senderId: z.string() }) }),
  /** Conversations were opened or changed. Written by a trigger of their table. */
  z.object({ ...about, type: z.literal('conversation.changed'), payload: z.object({}) }),
  /** Items of a conversation's thread were added or changed, except new inbound messages. The subjects are the items. */
  z.object({ ...about, type: z.literal('thread.changed'), payload: z.object({ chatId: z.string() }) }),
  /** Agents, their teams or the settings of assignment changed. The subjects are accounts. */
  z.object({ ...about, type: z.literal('agent.changed'), payload: z.object({}) }),
  /** Members opened or left conversations, or began or ended a reply. The subjects are conversations. */
  z.object({ ...about, type: z.literal('viewers.changed'), payload: z.object({}) }),
  /** A campaign's status changed. */
  z.object({ ...about, type: z.literal('campaign.changed'), payload: z.object({ status: CampaignStatus }) }),
  /** The validation of an audience progressed or ended. */
  z.object({ ...about, type: z.literal('audience.changed'), payload: z.object({}) }),
  /** Notifications were added. Written by add_notifications() in the database. */
  z.object({ ...about, type: z.literal('notification.added'), payload: z.object({}) }),
])
export type DomainEvent = z.infer<typeof DomainEvent>
export type EventType = DomainEvent['type']
export type EventOf<Type extends EventType> = Extract<DomainEvent, { type: Type }>

/** Notified after events were committed; followers also poll. */
export const eventChannel = 'carillon_events'
