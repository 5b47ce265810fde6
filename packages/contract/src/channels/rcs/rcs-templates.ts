import { z } from 'zod'
import { Id, IdPath, Nothing } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'
import { PageQuery } from '../../paging.ts'
import { reviewStatuses } from '../../review-statuses.ts'
import { megabyte } from '../../sizes.ts'
import { TemplateRecord } from '../../templates.ts'

/** Why a message is sent; decides hours, opt-outs and the traffic type for the operator. */
export const RcsCategory = z.enum(['PROMOTION', 'TRANSACTION', 'AUTHENTICATION'])
export type RcsCategory = z.infer<typeof RcsCategory>

export const RcsTemplateType = z.enum(['text_message', 'rich_card_standalone', 'carousel'])
export type RcsTemplateType = z.infer<typeof RcsTemplateType>

export const RcsTemplateStatus = z.enum(reviewStatuses)
export type RcsTemplateStatus = z.infer<typeof RcsTemplateStatus>

const text = (maximum: number) => z.string().max(maximum)
const label = { text: text(60).default(''), postbackData: text(4000).default('') }

/** A reply or an action below a message or on a card. */
export const RcsSuggestion = z.discriminatedUnion('type', [
  z.object({ type: z.literal('reply'), ...label }),
  z.object({
    type: z.literal('open_url'),
    ...label,
    /** May contain variables. */
    url: text(4000).default(''),
    /** `webview`: within the messaging app. */
    opensIn: z.enum(['browser', 'webview']).default('browser'),
  }),
  z.object({ type: z.literal('dial'), ...label, phoneNumber: text(30).default('') }),
  z.object({
    type: z.literal('view_location'),
    ...label,
    latitude: z.number().min(-90).max(90).optional(),
    longitude: z.number().min(-180).max(180).optional(),
    /** Label of the pin. */
    label: text(200).default(''),
    /** A search instead of coordinates, such as 'Acme store near me'. */
    query: text(200).default(''),
  }),
  z.object({ type: z.literal('share_location'), ...label }),
  z.object({
    type: z.literal('create_calendar_event'),
    ...label,
    startTime: text(40).default(''),
    endTime: text(40).default(''),
    title: text(200).default(''),
    description: text(1000).default(''),
  }),
])
export type RcsSuggestion = z.infer<typeof RcsSuggestion>

const suggestions = z.array(RcsSuggestion).max(20).default([])

const cardFields = {
  cardTitle: text(400).default(''),
  cardDescription: text(4000).default(''),
  /** URL of an image, video or PDF; empty for none. May contain variables. */
  mediaUrl: text(4000).default(''),
  /** Preview image of a video; empty for none. */
  thumbnailUrl: text(4000).default(''),
  /** Description of the media for people who cannot see it. */
  mediaDescription: text(400).default(''),
  /** Our stored file, for media that was uploaded. */
  fileId: Id.optional(),
  suggestions,
}

export const RcsCard = z.object(cardFields)
export type RcsCard = z.infer<typeof RcsCard>

export const RcsCarouselCard = z.object({ order: z.number().int().min(0).max(100), ...cardFields })
export type RcsCarouselCard = z.infer<typeof RcsCarouselCard>

/** Content of a template. Content beyond the limits is stored, and reported by `checkRcsTemplate`. */
export const RcsTemplateContent = z.object({
  type: RcsTemplateType,
  textMessageContent: text(6000).default(''),
  orientation: z.enum(['VERTICAL', 'HORIZONTAL']).default('VERTICAL'),
  /** Side of the media of a horizontal card. */
  alignment: z.enum(['LEFT', 'RIGHT']).default('LEFT'),
  height: z.enum(['SHORT', 'MEDIUM', 'TALL']).default('MEDIUM'),
  /** Width of a carousel's cards. */
  width: z.enum(['SMALL', 'MEDIUM']).default('MEDIUM'),
  /** Chips below the message. */
  suggestions,
  standAlone: RcsCard.optional(),
  /** Shown in ascending `order`. */
  carouselList: z.array(RcsCarouselCard).max(20).default([]),
})
export type RcsTemplateContent = z.infer<typeof RcsTemplateContent>

export const RcsTemplateInput = RcsTemplateContent.extend({
  /** Provider id of the bot; null for a template that any bot may send. */
  botId: z.string().trim().max(200).nullable().default(null),
  name: z.string().trim().max(200),
  category: RcsCategory.default('PROMOTION'),
  /** Taken from the starter library. */
  isFromLibrary: z.boolean().default(false),
})
export type RcsTemplateInput = z.infer<typeof RcsTemplateInput>

export const RcsTemplate = RcsTemplateInput.extend({
  ...TemplateRecord.shape,
  status: RcsTemplateStatus,
  /** Name of the bot. */
  botName: z.string().nullable(),
  /** Whether the bot's operator reviews templates. */
  isReviewed: z.boolean(),
  /** Why the operator rejected it, and what to do. */
  reason: z.string().optional(),
  /** Scheduled and running campaigns that use it. */
  pendingCampaigns: z.number(),
})
export type RcsTemplate = z.infer<typeof RcsTemplate>

const keepers = ['user', 'manager'] as const
const readers = ['user', 'manager', 'department_head'] as const

export const rcsTemplateEndpoints = defineEndpoints({
  'rcsTemplates.list': {
    route: 'GET /api/v1/rcs/templates',
    summary: 'RCS templates, last changed first',
    roles: readers,
    module: 'template',
    scope: 'templates:read',
    query: PageQuery.extend({
      /** Templates that this bot can send: its own, and where its operator reviews none, those of any bot. An unknown id matches nothing. */
      botId: z.string().max(200).optional(),
      type: RcsTemplateType.optional(),
      status: z.union([RcsTemplateStatus, z.string().max(200)]).optional(),
      category: RcsCategory.optional(),
      search: z.string().trim().max(80).optional(),
    }),
    data: z.object({
      templates: z.array(RcsTemplate),
      total: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
    fallback: 'Failed to fetch templates',
    addition: true,
  },
  'rcsTemplates.get': {
    route: 'GET /api/v1/rcs/templates/{id}',
    summary: 'One RCS template',
    roles: readers,
    module: 'template',
    scope: 'templates:read',
    path: IdPath,
    data: RcsTemplate,
    fallback: 'Failed to fetch templates',
    addition: true,
  },
  'rcsTemplates.save': {
    route: 'PUT /api/v1/rcs/templates/drafts',
    summary: 'Save a template as a draft; with an id, update that draft',
    roles: keepers,
    module: 'template',
    scope: 'templates:write',
    body: RcsTemplateInput.extend({ id: Id.optional() }),
    data: RcsTemplate,
    fallback: 'Failed to create template',
    addition: true,
  },
  'rcsTemplates.create': {
    route: 'POST /api/v1/rcs/templates',
    summary:
      'Create a template, or submit a draft by its id; it can be sent at once, or after its review where the operator has one',
    roles: keepers,
    module: 'template',
    scope: 'templates:write',
    body: RcsTemplateInput.extend({ id: Id.optional() }),
    asksProvider: true,
    data: RcsTemplate,
    fallback: 'Failed to create template',
    addition: true,
  },
  'rcsTemplates.duplicate': {
    route: 'POST /api/v1/rcs/templates/{id}/duplicate',
    summary: 'A draft with the same content',
    roles: keepers,
    module: 'template',
    scope: 'templates:write',
    path: IdPath,
    data: RcsTemplate,
    fallback: 'Failed to create template',
    addition: true,
  },
  'rcsTemplates.delete': {
    route: 'DELETE /api/v1/rcs/templates/{id}',
    summary: 'Delete a template; scheduled and running campaigns keep what they were started with',
    roles: keepers,
    module: 'template',
    scope: 'templates:write',
    path: IdPath,
    asksProvider: true,
    data: Nothing,
    fallback: 'Failed to delete template',
    addition: true,
  },
  'rcsTemplates.sync': {
    route: 'POST /api/v1/rcs/templates/sync',
    summary: 'Refresh the templates of a bot from its operator now instead of hourly',
    roles: keepers,
    module: 'template',
    scope: 'templates:write',
    body: z.object({ botId: z.string().max(200) }),
    asksProvider: true,
    data: z.object({ found: z.number(), changed: z.number() }),
    fallback: 'Failed to fetch templates',
    addition: true,
  },
  'rcsMedia.file': {
    route: 'GET /api/v1/rcs/template-media/{id}',
    summary: 'An image, video or PDF of RCS templates, for operators and phones',
    roles: 'public',
    path: IdPath,
    data: 'file',
    fallback: 'File not found',
    addition: true,
  },
  'rcsMedia.template': {
    route: 'POST /api/v1/rcs/template-media',
    summary: 'Store an image, video or PDF for cards; returns its public URL',
    roles: keepers,
    module: 'template',
    scope: 'media:write',
    files: { file: { maximumBytes: 10 * megabyte } },
    data: z.object({ fileId: Id, url: z.string() }),
    fallback: 'Failed to upload template media',
    addition: true,
  },
})
