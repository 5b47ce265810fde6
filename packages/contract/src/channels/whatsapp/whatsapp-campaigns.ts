import { z } from 'zod'
import { AudienceMapping } from '../../audience.ts'
import { maximumAudienceBytes, numbersBodyBytes } from '../../sizes.ts'
import { Campaign, DraftBasics, VariableSource } from '../../campaign-records.ts'
import { FailoverCondition } from '../../draft-legs.ts'
import { CampaignPage, ResponsePage, ResponseQuery, Reviewed } from '../../campaigns.ts'
import { Flag, Id, IdPath, Line, Name } from '../../common.ts'
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
  /** Uploaded to the provider when the message is sent. */
  z.object({ fileId: Id, filename: fileName }),
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

/** A WhatsApp campaign as the specification's call names its fields. */
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

const required = { id: 'Campaign ID is required', campaignId: 'Campaign ID is required' }
const starters = ['user', 'manager'] as const

/** The specification's calls for WhatsApp campaigns. The product's own screens use the calls for every channel. */
export const whatsappCampaignEndpoints = defineEndpoints({
  'waCampaigns.list': {
    route: 'GET /api/waba/campaign/user-campaigns',
    summary: 'WhatsApp campaigns, newest first',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:read',
    query: PageQuery.extend({ status: z.string().max(200).optional(), search: z.string().max(80).optional() }),
    data: CampaignPage,
    top: true,
    fallback: 'Failed to fetch campaigns',
  },
  'waCampaigns.create': {
    route: 'POST /api/waba/campaign/create-campaign',
    summary:
      'Create a WhatsApp campaign from a file or a list of numbers; it is validated immediately and becomes ready to start',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:write',
    body: WhatsappDraft.pick({
      schedule: true,
      skipRecent: true,
      frequencyCap: true,
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
    scope: 'campaigns:write',
    path: IdPath,
    body: Reviewed,
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
    scope: 'campaigns:read',
    query: ResponseQuery,
    data: ResponsePage,
    fallback: 'Failed to fetch campaigns',
    required,
  },
})
