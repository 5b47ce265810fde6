import { z } from 'zod'
import { IdPath, Instant } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { longestLinkHost } from './link-addresses.ts'
import { PageQuery } from './paging.ts'

/** A tracked link of a campaign. Requests of programs are previews, not clicks. */
export const CampaignLink = z.object({
  /** Position of the leg in the draft. */
  leg: z.number().int(),
  /** The variable whose value it is. */
  variable: z.string(),
  url: z.string(),
  host: z.string(),
  /** Recipients of the leg whose message was accepted. */
  sent: z.number().int(),
  /** Recipients who clicked it. */
  people: z.number().int(),
  clicks: z.number().int(),
  previews: z.number().int(),
})
export type CampaignLink = z.infer<typeof CampaignLink>

export const LinkClicker = z.object({
  seq: z.number().int(),
  phoneNumber: z.string(),
  /** Of all links of the campaign. */
  clicks: z.number().int(),
  firstAt: Instant,
  lastAt: Instant,
  /** Of the first click. */
  device: z.enum(['android', 'ios', 'computer', 'other']),
})
export type LinkClicker = z.infer<typeof LinkClicker>

const LinkSettings = z.object({
  /** The own host name of tracked links; null: that of the brand or the installation. */
  host: z.string().nullable(),
  /** Where new links begin: scheme and host name. */
  origin: z.string(),
})
export type LinkSettings = z.infer<typeof LinkSettings>

const LinkHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(longestLinkHost, `At most ${longestLinkHost} characters`)
  .regex(
    /^(?!.*\.\d+$)[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/,
    'Enter a host name such as go.example.com',
  )

const required = { id: 'Campaign ID is required' }

/** Tracked links in messages: who clicked, and the host name of their addresses. */
export const linkEndpoints = defineEndpoints({
  'links.list': {
    route: 'GET /api/v1/campaigns/{id}/links',
    summary: 'The tracked links of a campaign with the recipients who clicked them',
    roles: ['user', 'manager'],
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    data: z.object({
      links: z.array(CampaignLink),
      /** Recipients who clicked any of them. */
      people: z.number().int(),
    }),
    fallback: 'Failed to fetch campaigns',
    required,
    addition: true,
  },
  'links.people': {
    route: 'GET /api/v1/campaigns/{id}/links/people',
    summary: 'The recipients of a campaign who clicked a tracked link, in the order of the audience',
    roles: ['user', 'manager'],
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    query: PageQuery,
    data: z.object({
      people: z.array(LinkClicker),
      total: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
    fallback: 'Failed to fetch campaigns',
    required,
    addition: true,
  },
  'links.settings': {
    route: 'GET /api/v1/link-settings',
    summary: 'The host name of the organisation’s tracked links',
    roles: ['user', 'manager', 'department_head'],
    data: LinkSettings,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'links.updateSettings': {
    route: 'PUT /api/v1/link-settings',
    summary: 'Choose the host name of tracked links; campaigns that are validated already keep theirs',
    roles: ['manager'],
    body: z.object({ host: LinkHost.nullable() }),
    data: LinkSettings,
    impersonation: false,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
