import { z } from 'zod'
import { Id, IdPath } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'
import { megabyte } from '../../sizes.ts'
import { MetaId } from './whatsapp-accounts.ts'

export const WhatsappCategory = z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION'])
export type WhatsappCategory = z.infer<typeof WhatsappCategory>

/** Meta's words, and `DRAFT` for what was not submitted yet. Only an approved one may be sent. */
export const WhatsappTemplateStatus = z.enum([
  'DRAFT',
  'PENDING',
  'APPROVED',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'PENDING_DELETION',
  'DELETED',
  'LIMIT_EXCEEDED',
  'ARCHIVED',
])
export type WhatsappTemplateStatus = z.infer<typeof WhatsappTemplateStatus>

const text = (maximum: number) => z.string().max(maximum)

export const TemplateHeader = z.discriminatedUnion('format', [
  z.object({ type: z.literal('HEADER'), format: z.literal('TEXT'), text: text(200), sample: text(200).default('') }),
  z.object({
    type: z.literal('HEADER'),
    format: z.enum(['IMAGE', 'VIDEO', 'DOCUMENT']),
    /** The sample for the review: what `upload-meta-session` answered. */
    handle: text(4000).default(''),
    /** Our own copy of the sample, for the preview. */
    fileId: Id.optional(),
  }),
  z.object({ type: z.literal('HEADER'), format: z.literal('LOCATION') }),
])
export type TemplateHeader = z.infer<typeof TemplateHeader>

/** A variable of a body: `{{1}}` or `{{first_name}}`, with what it may look like. */
export const TemplateSample = z.object({ name: text(60), sample: text(500).default('') })
export type TemplateSample = z.infer<typeof TemplateSample>

export const TemplateButton = z.discriminatedUnion('type', [
  z.object({ type: z.literal('QUICK_REPLY'), text: text(60) }),
  /** The address may end in `{{1}}`, filled for each recipient. */
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

/** What a template says, in its parts. Longer texts than Meta takes are kept, and named by `checkWhatsappTemplate`. */
export const WhatsappTemplateContent = z.object({
  header: TemplateHeader.optional(),
  /** Meta writes the body of an authentication template itself. */
  body: text(4000).default(''),
  samples: z.array(TemplateSample).max(60).default([]),
  footer: text(200).default(''),
  buttons: z.array(TemplateButton).max(20).default([]),
  cards: z.array(TemplateCard).max(12).default([]),
  /** Authentication: 'For your security, do not share this code.' */
  securityRecommendation: z.boolean().default(true),
  /** Authentication: minutes until the code is worth nothing; absent: not said. */
  codeExpirationMinutes: z.number().int().min(1).max(90).optional(),
  /** Seconds Meta goes on trying; absent: as it does by itself. */
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

export const WhatsappTemplate = WhatsappTemplateInput.extend({
  _id: Id,
  /** Meta's id; null for a draft. */
  metaId: z.string().nullable(),
  status: WhatsappTemplateStatus,
  quality: z.enum(['green', 'yellow', 'red', 'unknown']),
  /** Why it was rejected, paused or disabled, in plain words, and what to do. */
  reason: z.string().optional(),
  /** It sends again at this instant by itself. */
  pausedUntil: z.string().optional(),
  /** How often it was paused: the third time it is disabled. */
  pausedCount: z.number(),
  /** Meta put it into another category: what it was asked as. */
  previousCategory: WhatsappCategory.optional(),
  usedCount: z.number(),
  /** Scheduled and running campaigns that use it in any language: a name is deleted in all of them. */
  pendingCampaigns: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type WhatsappTemplate = z.infer<typeof WhatsappTemplate>

export const TemplateEvent = z.object({
  at: z.string(),
  event: z.string(),
  /** In words. */
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
    query: z.object({
      waba_id: MetaId.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(25),
      before: z.string().max(200).optional(),
      after: z.string().max(200).optional(),
      /** Kept for callers that name them; every field is always answered. */
      fields: z.string().max(500).optional(),
      status: z.union([WhatsappTemplateStatus, z.string().max(200)]).optional(),
      category: WhatsappCategory.optional(),
      language: z.string().max(10).optional(),
      quality: z.enum(['green', 'yellow', 'red', 'unknown']).optional(),
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
    body: WhatsappTemplateInput.extend({ id: Id.optional() }),
    files: { file: { maximumBytes: 16 * megabyte, optional: true } },
    data: WhatsappTemplate,
    fallback: 'Failed to create template',
  },
  'waTemplates.delete': {
    route: 'DELETE /api/waba/templates',
    summary: 'Delete a template in all its languages; the name must belong to the account',
    roles: keepers,
    module: 'template',
    query: z.object({ templateName: z.string().min(1).max(600) }),
    body: z.object({ waba_id: MetaId }),
    /** Campaigns under way or scheduled that were made of it: from now on Meta refuses their messages. */
    data: z.object({ campaigns: z.array(z.object({ _id: Id, name: z.string() })) }),
    fallback: 'Failed to delete template',
  },
  'waTemplates.sync': {
    route: 'POST /api/waba/templates/sync',
    summary: 'Refresh all templates of an account from Meta now instead of hourly',
    roles: keepers,
    module: 'template',
    body: z.object({ waba_id: MetaId }),
    data: z.object({ found: z.number(), changed: z.number() }),
    fallback: 'Failed to fetch templates',
    addition: true,
  },
  'waMedia.campaign': {
    route: 'POST /api/waba/media/upload-whatsapp-media',
    summary: 'Upload media for messages to Meta, which keeps it for 30 days',
    roles: keepers,
    body: z.object({ waba_id: MetaId, phone_number_id: MetaId.optional() }),
    files: { file: { maximumBytes: 100 * megabyte } },
    data: z.object({ mediaId: z.string(), fileId: Id, expiresAt: z.string() }),
    fallback: 'Failed to upload campaign media',
  },
  'waMedia.template': {
    route: 'POST /api/waba/media/upload-meta-session',
    summary: 'Upload a template header sample or profile picture to Meta; returns its handle',
    roles: keepers,
    body: z.object({
      waba_id: MetaId,
      file_name: z.string().max(200).optional(),
      file_type: z.string().max(100).optional(),
    }),
    files: { file: { maximumBytes: 16 * megabyte } },
    data: z.object({ handle: z.string(), fileId: Id }),
    fallback: 'Failed to upload template media',
  },
})
