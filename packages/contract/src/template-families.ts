import { z } from 'zod'
import { Channel } from './channels.ts'
import { Flag, Id, IdPath, JoinedIds, Line, Nothing } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { MessageTraits } from './message-traits.ts'
import { PageQuery, Pagination } from './paging.ts'
import { findSharedTextProblem } from './shared-text.ts'

/** Maximum number of families of an organisation. */
export const maximumTemplateFamilies = 1000

const SharedText = z
  .string()
  .max(1600)
  .superRefine((text, context) => {
    const message = findSharedTextProblem(text)
    if (message) context.addIssue({ code: 'custom', message })
  })

const renditionFields = {
  channel: Channel,
  templateId: Id,
  /** Its text is replaced whenever the family's shared text changes, while it is a draft. */
  followsText: z.boolean(),
}

const RenditionInput = z.object({ ...renditionFields, followsText: z.boolean().default(false) })

export const TemplateFamilyInput = z.object({
  name: Line.min(1, 'Enter a name').max(80),
  /** The text that renditions may follow; variables are `{{first_name}}`. */
  text: SharedText.default(''),
  renditions: z
    .array(RenditionInput)
    .min(1, 'Choose a template of at least one channel')
    .max(Channel.options.length)
    .refine((all) => new Set(all.map(({ channel }) => channel)).size === all.length, 'Choose one template per channel'),
})

/** A template of one channel within a family, with what it says and whether it can be sent. */
export const Rendition = z.object({
  ...renditionFields,
  name: z.string(),
  /** As the channel's templates have it. */
  status: z.string(),
  isSendable: z.boolean(),
  /** Why it cannot be sent. */
  reason: z.string().optional(),
  traits: MessageTraits,
})
export type Rendition = z.infer<typeof Rendition>

/** Templates of several channels that say the same thing. */
export const TemplateFamily = z.object({
  _id: Id,
  name: z.string(),
  text: z.string(),
  renditions: z.array(Rendition),
  /** It has renditions, and each of them can be sent. */
  isReady: z.boolean(),
  /** Campaigns with one of its templates. */
  usedIn: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type TemplateFamily = z.infer<typeof TemplateFamily>

/** Those who may read the templates of every channel. */
const keepers = ['user', 'manager'] as const
const common = { roles: keepers, module: 'template', addition: true } as const

export const templateFamilyEndpoints = defineEndpoints({
  'families.list': {
    ...common,
    route: 'GET /api/v1/template-families',
    summary: 'Template families, last changed first',
    scope: 'templates:read',
    query: PageQuery.extend({
      search: z.string().trim().max(80).optional(),
      /** Only families that are ready, or only those that are not. */
      ready: Flag.optional(),
      /** Only families with one of these templates; ids separated by commas. */
      templates: JoinedIds.optional(),
    }),
    data: z.object({ families: z.array(TemplateFamily), pagination: Pagination }),
    fallback: 'Failed to fetch templates',
  },
  'families.get': {
    ...common,
    route: 'GET /api/v1/template-families/{id}',
    summary: 'One template family',
    scope: 'templates:read',
    path: IdPath,
    data: TemplateFamily,
    fallback: 'Failed to fetch templates',
  },
  'families.create': {
    ...common,
    route: 'POST /api/v1/template-families',
    summary: 'Link templates that say the same thing, one per channel',
    scope: 'templates:write',
    body: TemplateFamilyInput,
    data: TemplateFamily,
    fallback: 'Failed to create template',
  },
  'families.update': {
    ...common,
    route: 'PUT /api/v1/template-families/{id}',
    summary: 'Replace name, shared text and renditions of a template family',
    scope: 'templates:write',
    path: IdPath,
    body: TemplateFamilyInput,
    data: TemplateFamily,
    fallback: 'Failed to create template',
  },
  'families.delete': {
    ...common,
    route: 'DELETE /api/v1/template-families/{id}',
    summary: 'Delete a template family; its templates stay',
    scope: 'templates:write',
    path: IdPath,
    data: Nothing,
    fallback: 'Failed to delete template',
  },
})
