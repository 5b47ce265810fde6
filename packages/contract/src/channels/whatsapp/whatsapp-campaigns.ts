import { z } from 'zod'
import { AudienceMapping } from '../../audience.ts'
import { maximumAudienceBytes, numbersBodyBytes } from '../../sizes.ts'
import { Campaign, DraftBasics, MessageStatus, VariableSource } from '../../campaign-records.ts'
import { FailoverCondition } from '../../draft-legs.ts'
import { Changed, CountryPrice, Estimate, SavedSmsDraft } from '../../campaign-drafts.ts'
import { CampaignDetail, CampaignPage, ResponsePage } from '../../campaigns.ts'
import { Flag, Id, IdPath, Line, Name, PhoneNumber, Rupees } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'
import { PageQuery } from '../../paging.ts'
import { MetaId } from './whatsapp-accounts.ts'

const fileName = Line.max(240).optional()

/** Media of an image, video or document header: the same for everyone, or a URL or media id per row. */
export const HeaderMedia = z.union([
  z.object({ mediaId: z.string().min(1).max(200), fileId: Id.optional(), filename: fileName }),
  z.object({
    link: z.url({ protocol: /^https?$/, error: 'Enter a full URL with https://' }).max(2000),
    filename: fileName,
  }),
  z.object({ column: z.number().int().min(0).max(255), filename: fileName }),
])
export type HeaderMedia = z.infer<typeof HeaderMedia>

const Sources = z.array(VariableSource).max(60).default([])

const Place = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: Line.max(200).default(''),
  address: z.string().max(500).default(''),
})

/** Value sources of a template's variables. */
export const TemplateValues = z.object({
  /** The only variable of a text header. */
  header: VariableSource.optional(),
  media: HeaderMedia.optional(),
  location: Place.optional(),
  /** In the order of the body's variables: ascending numbers, or names as they appear. For an authentication template: the code. */
  body: Sources,
  /** One for each URL button that ends in a variable, in order: the URL suffix. */
  urls: Sources,
  copyCode: VariableSource.optional(),
  cards: z
    .array(z.object({ media: HeaderMedia.optional(), body: Sources, urls: Sources }))
    .max(10)
    .default([]),
})
export type TemplateValues = z.infer<typeof TemplateValues>

/** Everything the wizard saves for a WhatsApp draft. */
export const WhatsappDraft = DraftBasics.extend({
  waba_id: MetaId.nullable().default(null),
  /** The sending number. */
  numberId: Id.nullable().default(null),
  templateId: Id.nullable().default(null),
  values: TemplateValues.prefault({}),
  smsFailover: z.boolean().default(false),
  smsFailoverConditions: z.array(FailoverCondition).max(8).default([]),
  smsTemplate: Id.nullable().default(null),
  smsAccountId: Id.nullable().default(null),
  smsCustomParams: z.array(VariableSource).max(60).default([]),
  /** Recipients above today's messaging limit get the message on the following days. */
  splitOverDays: z.boolean().default(false),
})
export type WhatsappDraft = z.infer<typeof WhatsappDraft>

export const SavedWhatsappDraft = WhatsappDraft.extend(
  SavedSmsDraft.pick({ _id: true, status: true, savedAt: true, version: true }).shape,
)
export type SavedWhatsappDraft = z.infer<typeof SavedWhatsappDraft>

/** Cost over WhatsApp, and the maximum cost if all recipients fail over to SMS. */
export const WhatsappEstimate = Estimate.pick({
  people: true,
  pricePerPart: true,
  rateAsOf: true,
  cost: true,
  prices: true,
  balance: true,
  balanceAfter: true,
  shortfall: true,
  missing: true,
  optedOut: true,
  missingSeqs: true,
  unreadable: true,
  unreadableSeqs: true,
  durationSeconds: true,
  beginsAt: true,
  endsAt: true,
  checks: true,
}).extend({
  /** Part of `cost` reserved for SMS. */
  failoverCost: z.number(),
  failoverPricePerPart: z.number().nullable(),
  failoverPrices: z.array(CountryPrice),
  /** People who can still be messaged first today; null: no limit. */
  limitLeft: z.number().nullable(),
})
export type WhatsappEstimate = z.infer<typeof WhatsappEstimate>

const required = { id: 'Campaign ID is required', campaignId: 'Campaign ID is required' }
const starters = ['user', 'manager'] as const

export const whatsappCampaignEndpoints = defineEndpoints({
  'waCampaigns.list': {
    route: 'GET /api/waba/campaign/user-campaigns',
    summary: 'WhatsApp campaigns, newest first',
    roles: starters,
    module: 'campaign',
    query: PageQuery.extend({ status: z.string().max(200).optional(), search: z.string().max(80).optional() }),
    data: CampaignPage,
    top: true,
    fallback: 'Failed to fetch campaigns',
  },
  'waCampaigns.get': {
    route: 'GET /api/waba/campaign/user-campaigns/{id}',
    summary: 'One WhatsApp campaign with its funnel, timeline, failures and SMS failover',
    roles: starters,
    module: 'campaign',
    path: IdPath,
    data: CampaignDetail,
    fallback: 'Failed to fetch campaigns',
    required,
    addition: true,
  },
  'waCampaigns.create': {
    route: 'POST /api/waba/campaign/create-campaign',
    summary:
      'Create a WhatsApp campaign from a file or a list of numbers; it is validated immediately and becomes ready to start',
    roles: starters,
    module: 'campaign',
    body: WhatsappDraft.pick({
      schedule: true,
      skipRecent: true,
      smsFailoverConditions: true,
      smsCustomParams: true,
    }).extend({
      campaignName: Name,
      waba_id: MetaId,
      phone_number_id: MetaId.optional(),
      /** The template and its values. */
      message: z.object({ templateId: Id, values: TemplateValues.prefault({}) }),
      smsFailover: Flag.default(false),
      splitOverDays: Flag.default(false),
      smsTemplate: Id.optional(),
      smsAccountId: Id.optional(),
      numbers: z.array(z.string().max(40)).max(50_000).optional(),
      phoneColumn: z.coerce.number().int().min(0).max(255).optional(),
      defaultCountry: AudienceMapping.shape.defaultCountry,
    }),
    files: { file: { maximumBytes: maximumAudienceBytes, optional: true } },
    maximumBodyBytes: numbersBodyBytes,
    onLowDisk: 'refuse',
    data: Campaign,
    fallback: 'Failed to create campaign',
  },
  'waCampaigns.start': {
    route: 'POST /api/waba/campaign/start-campaign/{id}',
    summary: 'Start a ready campaign; idempotent',
    roles: starters,
    module: 'campaign',
    path: IdPath,
    body: z.object({ version: z.string().max(64).optional() }),
    onLowDisk: 'refuse',
    data: Campaign,
    fallback: 'Failed to start campaign',
    required,
  },
  'waCampaigns.responses': {
    route: 'GET /api/waba/campaign/campaign-responses',
    summary: 'The recipients of a WhatsApp campaign with their final status on either channel',
    roles: starters,
    module: 'campaign',
    query: PageQuery.extend({
      campaignId: Id,
      status: MessageStatus.optional(),
      number: z.string().max(20).optional(),
    }),
    data: ResponsePage,
    fallback: 'Failed to fetch campaigns',
    required,
  },
  'waDrafts.create': {
    route: 'POST /api/waba/campaign/drafts',
    summary: 'Create a WhatsApp draft in the wizard',
    roles: starters,
    module: 'campaign',
    body: WhatsappDraft,
    onLowDisk: 'refuse',
    data: SavedWhatsappDraft,
    fallback: 'Failed to create campaign',
    addition: true,
  },
  'waDrafts.get': {
    route: 'GET /api/waba/campaign/drafts/{id}',
    summary: 'The WhatsApp draft as last saved',
    roles: starters,
    module: 'campaign',
    path: IdPath,
    data: SavedWhatsappDraft,
    fallback: 'Failed to fetch campaigns',
    required,
    addition: true,
  },
  'waDrafts.save': {
    route: 'PUT /api/waba/campaign/drafts/{id}',
    summary: 'Save a WhatsApp draft; a campaign that was ready becomes a draft again',
    roles: starters,
    module: 'campaign',
    path: IdPath,
    query: Changed,
    body: WhatsappDraft,
    data: SavedWhatsappDraft,
    fallback: 'Failed to create campaign',
    required,
    addition: true,
  },
  'waDrafts.estimate': {
    route: 'GET /api/waba/campaign/drafts/{id}/estimate',
    summary: 'The cost of a WhatsApp draft on both channels, with every check',
    roles: starters,
    module: 'campaign',
    path: IdPath,
    data: WhatsappEstimate,
    fallback: 'Failed to create campaign',
    required,
    addition: true,
  },
  'waDrafts.test': {
    route: 'POST /api/waba/campaign/drafts/{id}/test',
    summary: 'Send one recipient’s message to the caller’s number as a charged test',
    roles: starters,
    module: 'campaign',
    path: IdPath,
    body: z.object({ phoneNumber: PhoneNumber, seq: z.number().int().min(0) }),
    data: z.object({ messageId: Id, parts: z.number(), cost: Rupees }),
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'waDrafts.validate': {
    route: 'POST /api/waba/campaign/drafts/{id}/validate',
    summary: 'Validate a WhatsApp draft: it becomes ready, or fails with a reason',
    roles: starters,
    module: 'campaign',
    path: IdPath,
    onLowDisk: 'refuse',
    data: Campaign,
    fallback: 'Failed to create campaign',
    required,
    addition: true,
  },
})
