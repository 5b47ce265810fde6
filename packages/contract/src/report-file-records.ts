import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, Instant } from './common.ts'

/**
 * What the rows of a report file are. The types with `detailed` have a row for each message or click. Those with `needsMessages` have nothing of
 * messages that were deleted after the retention; the others read figures by day, which stay.
 */
export const reportTypes = {
  campaign_summary: { title: 'Campaigns', detailed: false, needsMessages: false, grain: 'campaign, day and channel' },
  campaign_detailed: { title: 'Campaign messages', detailed: true, needsMessages: true, grain: 'message' },
  delivery_log: { title: 'Delivery log', detailed: true, needsMessages: true, grain: 'message' },
  link_clicks: { title: 'Link clicks', detailed: true, needsMessages: true, grain: 'recipient and link' },
  failure_analysis: { title: 'Failures', detailed: false, needsMessages: true, grain: 'reason and code' },
  usage_and_billing: {
    title: 'Usage and billing',
    detailed: false,
    needsMessages: false,
    grain: 'account, channel, category and country',
  },
} as const satisfies Record<string, { title: string; detailed: boolean; needsMessages: boolean; grain: string }>

export type ReportType = keyof typeof reportTypes
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
  /** Days in `timezone`, both included: the days on which the messages left. */
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
