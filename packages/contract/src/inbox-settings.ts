import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, IdPath, Line, Name, Nothing, TimeZone } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

const members = ['manager', 'user', 'department_head'] as const
const call = { roles: members, module: 'chat', fallback: 'An unexpected error occurred', addition: true } as const
const ofManager = { ...call, roles: ['manager'], module: 'agent' } as const

/** A text that is inserted by its shortcut. Variables: name, number, agent, organization, in double braces. */
export const CannedReply = z.object({ id: Id, shortcut: z.string(), text: z.string() })
export type CannedReply = z.infer<typeof CannedReply>

const CannedReplyBody = z.strictObject({
  shortcut: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{M}\d_-]{1,40}$/u, 'Use letters, digits, - and _'),
  text: z.string().trim().min(1, 'Write a text').max(4096),
})

/** People who answer the same lines. */
export const Team = z.object({
  id: Id,
  name: z.string(),
  /** Only members that the caller may see. */
  members: z.array(z.object({ _id: Id, name: z.string() })),
  lines: z.array(z.object({ _id: Id, name: z.string() })),
})
export type Team = z.infer<typeof Team>

const TeamBody = z.strictObject({
  name: Name,
  memberIds: z.array(Id).max(200).default([]),
  lineIds: z.array(Id).max(200).default([]),
})

const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 09:30')

/** An end of 00:00 is the end of the day. */
const Hours = z
  .strictObject({ start: TimeOfDay, end: TimeOfDay })
  .refine(({ start, end }) => end === '00:00' || end > start, { path: ['end'], error: 'Enter a time after the start' })

const minutesNeeded = 'Enter whole minutes, at most a week'
const minutes = z
  .number(minutesNeeded)
  .int(minutesNeeded)
  .min(1, minutesNeeded)
  .max(7 * 24 * 60, minutesNeeded)
  .nullable()

export const InboxSettings = z.strictObject({
  /** Whether unassigned conversations are given to agents who are online. */
  assignsAutomatically: z.boolean(),
  timezone: TimeZone,
  /** Monday first; null: closed. Absent as a whole: always open. */
  businessHours: z.array(Hours.nullable()).length(7).nullable(),
  /** Targets; null for none. */
  firstReplyMinutes: minutes,
  nextReplyMinutes: minutes,
  /** Whether people are asked to rate a conversation once a member has resolved it. */
  asksForRating: z.boolean(),
  /** The question; null for the usual one. */
  ratingText: z.string().trim().min(1).max(500).nullable(),
  /** Templates that ask outside of the window, by channel. */
  ratingTemplates: z.partialRecord(Channel, Id),
})
export type InboxSettings = z.infer<typeof InboxSettings>

export const inboxSettingsEndpoints = defineEndpoints({
  'cannedReplies.list': {
    ...call,
    route: 'GET /api/v1/canned-replies',
    summary: 'The canned replies of the organization, by shortcut',
    scope: 'chats:read',
    data: z.object({ cannedReplies: z.array(CannedReply) }),
  },
  'cannedReplies.create': {
    ...call,
    route: 'POST /api/v1/canned-replies',
    summary: 'Add a canned reply',
    scope: 'chats:write',
    body: CannedReplyBody,
    data: CannedReply,
  },
  'cannedReplies.update': {
    ...call,
    route: 'PUT /api/v1/canned-replies/{id}',
    summary: 'Change a canned reply',
    scope: 'chats:write',
    path: IdPath,
    body: CannedReplyBody,
    data: CannedReply,
  },
  'cannedReplies.delete': {
    ...call,
    route: 'DELETE /api/v1/canned-replies/{id}',
    summary: 'Delete a canned reply',
    scope: 'chats:write',
    path: IdPath,
    data: Nothing,
  },
  'labels.list': {
    ...call,
    route: 'GET /api/v1/conversation-labels',
    summary: 'Labels that conversations have, the most frequent first',
    scope: 'chats:read',
    query: z.object({ search: Line.max(60).optional() }),
    data: z.object({ labels: z.array(z.string()) }),
  },
  'teams.list': {
    ...call,
    route: 'GET /api/v1/teams',
    summary: 'The teams of the organization',
    data: z.object({ teams: z.array(Team) }),
  },
  'teams.create': {
    ...ofManager,
    route: 'POST /api/v1/teams',
    summary: 'Add a team',
    body: TeamBody,
    data: Team,
  },
  'teams.update': {
    ...ofManager,
    route: 'PUT /api/v1/teams/{id}',
    summary: 'Change a team',
    path: IdPath,
    body: TeamBody,
    data: Team,
  },
  'teams.delete': {
    ...ofManager,
    route: 'DELETE /api/v1/teams/{id}',
    summary: 'Delete a team; its conversations have none then',
    path: IdPath,
    data: Nothing,
  },
  'inboxSettings.get': {
    ...call,
    route: 'GET /api/v1/inbox-settings',
    summary: 'Assignment, business hours and targets of the inbox',
    data: InboxSettings,
  },
  'inboxSettings.update': {
    ...ofManager,
    route: 'PUT /api/v1/inbox-settings',
    summary: 'Change assignment, business hours and targets of the inbox',
    body: InboxSettings,
    data: InboxSettings,
  },
})
