import { z } from 'zod'
import { Id, IdPath } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'
import { reviewStatuses } from '../../review-statuses.ts'
import { megabyte } from '../../sizes.ts'
import { TemplateRecord } from '../../templates.ts'
import { MetaId } from './whatsapp-accounts.ts'

export const WhatsappCategory = z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION'])
export type WhatsappCategory = z.infer<typeof WhatsappCategory>

export const WhatsappTemplateStatus = z.enum(reviewStatuses)
export type WhatsappTemplateStatus = z.infer<typeof WhatsappTemplateStatus>

const text = (maximum: number) => z.string().max(maximum)

export const TemplateHeader = z.discriminatedUnion('format', [
  z.object({ type: z.literal('HEADER'), format: z.literal('TEXT'), text: text(200), sample: text(200).default('') }),
  z.object({
    type: z.literal('HEADER'),
    format: z.enum(['IMAGE', 'VIDEO', 'DOCUMENT']),
    /** The sample for the review: the handle from `upload-meta-session`. */
    handle: text(4000).default(''),
    /** Our copy of the sample, for the preview. */
    fileId: Id.optional(),
  }),
  z.object({ type: z.literal('HEADER'), format: z.literal('LOCATION') }),
])
export type TemplateHeader = z.infer<typeof TemplateHeader>

/** A variable of a body, `{{1}}` or `{{first_name}}`, with a sample. */
export const TemplateSample = z.object({ name: text(60), sample: text(500).default('') })
export type TemplateSample = z.infer<typeof TemplateSample>

export const TemplateButton = z.discriminatedUnion('type', [
  z.object({ type: z.literal('QUICK_REPLY'), text: text(60) }),
  /** The URL may end in `{{1}}`, filled per recipient. */
  z.object({ type: z.literal('URL'), text: text(60), url: text(2500), sample: text(2500).default('') }),
  z.object({ type: z.literal('PHONE_NUMBER'), text: text(60), phone_number: text(30) }),
  z.object({ type: z.literal('COPY_CODE'), sample: text(30) }),
  z.object({
    type: z.literal('OTP'),
    otp_type: z.enum(['COPY_CODE', 'ONE_TAP', 'ZERO_TAP']).default('COPY_CODE'),
    text: text(60).default(''),
    autofill_text: text(60).default(''),
    supported_apps: z
      .array(z.object({ package_name: text(300), signature_hash: text(20) }))
      .max(5)
      .default([]),
  }),
])
export type TemplateButton = z.infer<typeof TemplateButton>

export const TemplateCard = z.object({
  header: TemplateHeader,
  body: text(2000).default(''),
  samples: z.array(TemplateSample).max(60).default([]),
  buttons: z.array(TemplateButton).max(10).default([]),
})
export type TemplateCard = z.infer<typeof TemplateCard>

/** Content of a template. Texts above Meta's limits are stored, and reported by `checkWhatsappTemplate`. */
export const WhatsappTemplateContent = z.object({
  header: TemplateHeader.optional(),
  /** Empty for authentication templates, whose body Meta writes. */
  body: text(4000).default(''),
  samples: z.array(TemplateSample).max(60).default([]),
  footer: text(200).default(''),
  buttons: z.array(TemplateButton).max(20).default([]),
  cards: z.array(TemplateCard).max(12).default([]),
  /** Authentication: 'For your security, do not share this code.' */
  securityRecommendation: z.boolean().default(true),
  /** Authentication: validity of the code in minutes; absent: not mentioned. */
  codeExpirationMinutes: z.number().int().min(1).max(90).optional(),
  /** Delivery time-to-live in seconds; absent: Meta's default. */
  timeToLiveSeconds: z.number().int().min(30).max(2_592_000).optional(),
})
export type WhatsappTemplateContent = z.infer<typeof WhatsappTemplateContent>

export const WhatsappTemplateInput = z.object({
  waba_id: MetaId,
  name: text(600),
  language: z.string().regex(/^[a-z]{2,3}(?:_[A-Z]{2,3})?$/, 'Choose a language'),
  category: WhatsappCategory,
  /** `{{1}}`, `{{2}}` … or `{{first_name}}`. */
  parameterFormat: z.enum(['positional', 'named']).default('positional'),
  components: WhatsappTemplateContent,
})
export type WhatsappTemplateInput = z.infer<typeof WhatsappTemplateInput>

export const WhatsappTemplateQuality = z.enum(['green', 'yellow', 'red', 'unknown'])

export const WhatsappTemplate = WhatsappTemplateInput.extend({
  ...TemplateRecord.shape,
  /** Meta's id; null for a draft. */
  metaId: z.string().nullable(),
  status: WhatsappTemplateStatus,
  quality: WhatsappTemplateQuality,
  /** Why it was rejected, paused or disabled, and what to do. */
  reason: z.string().optional(),
  /** Sending resumes automatically at this instant. */
  pausedUntil: z.string().optional(),
  /** Number of pauses; the third one disables it. */
  pausedCount: z.number(),
  /** The requested category, if Meta changed it. */
  previousCategory: WhatsappCategory.optional(),
  /** Scheduled and running campaigns that use it in any language; deletion covers all languages. */
  pendingCampaigns: z.number(),
})
export type WhatsappTemplate = z.infer<typeof WhatsappTemplate>

export const TemplateEvent = z.object({
  at: z.string(),
  event: z.string(),
  detail: z.string(),
})
export type TemplateEvent = z.infer<typeof TemplateEvent>

const cursors = z.object({ before: z.string().optional(), after: z.string().optional() })
const keepers = ['user', 'manager'] as const

export const whatsappTemplateEndpoints = defineEndpoints({
  'waTemplates.list': {
    route: 'GET /api/waba/templates',
    summary: 'The templates of a WhatsApp business account, by cursor; grouped by name across languages',
    roles: keepers,
    module: 'template',
    scope: 'templates:read',
    query: z.object({
      waba_id: MetaId.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(25),
      before: z.string().max(200).optional(),
      after: z.string().max(200).optional(),
      /** Accepted for compatibility; all fields are always returned. */
      fields: z.string().max(500).optional(),
      status: z.union([WhatsappTemplateStatus, z.string().max(200)]).optional(),
      category: WhatsappCategory.optional(),
      language: z.string().max(10).optional(),
      quality: WhatsappTemplateQuality.optional(),
      search: z.string().max(80).optional(),
    }),
    data: z.object({
      data: z.array(WhatsappTemplate),
      paging: z.object({ cursors, next: z.string().optional(), previous: z.string().optional() }),
      total: z.number(),
    }),
    top: true,
    fallback: 'Failed to fetch templates',
  },
  'waTemplates.get': {
    route: 'GET /api/waba/templates/{id}',
    summary: 'One template with its history',
    roles: keepers,
    module: 'template',
    scope: 'templates:read',
    path: IdPath,
    data: WhatsappTemplate.extend({ events: z.array(TemplateEvent) }),
    fallback: 'Failed to fetch templates',
    addition: true,
  },
  'waTemplates.save': {
    route: 'PUT /api/waba/templates/drafts',
    summary: 'Save a template as a draft; with an id, update that draft',
    roles: keepers,
    module: 'template',
    scope: 'templates:write',
    body: WhatsappTemplateInput.extend({ id: Id.optional() }),
    data: WhatsappTemplate,
    fallback: 'Failed to create template',
    addition: true,
  },
  'waTemplates.create': {
    route: 'POST /api/waba/create-template',
    summary: 'Submit a template to Meta for review; with an id, update and submit that draft or rejected template',
    roles: keepers,
    module: 'template',
    scope: 'templates:write',
    body: WhatsappTemplateInput.extend({ id: Id.optional() }),
    files: { file: { maximumBytes: 16 * megabyte, optional: true } },
    asksProvider: true,
    data: WhatsappTemplate,
    fallback: 'Failed to create template',
  },
  'waTemplates.delete': {
    route: 'DELETE /api/waba/templates',
    summary: 'Delete a template in all its languages; the name must belong to the account',
    roles: keepers,
    module: 'template',
    scope: 'templates:write',
    query: z.object({ templateName: z.string().min(1).max(600) }),
    body: z.object({ waba_id: MetaId }),
    asksProvider: true,
    /** Scheduled or running campaigns that use it: Meta rejects their messages from now on. */
    data: z.object({ campaigns: z.array(z.object({ _id: Id, name: z.string() })) }),
    fallback: 'Failed to delete template',
  },
  'waTemplates.sync': {
    route: 'POST /api/waba/templates/sync',
    summary: 'Refresh all templates of an account from Meta now instead of hourly',
    roles: keepers,
    module: 'template',
    scope: 'templates:write',
    body: z.object({ waba_id: MetaId }),
    asksProvider: true,
    data: z.object({ found: z.number(), changed: z.number() }),
    fallback: 'Failed to fetch templates',
    addition: true,
  },
  'waMedia.campaign': {
    route: 'POST /api/waba/media/upload-whatsapp-media',
    summary: 'Upload media for messages to Meta, which keeps it for 30 days',
    roles: keepers,
    scope: 'media:write',
    body: z.object({ waba_id: MetaId, phone_number_id: MetaId.optional() }),
    files: { file: { maximumBytes: 100 * megabyte } },
    asksProvider: true,
    data: z.object({ mediaId: z.string(), fileId: Id, expiresAt: z.string() }),
    fallback: 'Failed to upload campaign media',
  },
  'waMedia.template': {
    route: 'POST /api/waba/media/upload-meta-session',
    summary: 'Upload a template header sample or profile picture to Meta; returns its handle',
    roles: keepers,
    scope: 'media:write',
    body: z.object({
      waba_id: MetaId,
      file_name: z.string().max(200).optional(),
      file_type: z.string().max(100).optional(),
    }),
    files: { file: { maximumBytes: 16 * megabyte } },
    asksProvider: true,
    data: z.object({ handle: z.string(), fileId: Id }),
    fallback: 'Failed to upload template media',
  },
})
