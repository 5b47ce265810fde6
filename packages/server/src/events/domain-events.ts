import { CampaignStatus, MessageStatus } from '@carillon/contract/campaign-records'
import { Channel } from '@carillon/contract/channels'
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
  /** Tracked links of campaigns were clicked. The subjects are the campaigns. */
  z.object({ ...about, type: z.literal('campaign.clicked'), payload: z.object({}) }),
  /** The validation of an audience progressed or ended. */
  z.object({ ...about, type: z.literal('audience.changed'), payload: z.object({}) }),
  /** Notifications were added. Written by add_notifications() in the database. */
  z.object({ ...about, type: z.literal('notification.added'), payload: z.object({}) }),
])
export type DomainEvent = z.infer<typeof DomainEvent>
export type EventType = DomainEvent['type']
export type EventOf<Type extends EventType> = Extract<DomainEvent, { type: Type }>

/**
 * Changes that are only recorded for subscribers, in the queue (event-queue.ts). Each is published by the statement or the trigger that
 * makes it happen.
 */
const PublishedOnly = z.discriminatedUnion('type', [
  /**
   * New statuses of messages: the subject is the campaign, or a single send, which has leg 0 and position 0. Not of recipients that were
   * excluded before the start.
   */
  z.object({
    ...about,
    type: z.literal('message.status'),
    payload: z.object({ leg: z.int(), status: MessageStatus, seqs: z.array(z.int()) }),
  }),
  /** First clicks of recipients of a campaign, which is the subject, each with the number of its tracked link. */
  z.object({
    ...about,
    type: z.literal('message.clicked'),
    payload: z.object({ clicks: z.array(z.object({ seq: z.int(), number: z.int(), at: z.string() })) }),
  }),
  /** A person wrote in a conversation that was new or resolved. */
  z.object({ ...about, type: z.literal('conversation.opened'), payload: z.object({}) }),
  /** A note, assignment, resolution or other change that the thread of a conversation shows. */
  z.object({
    ...about,
    type: z.literal('conversation.noted'),
    payload: z.object({ kind: z.string(), itemId: z.string(), details: z.record(z.string(), z.unknown()) }),
  }),
  /** The subject is the contact of the number. */
  z.object({
    ...about,
    type: z.literal('person.opted_out'),
    payload: z.object({
      phone: z.int(),
      channel: Channel,
      keyword: z.string(),
      source: z.string(),
      marketingOnly: z.boolean(),
    }),
  }),
  z.object({ ...about, type: z.literal('person.opted_in'), payload: z.object({ phone: z.int(), channel: Channel }) }),
  /** An entry of a template's history: its review, quality or category. */
  z.object({
    ...about,
    type: z.literal('template.changed'),
    payload: z.object({ change: z.string(), details: z.record(z.string(), z.unknown()), at: z.string() }),
  }),
  /** A sender was activated, paused or deleted, or the provider reports other facts about it. */
  z.object({
    ...about,
    type: z.literal('sender.changed'),
    payload: z.object({
      wasActive: z.boolean(),
      isActive: z.boolean(),
      isDeleted: z.boolean(),
      previousFacts: z.record(z.string(), z.unknown()),
      facts: z.record(z.string(), z.unknown()),
    }),
  }),
  /** A provider account was connected, failed or recovered. */
  z.object({
    ...about,
    type: z.literal('connection.changed'),
    payload: z.object({ isConnected: z.boolean(), failure: z.unknown() }),
  }),
  /** A top-up was requested or answered. Amounts in ledger units. */
  z.object({
    ...about,
    type: z.literal('topup.changed'),
    payload: z.object({
      accountId: z.string(),
      status: z.string(),
      amount: z.int(),
      approved: z.int().nullable(),
    }),
  }),
  /** A balance fell below the threshold. The subject is the account; the amount is in ledger units. */
  z.object({ ...about, type: z.literal('balance.low'), payload: z.object({ available: z.int() }) }),
])

/** What can be subscribed to. */
export const PublishedEvent = z.union([DomainEvent, PublishedOnly])
export type PublishedEvent = z.infer<typeof PublishedEvent>
export type PublishedType = PublishedEvent['type']

/** Notified after events were committed; followers also poll. */
export const eventChannel = 'carillon_events'
