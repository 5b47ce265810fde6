import { z } from 'zod'
import { Id, Instant, Line, Name, TimeZone } from './common.ts'
import { ReportChannel, ReportFormat, ReportStatus, ReportType } from './report-file-records.ts'

export const ReportFrequency = z.enum(['daily', 'weekly', 'monthly'])
export type ReportFrequency = z.infer<typeof ReportFrequency>

/** Schedules of an account. */
export const maximumReportSchedules = 50
/** Addresses of one schedule. */
export const maximumReportAddresses = 10

const emailDestination = {
  type: z.literal('email'),
  /** Of members of the organization. */
  addresses: z.array(z.email('Enter an email address').max(254)).min(1, 'Enter an address').max(maximumReportAddresses),
}
const webhookDestination = { type: z.literal('webhook'), url: z.url('Enter a URL').max(2000) }
const s3Destination = {
  type: z.literal('s3'),
  /** Such as `https://s3.ap-south-1.amazonaws.com`. The bucket is part of the path of requests. */
  endpoint: z.url('Enter a URL').max(300),
  region: Line.min(1, 'Enter a region').max(60),
  bucket: z.string().regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'Enter the name of a bucket'),
  /** Begins the names of files. */
  prefix: Line.max(300).default(''),
  accessKeyId: Line.min(1, 'Enter the access key ID').max(128),
}

/** Where a report is delivered. Secrets are never returned. */
export const ReportDestination = z.discriminatedUnion('type', [
  z.object(emailDestination),
  z.object(webhookDestination),
  z.object(s3Destination),
])
export type ReportDestination = z.infer<typeof ReportDestination>

export const ReportDestinationInput = z.discriminatedUnion('type', [
  z.object(emailDestination),
  z.object(webhookDestination),
  z.object({
    ...s3Destination,
    /** Without it, the one of before is kept. */
    secretAccessKey: Line.min(1).max(256).optional(),
  }),
])
export type ReportDestinationInput = z.infer<typeof ReportDestinationInput>

export const ReportScheduleInput = z.object({
  name: Name.max(80),
  type: ReportType,
  channel: ReportChannel,
  campaignId: z.union([Id, z.literal('all')]).default('all'),
  format: ReportFormat.default('xlsx'),
  frequency: ReportFrequency,
  /** 1 is Monday. Of weekly schedules. */
  weekday: z.number().int().min(1).max(7).nullable().default(null),
  /** Of monthly schedules. In shorter months, the last day. */
  dayOfMonth: z.number().int().min(1).max(31).nullable().default(null),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 09:30'),
  timezone: TimeZone,
  destination: ReportDestinationInput,
})
export type ReportScheduleInput = z.infer<typeof ReportScheduleInput>

export const ReportRunStatus = z.enum(['preparing', 'delivering', 'delivered', 'failed'])
export type ReportRunStatus = z.infer<typeof ReportRunStatus>

export const ReportDelivery = z.object({
  /** An address, a host or a bucket. */
  target: z.string(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  nextAttemptAt: Instant.nullable(),
  /** Oldest first. */
  attempts: z.array(
    z.object({
      at: Instant,
      /** Null if it succeeded. */
      error: z.string().nullable(),
      /** What the server answered. */
      response: z.string().nullable(),
    }),
  ),
})
export type ReportDelivery = z.infer<typeof ReportDelivery>

export const ReportRun = z.object({
  runId: Id,
  dueAt: Instant,
  /** It was requested, and not due. */
  isManual: z.boolean(),
  from: z.string(),
  to: z.string(),
  /** Null if it was refused, and after the report was deleted. */
  reportId: Id.nullable(),
  reportStatus: ReportStatus.nullable(),
  status: ReportRunStatus,
  /** Why it failed. */
  error: z.string().nullable(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
})
export type ReportRun = z.infer<typeof ReportRun>

/** A run with its deliveries. */
export const DeliveredRun = ReportRun.extend({ deliveries: z.array(ReportDelivery) })
export type DeliveredRun = z.infer<typeof DeliveredRun>

export const ReportSchedule = z.object({
  scheduleId: Id,
  name: z.string(),
  type: ReportType,
  channel: ReportChannel,
  /** Null: all campaigns. */
  campaign: z.object({ _id: Id, name: z.string() }).nullable(),
  format: ReportFormat,
  frequency: ReportFrequency,
  weekday: z.number().nullable(),
  dayOfMonth: z.number().nullable(),
  time: z.string(),
  timezone: z.string(),
  destination: ReportDestination,
  isPaused: z.boolean(),
  /** Why it was paused, unless an account did so. */
  pausedReason: z.string().nullable(),
  /** Null while it is paused. */
  nextRunAt: Instant.nullable(),
  lastRun: ReportRun.nullable(),
  owner: z.object({ _id: Id, name: z.string() }),
  createdAt: Instant,
})
export type ReportSchedule = z.infer<typeof ReportSchedule>
