import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, IdPath, Instant, Line, Nothing, PhoneNumber } from './common.ts'
import {
  Conversation,
  ConversationPriority,
  ConversationStatus,
  HeldBy,
  LineTemplate,
  Named,
  ReplyContent,
  ScheduledReply,
  ThreadItem,
  Viewer,
} from './conversation-records.ts'
import { defineEndpoints } from './endpoint.ts'
import { StoredFile } from './files.ts'
import { megabyte } from './sizes.ts'

const roles = ['manager', 'user', 'department_head'] as const
const call = { roles, module: 'chat', fallback: 'An unexpected error occurred', addition: true } as const
const required = { id: 'Choose a conversation' }

/** A position in the changes of the database, as a response gave it. */
const ChangeCursor = z
  .string()
  .max(4000)
  .regex(/^\d+:\d+:[\d,]*$/, 'Use the cursor of a response')

/** The same, and a digest of what the caller saw then. */
const ListCursor = z
  .string()
  .max(4100)
  .regex(/^\d+:\d+:[\d,]*(?:;[\da-f]{1,32})?$/, 'Use the cursor of a response')

const limit = z.coerce.number().int().min(1).max(100).default(50)

export const ConversationBox = z.enum(['mine', 'unassigned', 'all'])
export type ConversationBox = z.infer<typeof ConversationBox>
export const ConversationOrder = z.enum(['closing', 'newest', 'waiting'])
export type ConversationOrder = z.infer<typeof ConversationOrder>

const ConversationFilter = z.object({
  box: ConversationBox.default('all'),
  /** `active`: all that are not resolved. */
  status: z.enum(['active', ...ConversationStatus.options]).default('active'),
  channel: Channel.optional(),
  line: Id.optional(),
  assignee: Id.optional(),
  team: Id.optional(),
  label: z.string().max(60).optional(),
  handledBy: HeldBy.optional(),
  unread: z.enum(['true', 'false']).optional(),
  /** Their window closes within two hours. */
  closingSoon: z.enum(['true', 'false']).optional(),
})

/** Each capped at 1000, which is shown as 999+. */
const ConversationCounts = z.object({
  mine: z.number(),
  unassigned: z.number(),
  all: z.number(),
  unread: z.number(),
  closingSoon: z.number(),
})
export type ConversationCounts = z.infer<typeof ConversationCounts>

/** A change of a conversation; absent fields stay as they are. */
const ConversationChange = z.strictObject({
  status: z.enum(['open', 'pending', 'resolved', 'snoozed']).optional(),
  /** With `snoozed`; without a time, until the person writes. */
  snoozedUntil: Instant.optional(),
  snoozeNote: z.string().trim().max(200).optional(),
  /** Null for none. */
  assigneeId: Id.nullable().optional(),
  teamId: Id.nullable().optional(),
  priority: ConversationPriority.optional(),
  labels: z.array(z.string().trim().min(1).max(60)).max(20).optional(),
  handledBy: HeldBy.optional(),
  /** With `paused`; without a time, until the bot is given the conversation again. */
  pausedUntil: Instant.optional(),
  isBlocked: z.boolean().optional(),
  isUnread: z.boolean().optional(),
})
export type ConversationChange = z.infer<typeof ConversationChange>

export const conversationEndpoints = defineEndpoints({
  'conversations.list': {
    ...call,
    route: 'GET /api/v1/conversations',
    summary: 'Conversations that the caller may see, in the chosen order',
    scope: 'chats:read',
    query: ConversationFilter.extend({
      order: ConversationOrder.default('closing'),
      /** `next` of the previous page. */
      after: z.string().max(200).optional(),
      limit,
    }),
    data: z.object({
      conversations: z.array(Conversation),
      next: z.string().optional(),
      /** Pass it to `conversations.changes` to learn what changed since. */
      cursor: z.string(),
      /** The server's time, by which windows are counted down. */
      now: Instant,
    }),
    tool: {
      name: 'list_conversations',
      title: 'List conversations',
      description: 'Lists conversations of the inbox. Continue with after.',
    },
  },
  'conversations.lines': {
    ...call,
    route: 'GET /api/v1/conversation-lines',
    summary: 'The lines that the caller answers',
    scope: 'chats:read',
    data: z.object({
      lines: z.array(
        Named.extend({
          channel: Channel,
          /** What customers see as the sender: numbers or names. */
          addresses: z.array(z.string()),
        }),
      ),
    }),
  },
  'conversations.templates': {
    ...call,
    route: 'GET /api/v1/conversation-lines/{id}/templates',
    summary: 'Templates that may be sent from a line, the most used first',
    scope: 'chats:read',
    path: IdPath,
    query: z.object({ search: Line.max(80).optional(), limit: z.coerce.number().int().min(1).max(50).default(20) }),
    data: z.object({ templates: z.array(LineTemplate) }),
    required: { id: 'Choose a line' },
  },
  'conversations.file': {
    ...call,
    route: 'GET /api/v1/conversations/{id}/files/{fileId}',
    summary: 'A media file of a message of the conversation',
    scope: 'chats:read',
    path: IdPath.extend({ fileId: Id }),
    data: 'file',
    required,
  },
  'conversations.upload': {
    ...call,
    route: 'POST /api/v1/conversations/{id}/files',
    summary: 'Store a media file to send in the conversation',
    scope: 'chats:write',
    path: IdPath,
    files: { fileContent: { maximumBytes: 20 * megabyte } },
    data: StoredFile,
    required,
  },
  'conversations.counts': {
    ...call,
    route: 'GET /api/v1/conversations/counts',
    summary: 'How many conversations each box has',
    scope: 'chats:read',
    query: ConversationFilter.omit({ box: true }),
    data: ConversationCounts,
  },
  'conversations.changes': {
    ...call,
    route: 'GET /api/v1/conversations/changes',
    summary:
      'Conversations that changed since a cursor, however long ago; those the caller no longer sees are named in `gone`',
    scope: 'chats:read',
    query: z.object({ since: ListCursor }),
    data: z.object({
      conversations: z.array(Conversation),
      gone: z.array(Id),
      cursor: z.string(),
      /** The cursor is of another database, too much changed, or the caller sees other conversations than then: read the lists again. */
      isStale: z.boolean(),
      now: Instant,
    }),
  },
  'conversations.search': {
    ...call,
    route: 'GET /api/v1/conversations/search',
    summary: 'Search names, numbers and all messages that the caller may see',
    scope: 'chats:read',
    query: z.object({
      q: z.string().trim().min(2, 'Enter at least two characters').max(100),
      channel: Channel.optional(),
      from: Instant.optional(),
      to: Instant.optional(),
      after: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    data: z.object({
      results: z.array(
        z.object({
          conversation: Conversation,
          /** The message that matches; absent if the name or number does. */
          message: z
            .object({ id: Id, text: z.string(), by: z.enum(['person', 'member', 'note']), at: Instant })
            .optional(),
        }),
      ),
      next: z.string().optional(),
    }),
    tool: {
      name: 'search_conversations',
      title: 'Search conversations',
      description: 'Searches names, numbers and messages of conversations.',
    },
  },
  'conversations.get': {
    ...call,
    route: 'GET /api/v1/conversations/{id}',
    summary: 'One conversation with its scheduled replies and the members who have it open',
    scope: 'chats:read',
    path: IdPath,
    data: z.object({
      conversation: Conversation,
      scheduled: z.array(ScheduledReply),
      viewers: z.array(Viewer),
      now: Instant,
    }),
    required,
    tool: {
      name: 'get_conversation',
      title: 'Get a conversation',
      description: 'Reads one conversation with its state, assignee and scheduled replies.',
    },
  },
  'conversations.thread': {
    ...call,
    route: 'GET /api/v1/conversations/{id}/items',
    summary: 'A page of a thread, newest page first; items in the order of time',
    scope: 'chats:read',
    path: IdPath,
    query: z.object({
      /** `before` of the previous page. */
      before: z.string().max(200).optional(),
      /** The page around an item, such as a search result. */
      around: Id.optional(),
      /** `after` of a page that does not end with the newest item. */
      after: z.string().max(200).optional(),
      limit,
    }),
    data: z.object({
      items: z.array(ThreadItem),
      /** Of older items; absent on the oldest page. */
      before: z.string().optional(),
      /** Of newer items; absent on the newest page. */
      after: z.string().optional(),
      cursor: z.string(),
      now: Instant,
    }),
    required,
    tool: {
      name: 'read_conversation',
      title: 'Read a conversation',
      description: 'Reads a page of the messages and notes of a conversation, newest page first.',
    },
  },
  'conversations.threadChanges': {
    ...call,
    route: 'GET /api/v1/conversations/{id}/changes',
    summary: 'Items of a thread that are new or changed since a cursor',
    scope: 'chats:read',
    path: IdPath,
    query: z.object({ since: ChangeCursor }),
    data: z.object({ items: z.array(ThreadItem), cursor: z.string(), isStale: z.boolean(), now: Instant }),
    required,
  },
  'conversations.deliveries': {
    ...call,
    route: 'GET /api/v1/conversations/{id}/deliveries',
    summary: 'The delivery of sent messages of a thread',
    scope: 'chats:read',
    path: IdPath,
    query: z.object({ ids: z.string().max(37 * 50) }),
    data: z.object({ items: z.array(ThreadItem) }),
    required,
  },
  'conversations.start': {
    ...call,
    route: 'POST /api/v1/conversations',
    summary: 'Write first to a number',
    scope: 'chats:write',
    body: z.strictObject({
      lineId: Id,
      phoneNumber: PhoneNumber,
      clientId: z.string().min(8).max(64),
      content: ReplyContent,
    }),
    data: z.object({ conversation: Conversation, item: ThreadItem }),
  },
  'conversations.reply': {
    ...call,
    route: 'POST /api/v1/conversations/{id}/replies',
    summary: 'Send a reply; 409 `outside_window` if only a template may be sent',
    scope: 'chats:write',
    path: IdPath,
    body: z.strictObject({
      /** Chosen by the caller; a repeat with the same one returns the first message. */
      clientId: z.string().min(8).max(64),
      content: ReplyContent,
      /** The item of the thread that it replies to. */
      inReplyTo: Id.optional(),
    }),
    data: ThreadItem,
    required,
  },
  'conversations.note': {
    ...call,
    route: 'POST /api/v1/conversations/{id}/notes',
    summary: 'Write a note that only members see',
    scope: 'chats:write',
    path: IdPath,
    body: z.strictObject({
      text: z.string().trim().min(1, 'Write a note').max(4000),
      mentions: z.array(Id).max(20).default([]),
    }),
    data: ThreadItem,
    required,
  },
  'conversations.read': {
    ...call,
    route: 'POST /api/v1/conversations/{id}/read',
    summary: 'Mark the messages up to one as read; later ones stay unread',
    scope: 'chats:write',
    path: IdPath,
    body: z.strictObject({ upTo: Id.optional() }),
    data: Conversation,
    required,
  },
  'conversations.change': {
    ...call,
    route: 'PUT /api/v1/conversations/{id}',
    summary: 'Assign, resolve, snooze, label, prioritise, block or hand over a conversation',
    scope: 'chats:write',
    path: IdPath,
    body: ConversationChange.extend({
      /** The revision that the caller saw; 409 if someone else changed it meanwhile. */
      revision: z.number().int().min(0).max(2_147_483_647).optional(),
    }),
    data: Conversation,
    required,
  },
  'conversations.changeMany': {
    ...call,
    route: 'PUT /api/v1/conversations',
    summary: 'Change up to a hundred conversations',
    scope: 'chats:write',
    body: z.strictObject({ ids: z.array(Id).min(1).max(100), change: ConversationChange }),
    data: z.object({
      conversations: z.array(Conversation),
      refused: z.array(z.object({ chatId: Id, message: z.string() })),
    }),
  },
  'conversations.schedule': {
    ...call,
    route: 'POST /api/v1/conversations/{id}/scheduled-replies',
    summary: 'Send a reply later',
    scope: 'chats:write',
    path: IdPath,
    body: z.strictObject({
      content: ReplyContent,
      sendAt: Instant,
      endsOnAnswer: z.boolean().default(true),
    }),
    data: ScheduledReply,
    required,
  },
  'conversations.unschedule': {
    ...call,
    route: 'DELETE /api/v1/conversations/{id}/scheduled-replies/{replyId}',
    summary: 'Cancel a scheduled reply',
    scope: 'chats:write',
    path: IdPath.extend({ replyId: Id }),
    data: Nothing,
    required,
  },
})
