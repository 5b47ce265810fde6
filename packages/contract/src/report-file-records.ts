import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, Instant } from './common.ts'
import type { ApiScope } from './api-scopes.ts'
import type { Module, Role } from './roles.ts'

/** Who may request reports. */
const everyone = ['manager', 'user', 'admin', 'department_head'] as const satisfies readonly Role[]

type ReportTypeFacts = {
  title: string
  /** What it answers, in a sentence. */
  about: string
  group: 'Messages' | 'Money' | 'API and webhooks' | 'Inbox' | 'Accounts'
  /** What a row is: 'One row per …'. */
  grain: string
  /** A row for each message, click or entry; then there is no PDF. */
  detailed: boolean
  /** What is deleted after the retention, so that the report has nothing of it. Null: the report reads figures by day, or records that stay. */
  deleted: string | null
  /** What a request may limit it to. Else channel and campaign are `all`. */
  filters: readonly ('channel' | 'campaign')[]
  /** Who may request it, of those who may request reports. */
  roles: readonly Role[]
  /** A module that the account needs. */
  module?: Module
  /** What an API key needs besides the scope of reports. Null: the report is for sessions only. */
  keyScope?: ApiScope | null
}

const ofMessages = {
  group: 'Messages',
  filters: ['channel', 'campaign'],
  roles: everyone,
} as const satisfies Partial<ReportTypeFacts>

/** The types of report files, in the order of forms. */
export const reportTypes = {
  campaign_summary: {
    ...ofMessages,
    title: 'Campaigns',
    about: 'Sent, delivered, read and failed messages of campaigns, with their cost.',
    grain: 'campaign, day and channel',
    detailed: false,
    deleted: null,
  },
  campaign_detailed: {
    ...ofMessages,
    title: 'Campaign messages',
    about: 'What became of each message of campaigns.',
    grain: 'message',
    detailed: true,
    deleted: 'Messages that left',
  },
  delivery_log: {
    ...ofMessages,
    title: 'Delivery log',
    about: 'What became of each message of campaigns, the API and chats.',
    grain: 'message',
    detailed: true,
    deleted: 'Messages that left',
  },
  link_clicks: {
    ...ofMessages,
    title: 'Link clicks',
    about: 'Who clicked which link, and when.',
    grain: 'recipient and link',
    detailed: true,
    deleted: 'Messages that left',
  },
  failure_analysis: {
    ...ofMessages,
    title: 'Failures',
    about: 'Why messages failed or were skipped, and what to do.',
    grain: 'reason and code',
    detailed: false,
    deleted: 'Messages that left',
  },
  template_performance: {
    ...ofMessages,
    title: 'Templates',
    about: 'Which templates are delivered, read, clicked and answered, and what they cost.',
    grain: 'template, language and channel',
    detailed: false,
    deleted: null,
  },
  usage_and_billing: {
    ...ofMessages,
    group: 'Money',
    title: 'Usage and billing',
    about: 'What accounts sent and paid, by channel, category and country.',
    grain: 'account, channel, category and country',
    detailed: false,
    deleted: null,
  },
  ledger_statement: {
    group: 'Money',
    title: 'Ledger statement',
    about: 'Each movement of balances, with the balance after it.',
    grain: 'ledger entry',
    detailed: true,
    deleted: null,
    filters: [],
    roles: everyone,
    keyScope: 'balance:read',
  },
  api_usage: {
    group: 'API and webhooks',
    title: 'API usage',
    about: 'Calls of API keys, and the messages that they sent.',
    grain: 'API key and day',
    detailed: false,
    deleted: 'Messages and errors of calls',
    filters: [],
    roles: everyone,
    module: 'api',
    keyScope: null,
  },
  webhook_delivery: {
    group: 'API and webhooks',
    title: 'Webhook deliveries',
    about: 'Delivered and failed events of webhook endpoints, with their retries.',
    grain: 'endpoint, day and event type',
    detailed: false,
    deleted: 'Deliveries',
    filters: [],
    roles: everyone,
    module: 'api',
    keyScope: null,
  },
  conversation_detail: {
    group: 'Inbox',
    title: 'Conversations',
    about: 'Each conversation with its agent, times, messages and rating.',
    grain: 'conversation',
    detailed: true,
    deleted: 'Replies',
    filters: ['channel'],
    roles: ['manager', 'user', 'department_head'],
    module: 'chat',
    keyScope: 'chats:read',
  },
  agent_performance: {
    group: 'Inbox',
    title: 'Agents',
    about: 'What agents answered and resolved, and how fast.',
    grain: 'agent',
    detailed: false,
    deleted: null,
    filters: [],
    roles: everyone,
    module: 'agent',
    keyScope: null,
  },
  audit_log: {
    group: 'Accounts',
    title: 'Audit log',
    about: 'Who did what, and to whose account.',
    grain: 'audit entry',
    detailed: true,
    deleted: null,
    filters: [],
    roles: ['manager', 'admin'],
    keyScope: null,
  },
} as const satisfies Record<string, ReportTypeFacts>

export type ReportType = keyof typeof reportTypes
/** What is known of a type. */
export function factsOfType(type: ReportType): ReportTypeFacts {
  return reportTypes[type]
}

/** The types that an account may request. */
export function reportTypesFor({ role, modules }: { role: Role; modules: ReadonlySet<Module> }): ReportType[] {
  return ReportType.options.filter((type) => {
    const { roles, module } = factsOfType(type)
    return roles.includes(role) && (module === undefined || modules.has(module))
  })
}

// The keys of an object literal.
export const ReportType = z.enum(Object.keys(reportTypes) as [ReportType, ...ReportType[]])

/** `pdf`: not of the types with `detailed`. */
export const ReportFormat = z.enum(['csv', 'xlsx', 'json', 'pdf'])
export type ReportFormat = z.infer<typeof ReportFormat>

/** `expired`: its file was deleted after `expiresAt`. */
export const ReportStatus = z.enum(['queued', 'processing', 'ready', 'failed', 'expired'])
export type ReportStatus = z.infer<typeof ReportStatus>

/** The longest span of a report, both days included. */
export const maximumReportDays = 366
/** Rows of the preview of a report. */
export const previewRows = 50

/** `all`: of every channel. */
export const ReportChannel = z.union([Channel, z.literal('all')])
export type ReportChannel = z.infer<typeof ReportChannel>

export const ReportFile = z.object({
  reportId: Id,
  type: ReportType,
  name: z.string(),
  channel: ReportChannel,
  /** Days in `timezone`, both included: the days on which messages left, or events happened. */
  from: z.string(),
  to: z.string(),
  timezone: z.string(),
  /** Null: all campaigns. */
  campaign: z.object({ _id: Id, name: z.string() }).nullable(),
  detailed: z.boolean(),
  format: ReportFormat,
  status: ReportStatus,
  /** Percent; 100 if it is ready. */
  progress: z.number(),
  /** Rows written so far. */
  rows: z.number(),
  sizeBytes: z.number().nullable(),
  /** SHA-256 of the file in hexadecimal. */
  checksum: z.string().nullable(),
  requestedBy: z.object({ _id: Id, name: z.string() }),
  /** Whether the caller may delete it. */
  mayDelete: z.boolean(),
  createdAt: Instant,
  readyAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  /** Why it failed. */
  error: z.string().nullable(),
})
export type ReportFile = z.infer<typeof ReportFile>

const ReportUnit = z.enum(['text', 'count', 'percent', 'rupees', 'time', 'day', 'phone'])

export const ReportDetails = ReportFile.extend({
  /** What must be known to read the figures, such as that details of these days were deleted. */
  notes: z.array(z.string()),
  /** Sums over the rows that were written. Empty until it is ready. */
  summary: z.array(z.object({ label: z.string(), value: z.number(), unit: ReportUnit })),
  /** Figures by day for a chart, if the report has days. */
  daily: z.array(z.object({ day: z.string(), submitted: z.number(), delivered: z.number(), failed: z.number() })),
  columns: z.array(z.object({ key: z.string(), title: z.string(), unit: ReportUnit })),
  /** The first rows, formatted as in the file. */
  preview: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
})
export type ReportDetails = z.infer<typeof ReportDetails>
