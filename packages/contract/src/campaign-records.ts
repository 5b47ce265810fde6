import { z } from 'zod'
import { CellFormat } from './cell-formats.ts'
import { Channel } from './channels.ts'
import { Id, Instant, Name, Rupees, TimeZone } from './common.ts'
import { SmsCategory } from './channels/sms/sms-templates.ts'

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

/** The fate of one message. `sent` means the provider took it; `queued` means nothing left yet. */
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

/** Why a message failed or was skipped, in classes that a person can act on. */
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
  'unknown',
])
export type FailureClass = z.infer<typeof FailureClass>

/** Where each variable of a template gets its value for a recipient. */
export const VariableSource = z.object({
  /** Index of a column of the file; absent when the value is the same for everyone. */
  column: z.number().int().min(0).max(255).optional(),
  /** The value when there is no column, or when the row's cell is empty. */
  fallback: z.string().max(200).default(''),
  /** How the cell is written; one that is no date or no number counts as empty. */
  format: CellFormat.optional(),
  /** Cut a longer value to this many characters instead of counting it as a problem. */
  trimTo: z.number().int().min(1).max(200).optional(),
})
export type VariableSource = z.infer<typeof VariableSource>

/** A piece of a message: fixed text, or a variable with its name and the column its value came from. */
export const MessagePiece = z.object({
  text: z.string(),
  variable: z.string().optional(),
  column: z.string().optional(),
  /** There is no value for it: nothing was sent, or will be. */
  missing: z.boolean().optional(),
})
export type MessagePiece = z.infer<typeof MessagePiece>

/** A variable of a campaign's text: its name in the template, and what fills it. */
export const BodyVariable = z.object({
  name: z.string(),
  /** The heading of the file's column; absent when the value is the same for everyone. */
  column: z.string().optional(),
  fallback: z.string(),
})
export type BodyVariable = z.infer<typeof BodyVariable>

export const Schedule = z.object({
  /** Absent: as soon as it is started. */
  startAt: Instant.optional(),
  timezone: TimeZone.default('Asia/Kolkata'),
})

/** Hours of the day in which messages may leave; outside them the campaign waits, it never drops. */
export const SendWindow = z.object({
  start: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
  end: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
  timezone: TimeZone.default('Asia/Kolkata'),
})
export type SendWindow = z.infer<typeof SendWindow>

/** Leaves out who got a message of another campaign on the same channel within these hours. */
export const SkipRecent = z.object({
  hours: z.number().int().min(1, 'At least an hour').max(720, 'At most 30 days'),
})
export type SkipRecent = z.infer<typeof SkipRecent>

/** Everything the wizard saves while a campaign is a draft. */
export const CampaignDraft = z.object({
  campaignName: Name,
  smsAccountId: Id.nullable().default(null),
  templateId: Id.nullable().default(null),
  audienceId: Id.nullable().default(null),
  variables: z.array(VariableSource).max(60).default([]),
  schedule: Schedule.default({ timezone: 'Asia/Kolkata' }),
  /** Absent: the window that the template's category asks for. Promotional in India: 10:00 to 21:00. */
  sendWindow: SendWindow.optional(),
  /** Looked at when each message leaves, not before; null: everybody is written to. */
  skipRecent: SkipRecent.nullable().default(null),
  /** The sender confirmed that these people agreed to promotional messages. */
  hasConsent: z.boolean().optional(),
  /** Stop trying after this instant; absent: three days after the start, or after its last part began. */
  expiresAt: Instant.optional(),
})
export type CampaignDraft = z.infer<typeof CampaignDraft>

export const CampaignStats = z.object({
  total: z.number(),
  queued: z.number(),
  /** Taken by the provider, whatever came of it later. */
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
  /** Why it could not start or went on waiting, in words. */
  statusDetail: z.string().optional(),
  smsAccountId: Id.nullable(),
  accountName: z.string(),
  templateId: Id.nullable(),
  templateName: z.string(),
  header: z.string(),
  /** TRAI's kind of an SMS, or Meta's of a WhatsApp template. */
  category: z.union([SmsCategory, z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION'])]).nullable(),
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
  /** Share of the recipients that were handled, 0 to 100. */
  percent: z.number(),
  /** Whom the channel lets get no more for now: they are tried again, the first of them at `from`, the last at `until`. */
  waiting: z.object({ people: z.number(), from: z.string(), until: z.string() }).optional(),
})
export type Campaign = z.infer<typeof Campaign>

/** One recipient of a campaign with the fate of its message. */
export const CampaignResponse = z.object({
  seq: z.number(),
  phoneNumber: z.string(),
  /** By which the message came last. */
  channel: Channel,
  status: MessageStatus,
  reason: FailureClass.optional(),
  /** The provider's own code and words. */
  code: z.string().optional(),
  /** What the reason means and what to do, for a person. */
  advice: z.string().optional(),
  parts: z.number(),
  cost: Rupees,
  sentAt: z.string().optional(),
  deliveredAt: z.string().optional(),
  failedAt: z.string().optional(),
  reply: z.string().optional(),
})
export type CampaignResponse = z.infer<typeof CampaignResponse>
