import { z } from 'zod'
import { AbPhase } from './ab-tests.ts'
import { CellFormat } from './cell-formats.ts'
import { Channel } from './channels.ts'
import { Id, Instant, Name, Rupees, TimeZone } from './common.ts'
import { LinkTarget } from './link-addresses.ts'

export const CampaignStatus = z.enum([
  'draft',
  'validating',
  'ready',
  'pending_approval',
  'scheduled',
  'queued',
  'running',
  'paused',
  'completed',
  'cancelled',
  'discarded',
  'failed',
])
export type CampaignStatus = z.infer<typeof CampaignStatus>

export const PauseReason = z.enum([
  'manual',
  'quiet_hours',
  'error_threshold',
  'insufficient_balance',
  'template_paused',
  'template_disabled',
  'sender_limited',
  'channel_disconnected',
  'account_suspended',
  'admin_hold',
])
export type PauseReason = z.infer<typeof PauseReason>

/** Status of a message. `sent`: accepted by the provider. `queued`: not sent yet. */
export const MessageStatus = z.enum([
  'queued',
  'skipped',
  'cancelled',
  'unknown',
  'unconfirmed',
  'sent',
  'failed',
  'delivered',
  'read',
])
export type MessageStatus = z.infer<typeof MessageStatus>

/** Actionable classes of failure and skip reasons. */
export const FailureClass = z.enum([
  'number_unreachable',
  'invalid_number',
  'operator_rejected',
  'undelivered',
  'expired',
  'dnd_blocked',
  'opted_out',
  'outside_window',
  'dlt_entity',
  'dlt_telemarketer',
  'dlt_header',
  'dlt_template',
  'sender_rejected',
  'channel_auth',
  'content_blocked',
  'bad_request',
  'throughput_limited',
  'not_connected',
  'missing_variable',
  'user_marketing_cap',
  'sender_spam_limited',
  'pair_rate_limited',
  'template_params',
  'template_missing_locale',
  'template_paused',
  'template_disabled',
  'media_failed',
  'auth_template_to_bsuid',
  'campaign_expired',
  'recently_messaged',
  'frequency_capped',
  'held_out',
  'revoked',
  'unknown',
])
export type FailureClass = z.infer<typeof FailureClass>

/** Where a template variable gets its value for a recipient. */
export const VariableSource = z.object({
  /** Column index in the file; absent if the value is the same for everyone. */
  column: z.number().int().min(0).max(511).optional(),
  /** The value without a column, or for an empty cell. */
  fallback: z.string().max(200).default(''),
  /** Format of the cell. A cell that is not a valid date or number counts as empty. */
  format: CellFormat.optional(),
  /** Truncates longer values to this many characters instead of reporting a problem. */
  trimTo: z.number().int().min(1).max(200).optional(),
  /** The value is a tracked link to this page, with an address for each recipient; column and fallback do not matter. */
  link: LinkTarget.optional(),
})
export type VariableSource = z.infer<typeof VariableSource>

/** A piece of a message: fixed text, or a variable with its name and source column. */
export const MessagePiece = z.object({
  text: z.string(),
  variable: z.string().optional(),
  column: z.string().optional(),
  /** True if the value is missing; the message is not sent. */
  missing: z.boolean().optional(),
})
export type MessagePiece = z.infer<typeof MessagePiece>

/** A variable of the text: its name in the template, and its value source. */
export const BodyVariable = z.object({
  name: z.string(),
  /** The column heading; absent if the value is the same for everyone. */
  column: z.string().optional(),
  fallback: z.string(),
  /** The page of a tracked link. */
  link: z.string().optional(),
})
export type BodyVariable = z.infer<typeof BodyVariable>

export const Schedule = z.object({
  /** Absent: immediately on start. */
  startAt: Instant.optional(),
  timezone: TimeZone.default('Asia/Kolkata'),
})

/** Hours of the day in which messages may be sent. Outside them the campaign waits. */
export const SendWindow = z.object({
  start: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
  end: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
  timezone: TimeZone.default('Asia/Kolkata'),
  /**
   * Applies the hours in the time zone of each recipient's country instead. In a country with several time zones, messages are sent
   * while the hours are open in all of them. Numbers without a country keep `timezone`.
   */
  useRecipientTimezone: z.boolean().optional(),
})
export type SendWindow = z.infer<typeof SendWindow>

/** Skips recipients who got a message of another campaign within these hours. */
export const SkipRecent = z.object({
  hours: z.number().int().min(1, 'At least an hour').max(720, 'At most 30 days'),
  /** `channel`: messages on the channel of the leg count. `all`: messages on every channel do. */
  scope: z.enum(['channel', 'all']).default('channel'),
})
export type SkipRecent = z.infer<typeof SkipRecent>

/** The fields that the drafts of all channels share. */
export const DraftBasics = z.object({
  campaignName: Name,
  audienceId: Id.nullable().default(null),
  schedule: Schedule.default({ timezone: 'Asia/Kolkata' }),
  /** Absent: the default of the template's category. */
  sendWindow: SendWindow.optional(),
  /** Evaluated when each message is sent. Null: nobody is skipped. */
  skipRecent: SkipRecent.nullable().default(null),
  /**
   * Whether the organisation's limit of marketing campaigns per person applies. Only a campaign without marketing messages can ignore
   * it.
   */
  frequencyCap: z.enum(['respect', 'ignore']).default('respect'),
  /** The sender confirmed consent to promotional messages. */
  hasConsent: z.boolean().optional(),
  /** Sending stops at this instant. Absent: three days after the start, or after the start of its last part. */
  expiresAt: Instant.optional(),
})

/** A count of one leg in the report of a campaign; `starters`, `entered` and `expired` only with a leg. */
export const LegResult = z.enum(['starters', 'entered', 'sent', 'delivered', 'read', 'failed', 'expired', 'skipped'])
export type LegResult = z.infer<typeof LegResult>

export const CampaignStats = z.object({
  total: z.number(),
  queued: z.number(),
  /** Accepted by the provider, whatever the later status. */
  submitted: z.number(),
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  skipped: z.number(),
  unknown: z.number(),
  unconfirmed: z.number(),
  cancelled: z.number(),
  replied: z.number(),
  /** Recipients who clicked a tracked link. */
  clicked: z.number(),
  parts: z.number(),
  cost: Rupees,
  refunded: Rupees,
})
export type CampaignStats = z.infer<typeof CampaignStats>

export const Campaign = z.object({
  _id: Id,
  campaignName: z.string(),
  channel: Channel,
  status: CampaignStatus,
  pauseReason: PauseReason.optional(),
  abPhase: AbPhase,
  /** Why it could not start, or why it is waiting. */
  statusDetail: z.string().optional(),
  /** The sender it is sent from. */
  senderId: Id.nullable(),
  accountName: z.string(),
  templateId: Id.nullable(),
  templateName: z.string(),
  header: z.string(),
  /** The template's category, as its channel names it. */
  category: z.string().nullable(),
  audienceId: Id.nullable(),
  fileName: z.string(),
  createdBy: z.string(),
  isTest: z.boolean(),
  startAt: z.string().nullable(),
  timezone: z.string(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  stats: CampaignStats,
  /** Percentage of recipients processed. */
  percent: z.number(),
  /** Recipients rate-limited by the channel. They are retried between `from` and `until`. */
  waiting: z.object({ people: z.number(), from: z.string(), until: z.string() }).optional(),
})
export type Campaign = z.infer<typeof Campaign>

/** One recipient of a campaign with the status of its message. */
export const CampaignResponse = z.object({
  seq: z.number(),
  phoneNumber: z.string(),
  /** Channel of the last message. */
  channel: Channel,
  status: MessageStatus,
  reason: FailureClass.optional(),
  /** The provider's error code and text. */
  code: z.string().optional(),
  /** Explanation of the reason, and what to do. */
  advice: z.string().optional(),
  parts: z.number(),
  cost: Rupees,
  sentAt: z.string().optional(),
  deliveredAt: z.string().optional(),
  failedAt: z.string().optional(),
  /** The first click on a tracked link. */
  clickedAt: z.string().optional(),
  reply: z.string().optional(),
})
export type CampaignResponse = z.infer<typeof CampaignResponse>
