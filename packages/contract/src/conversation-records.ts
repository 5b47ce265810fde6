import { z } from 'zod'
import { CampaignResponse, MessagePiece, MessageStatus } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Id, Instant, Rupees } from './common.ts'
import { ButtonKind, MessageTraits } from './message-traits.ts'

/** `pending`: a bot holds it; no member has to answer yet. */
export const ConversationStatus = z.enum(['open', 'pending', 'snoozed', 'resolved'])
export type ConversationStatus = z.infer<typeof ConversationStatus>

/** `paused`: the bot does not answer until a time, or until it is given the conversation again. */
export const HeldBy = z.enum(['bot', 'human', 'paused'])
export type HeldBy = z.infer<typeof HeldBy>

export const ConversationPriority = z.enum(['low', 'normal', 'high', 'urgent'])
export type ConversationPriority = z.infer<typeof ConversationPriority>

export const MessageType = z.enum([
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contact',
  'reaction',
  'template',
  'interactive',
  'button_reply',
  'form_reply',
  'card',
  'carousel',
  'order',
  'system',
  'unsupported',
])
export type MessageType = z.infer<typeof MessageType>

export const Named = z.object({ _id: Id, name: z.string() })
export type Named = z.infer<typeof Named>

/** A row of the inbox: one person on one line. */
export const Conversation = z.object({
  chatId: Id,
  channel: Channel,
  /** The line: the sender that the person writes to. */
  line: Named,
  contactId: Id,
  /** The name that members gave, else the one that the channel reports, else the number or username. */
  name: z.string(),
  /** E.164; absent if the channel does not reveal it. */
  phoneNumber: z.string().optional(),
  username: z.string().optional(),
  status: ConversationStatus,
  handledBy: HeldBy,
  pausedUntil: Instant.optional(),
  assignee: Named.optional(),
  team: Named.optional(),
  priority: ConversationPriority,
  labels: z.array(z.string()),
  unread: z.number(),
  /** The end of the window in which the person may be written to freely; absent on channels without one. */
  windowExpiresAt: Instant.optional(),
  /** The first message that was not answered yet. */
  waitingSince: Instant.optional(),
  /** When that answer is due by the organization's targets. */
  dueAt: Instant.optional(),
  snoozedUntil: Instant.optional(),
  snoozeNote: z.string().optional(),
  isBlocked: z.boolean(),
  openedAt: Instant,
  lastMessage: z.object({
    text: z.string(),
    type: MessageType,
    by: z.enum(['person', 'member', 'bot']),
    at: Instant,
    /** The person withdrew it. */
    isDeleted: z.boolean().optional(),
  }),
  /** Raised by each change; a change that names an older one is refused. */
  revision: z.number(),
})
export type Conversation = z.infer<typeof Conversation>

/** What a message shows, the same for every channel. */
export const MessageBody = z.object({
  type: MessageType,
  /** The text, or the caption of media, or a summary of other content. */
  text: z.string(),
  media: z
    .object({
      /** `waiting`: being fetched from the provider; `failed`: it cannot be fetched any more. */
      state: z.enum(['waiting', 'stored', 'failed']),
      fileId: Id.optional(),
      mimeType: z.string().optional(),
      name: z.string().optional(),
      sizeBytes: z.number().optional(),
    })
    .optional(),
  location: z
    .object({
      latitude: z.number(),
      longitude: z.number(),
      name: z.string().optional(),
      address: z.string().optional(),
    })
    .optional(),
  contacts: z.array(z.object({ name: z.string(), phoneNumbers: z.array(z.string()) })).optional(),
  /** The emoji; empty if the reaction was removed. */
  reaction: z.string().optional(),
  header: z.string().optional(),
  footer: z.string().optional(),
  buttons: z.array(z.object({ kind: ButtonKind, text: z.string(), isTapped: z.boolean().optional() })).optional(),
  cards: z
    .array(
      z.object({
        title: z.string(),
        text: z.string(),
        buttons: z.array(z.object({ kind: ButtonKind, text: z.string(), isTapped: z.boolean().optional() })),
      }),
    )
    .optional(),
  isForwarded: z.boolean().optional(),
  /** The person changed or withdrew the message. */
  editedAt: Instant.optional(),
  deletedAt: Instant.optional(),
})
export type MessageBody = z.infer<typeof MessageBody>

const Author = Named.extend({
  /** The admin or reseller who wrote while impersonating the author. */
  impersonatedBy: z.string().optional(),
})

/** The message that another one replies to. */
const Quoted = z.object({ id: Id.optional(), by: z.enum(['person', 'member']), text: z.string(), type: MessageType })

const Reaction = z.object({ emoji: z.string(), by: z.enum(['person', 'member']) })

/** The delivery of a message that was sent. */
const Delivery = CampaignResponse.pick({
  status: true,
  reason: true,
  advice: true,
  parts: true,
  cost: true,
  sentAt: true,
  deliveredAt: true,
  failedAt: true,
})

/** What a thread shows besides messages and notes. */
export const ThreadEventKind = z.enum([
  'opened',
  'assigned',
  'unassigned',
  'team_assigned',
  'resolved',
  'reopened',
  'snoozed',
  'woken',
  'taken_over',
  'handed_to_bot',
  'bot_paused',
  'blocked',
  'unblocked',
  'priority_changed',
  'labels_changed',
  'contact_merged',
  'contact_split',
  'opted_out',
  'reply_scheduled',
  'reply_cancelled',
  'rated',
])
export type ThreadEventKind = z.infer<typeof ThreadEventKind>

const itemFields = { id: Id, at: Instant }

/** An entry of a thread. */
export const ThreadItem = z.discriminatedUnion('kind', [
  z.object({
    ...itemFields,
    kind: z.literal('inbound'),
    body: MessageBody,
    inReplyTo: Quoted.optional(),
    reactions: z.array(Reaction),
    /** The campaign that was replied to. */
    campaignId: Id.optional(),
  }),
  z.object({
    ...itemFields,
    kind: z.literal('outbound'),
    body: MessageBody,
    delivery: Delivery,
    author: Author.optional(),
    /** `api`: sent through the API; `test`: a test message. */
    source: z.enum(['reply', 'api', 'test', 'bot']),
    clientId: z.string().optional(),
    inReplyTo: Quoted.optional(),
    reactions: z.array(Reaction),
  }),
  z.object({
    ...itemFields,
    kind: z.literal('campaign'),
    campaignId: Id,
    campaignName: z.string(),
    body: MessageBody,
    pieces: z.array(MessagePiece),
    delivery: Delivery,
    reactions: z.array(Reaction),
  }),
  z.object({
    ...itemFields,
    kind: z.literal('note'),
    text: z.string(),
    author: Author,
    mentions: z.array(Named),
  }),
  z.object({
    ...itemFields,
    kind: z.literal('event'),
    event: ThreadEventKind,
    /** Absent for the server. */
    actor: Author.optional(),
    /** The assignee, team, time, reason or labels, as text to show. */
    details: z.record(z.string(), z.string()),
  }),
])
export type ThreadItem = z.infer<typeof ThreadItem>
export type ThreadItemOf<Kind extends ThreadItem['kind']> = Extract<ThreadItem, { kind: Kind }>

/** What a member can send. */
export const ReplyContent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().trim().min(1, 'Write a message').max(4096) }),
  z.strictObject({ type: z.literal('media'), fileId: Id, caption: z.string().trim().max(1024).default('') }),
  z.strictObject({
    type: z.literal('template'),
    templateId: Id,
    /**
     * By name or number of the variable. Of templates with more variables also `header.text`, `header.media` (the id of a file, or a URL; by
     * default the file of the review), `header.latitude`, `header.longitude`, `header.name`, `header.address`, `button.2` for the
     * variable or code of the second button, and `card.1.` before those of the first card.
     */
    values: z.record(z.string().max(80), z.string().max(200, 'Enter 200 characters at most')).default({}),
  }),
  z.strictObject({
    type: z.literal('reaction'),
    /** The item of the thread. */
    to: Id,
    /** Empty to remove the reaction. */
    emoji: z.string().max(16),
  }),
])
export type ReplyContent = z.infer<typeof ReplyContent>

/** A template that may be sent from a line. */
export const LineTemplate = Named.extend({
  language: z.string(),
  category: z.string(),
  traits: MessageTraits,
  /** The names of the values that a reply with it needs, such as `1`, `name` or `header.text`. */
  values: z.array(z.string()),
})
export type LineTemplate = z.infer<typeof LineTemplate>

export const ScheduledReply = z.object({
  id: Id,
  content: ReplyContent,
  /** The text as it will be shown. */
  text: z.string(),
  sendAt: Instant,
  author: Named,
  endsOnAnswer: z.boolean(),
  result: z.enum(['waiting', 'sent', 'cancelled', 'answered', 'outside_window', 'refused']),
  detail: z.string().optional(),
})
export type ScheduledReply = z.infer<typeof ScheduledReply>

/** Who has a conversation open or writes a reply. */
export const Viewer = Named.extend({ isReplying: z.boolean() })
export type Viewer = z.infer<typeof Viewer>

/** An identity of a contact, and the move that brought it there. */
export const Contact = z.object({
  _id: Id,
  name: z.string(),
  /** The name that members gave; absent if none. */
  givenName: z.string().optional(),
  identities: z.array(
    z.object({
      channel: Channel,
      identity: z.string(),
      name: z.string().optional(),
      username: z.string().optional(),
      phoneNumber: z.string().optional(),
      optedOut: z.boolean(),
    }),
  ),
  conversations: z.array(
    z.object({
      chatId: Id,
      channel: Channel,
      line: Named,
      status: ConversationStatus,
      lastText: z.string(),
      lastAt: Instant,
    }),
  ),
  campaigns: z.array(
    z.object({ campaignId: Id, name: z.string(), channel: Channel, status: MessageStatus, at: Instant, cost: Rupees }),
  ),
  /** Merges and splits that can be undone, newest first. */
  changes: z.array(
    z.object({
      id: Id,
      kind: z.enum(['merge', 'split']),
      identities: z.array(z.string()),
      by: z.string(),
      at: Instant,
      undoneAt: Instant.optional(),
    }),
  ),
})
export type Contact = z.infer<typeof Contact>
