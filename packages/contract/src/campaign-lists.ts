import { z } from 'zod'
import { BodyVariable, Campaign, CampaignStats } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Day, Id } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'
import { anyRole } from './roles.ts'

/** A campaign of an account below: owner, content and results. */
export const AnyCampaign = Campaign.extend({
  channel: Channel,
  account: z.object({ _id: Id, name: z.string() }),
  organization: z.object({ _id: Id, name: z.string() }),
})
export type AnyCampaign = z.infer<typeof AnyCampaign>

export const AnyCampaignPage = z.object({
  campaigns: z.array(AnyCampaign),
  totalCampaigns: z.number(),
  totalPages: z.number(),
  currentPage: z.number(),
  campaignStats: z.array(z.object({ campaignId: Id, stats: CampaignStats })),
})
export type AnyCampaignPage = z.infer<typeof AnyCampaignPage>

export const campaignListEndpoints = defineEndpoints({
  'campaigns.list': {
    route: 'GET /api/v1/campaigns',
    summary: 'Campaigns of every channel and account in scope, newest first unless sorted otherwise',
    roles: anyRole,
    module: 'campaign',
    scope: 'campaigns:read',
    query: PageQuery.extend({
      /** Filters by sender; an unknown id matches nothing. */
      botId: z.string().trim().max(120).optional(),
      status: z.string().max(200).optional(),
      /** Separated by ' , '; an id out of scope is an error. */
      userIds: z
        .string()
        .max(500 * 40)
        .optional(),
      templateId: Id.optional(),
      templateName: z.string().trim().max(120).optional(),
      channel: Channel.optional(),
      from: Day.optional(),
      to: Day.optional(),
      search: z.string().trim().max(80).optional(),
      /** Only campaigns with more than this percentage of failed messages. */
      failedOver: z.coerce.number().min(0).max(100).optional(),
      sort: z.enum(['created', 'name', 'recipients', 'cost']).optional(),
      direction: z.enum(['asc', 'desc']).optional(),
    }),
    data: AnyCampaignPage,
    top: true,
    fallback: 'Failed to fetch campaigns',
    tool: {
      name: 'list_campaigns',
      title: 'List campaigns',
      description:
        'Lists campaigns of all channels, newest first, with their status and results. Filters by status, channel, day and text.',
    },
  },
  'campaigns.search': {
    route: 'GET /api/v1/campaigns/search',
    summary: 'Campaigns by name or id',
    roles: ['admin', 'reseller', 'user', 'manager'],
    module: 'campaign',
    scope: 'campaigns:read',
    query: z.object({ query: z.string().trim().max(80) }),
    data: AnyCampaignPage,
    top: true,
    fallback: 'Failed to fetch campaigns',
  },
  'campaigns.watch': {
    route: 'GET /api/v1/campaigns/{id}/watch',
    summary: 'One campaign of an account below, with its failures and text',
    roles: anyRole,
    module: 'campaign',
    scope: 'campaigns:read',
    path: z.object({ id: Id }),
    data: AnyCampaign.extend({
      stats: CampaignStats,
      body: z.string(),
      variables: z.array(BodyVariable),
      failures: z.array(
        z.object({ reason: z.string(), title: z.string(), advice: z.string(), count: z.number(), share: z.number() }),
      ),
    }),
    fallback: 'Failed to fetch campaigns',
    required: { id: 'Campaign ID is required' },
    addition: true,
  },
})
