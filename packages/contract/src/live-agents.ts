import { z } from 'zod'
import { Email, Username } from './accounts.ts'
import { Password } from './auth.ts'
import { Channel } from './channels.ts'
import { Day, Id, IdPath, Instant, Line, Name, Nothing } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery, Pagination } from './paging.ts'
import { anyRole, Role } from './roles.ts'

export const Availability = z.enum(['online', 'busy', 'away', 'offline'])
export type Availability = z.infer<typeof Availability>

const Named = z.object({ _id: Id, name: z.string() })

/** An account that answers conversations. */
export const LiveAgent = z.object({
  /** The account's id. */
  _id: Id,
  name: z.string(),
  email: z.string(),
  role: Role,
  isOnline: z.boolean(),
  availability: Availability,
  availableSince: Instant,
  /** Whether they become offline when the last of their browsers has been closed for a while. */
  autoOffline: z.boolean(),
  lastSeenAt: Instant.optional(),
  skills: z.array(z.string()),
  teams: z.array(Named),
  /** Lines given to the agent; with those of the teams empty too, all lines. */
  inboxes: z.array(Named),
  channels: z.array(Channel),
  capacity: z.object({
    /** Null: no limit. */
    maxOpen: z.number().nullable(),
    perChannel: z.partialRecord(Channel, z.number()),
  }),
  /** Open conversations that they hold. */
  activeChats: z.number(),
  /** In the period; absent of colleagues whose metrics the caller may not see. */
  resolved: z.number().optional(),
  /** The median in the period; null if they gave no first answer. */
  firstResponseSeconds: z.number().nullable().optional(),
  invitedAt: Instant.optional(),
  /** `invited`: `_id` is the invitation's id. */
  status: z.enum(['invited', 'active', 'disabled']),
  /** Whether the caller may see their metrics and day. */
  mayMonitor: z.boolean(),
  /** Whether the caller may change and remove them. */
  mayManage: z.boolean(),
})
export type LiveAgent = z.infer<typeof LiveAgent>

const Durations = z.object({
  count: z.number(),
  avg: z.number().nullable(),
  p50: z.number().nullable(),
  p90: z.number().nullable(),
})

/** In seconds, by the clock and within business hours. */
const BothDurations = z.object({ clock: Durations, businessHours: Durations })

/** Today, and the last 7 or 30 days including today, in the organization's time zone. */
export const AgentPeriod = z.enum(['day', 'week', 'month'])
export type AgentPeriod = z.infer<typeof AgentPeriod>

export const AgentMetrics = z.object({
  period: AgentPeriod,
  from: Instant,
  to: Instant,
  assigned: z.number(),
  /** Conversations assigned to them that they opened, once for each assignment. */
  opened: z.number(),
  resolved: z.number(),
  reopened: z.number(),
  messagesIn: z.number(),
  messagesOut: z.number(),
  firstResponseTime: BothDurations,
  responseTime: BothDurations,
  resolutionTime: BothDurations,
  onlineSeconds: z.number(),
  busySeconds: z.number(),
  transfersIn: z.number(),
  transfersOut: z.number(),
  slaBreaches: z.number(),
  csat: z.object({ avg: z.number().nullable(), count: z.number() }),
  /** Messages by hour of the day in the organization's time zone. */
  byHour: z.array(z.object({ messagesIn: z.number(), messagesOut: z.number() })).length(24),
})
export type AgentMetrics = z.infer<typeof AgentMetrics>

const roles = ['manager', 'user', 'department_head'] as const
const failed = 'Failed to fetch agents'

/** In either spelling. */
const AgentRole = z
  .enum(['user', 'department_head', 'department-head'])
  .transform((role): Role => (role === 'department-head' ? 'department_head' : role))

const mostNeeded = 'Enter a whole number from 1 to 1,000'
const Most = z.number(mostNeeded).int(mostNeeded).min(1, mostNeeded).max(1000, mostNeeded)

const AgentSetup = {
  skills: z.array(Line.min(1, 'Enter a skill').max(40)).max(20).default([]),
  teamIds: z.array(Id).max(50).default([]),
  lineIds: z.array(Id).max(200).default([]),
  maxOpen: Most.nullable().default(null),
  perChannel: z.partialRecord(Channel, Most).default({}),
}

const required = { id: 'Choose an agent' }

export const liveAgentEndpoints = defineEndpoints({
  'agents.list': {
    route: 'GET /api/live-agent/agents',
    summary: 'The agents that the caller may see',
    roles: ['admin', 'manager', 'user', 'department_head'],
    module: 'agent',
    query: PageQuery.extend({
      online: z.enum(['true', 'false']).optional(),
      channel: Channel.optional(),
      search: z.string().trim().max(80).optional(),
      period: AgentPeriod.default('day'),
    }),
    data: z.object({ agents: z.array(LiveAgent), online: z.number(), pagination: Pagination }),
    fallback: failed,
  },
  'agents.invite': {
    route: 'POST /api/live-agent/invite-agent',
    summary: 'Invite a person by mail to answer conversations',
    roles,
    module: 'agent',
    body: z.strictObject({
      email: Email,
      name: Name,
      role: AgentRole.default('user'),
      ...AgentSetup,
    }),
    /** `link` is present if no mail server is configured, to be shared manually. */
    data: LiveAgent.extend({ link: z.string().optional() }),
    fallback: failed,
    answersSecret: true,
    impersonation: false,
  },
  'agents.create': {
    route: 'POST /api/live-agent/create-agent',
    summary: 'Make an existing account an agent, or create one with a one-time password',
    roles,
    module: 'agent',
    body: z.strictObject({
      /** An account of the organization; absent to create one. */
      accountId: Id.optional(),
      name: Name.optional(),
      email: Email.optional(),
      username: Username.optional(),
      /** Absent: a one-time password is generated. */
      password: Password.optional(),
      role: AgentRole.default('user'),
      ...AgentSetup,
    }),
    /** `temporaryPassword`: of a new account, returned once. */
    data: LiveAgent.extend({ temporaryPassword: z.string().optional() }),
    fallback: failed,
    answersSecret: true,
    impersonation: false,
  },
  'agents.search': {
    route: 'GET /api/agents/search',
    summary: 'Agents by name or email, to assign or mention',
    roles,
    query: z.object({ searchTerm: z.string().trim().max(80).default('') }),
    data: z.object({
      agents: z.array(
        z.object({ _id: Id, name: z.string(), email: z.string(), isOnline: z.boolean(), activeChats: z.number() }),
      ),
    }),
    fallback: failed,
  },
  'agents.metrics': {
    route: 'GET /api/live-agent/monitoring/metrics/agent/{id}',
    summary: 'What an agent did in a period',
    roles: anyRole,
    path: IdPath,
    query: z.object({ period: AgentPeriod.default('day') }),
    data: AgentMetrics,
    fallback: failed,
    required,
  },
  'agents.day': {
    route: 'GET /api/live-agent/agents/{id}/day',
    summary: 'When an agent was online, busy, away and offline on a day, and the conversations they hold',
    roles,
    module: 'agent',
    path: IdPath,
    query: z.object({ day: Day.optional() }),
    data: z.object({
      day: z.string(),
      timezone: z.string(),
      spans: z.array(z.object({ availability: Availability, from: Instant, to: Instant })),
      conversations: z.array(
        z.object({ chatId: Id, name: z.string(), channel: Channel, unread: z.number(), lastAt: Instant }),
      ),
    }),
    fallback: failed,
    required,
    addition: true,
  },
  'agents.update': {
    route: 'PUT /api/live-agent/agents/{id}',
    summary: 'Change the skills, teams, lines and capacity of an agent',
    roles: ['manager', 'department_head'],
    module: 'agent',
    path: IdPath,
    body: z.strictObject(AgentSetup),
    data: LiveAgent,
    fallback: failed,
    required,
    addition: true,
  },
  'agents.setAvailability': {
    route: 'PUT /api/live-agent/agents/{id}/availability',
    summary: 'Set an agent online, busy, away or offline',
    roles,
    path: IdPath,
    body: z.strictObject({ availability: Availability, autoOffline: z.boolean().optional() }),
    data: LiveAgent,
    fallback: failed,
    required,
    addition: true,
  },
  'agents.own': {
    route: 'GET /api/live-agent/own',
    summary: 'The caller as an agent',
    roles,
    module: 'chat',
    data: LiveAgent,
    fallback: failed,
    addition: true,
  },
  'agents.remove': {
    route: 'DELETE /api/live-agent/agents/{id}',
    summary: 'Remove an agent; their open conversations are unassigned and the account stays',
    roles: ['manager', 'department_head'],
    module: 'agent',
    path: IdPath,
    data: Nothing,
    fallback: failed,
    required,
    addition: true,
  },
})
