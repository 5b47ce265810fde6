import { z } from 'zod'
import { AudienceMapping } from '../../audience.ts'
import { Campaign, CampaignStatus, DraftBasics, Schedule, VariableSource } from '../../campaign-records.ts'
import { CampaignPage, NumberQuery, ResponsePage, ResponseQuery, Reviewed } from '../../campaigns.ts'
import { Day, Id, IdPath, Name } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'
import { messages } from '../../errors.ts'
import { PageQuery } from '../../paging.ts'
import { anyRole } from '../../roles.ts'
import { maximumAudienceBytes, numbersBodyBytes } from '../../sizes.ts'

const required = { id: 'Campaign ID is required', campaignId: 'Campaign ID is required' }
const starters = ['user', 'manager'] as const
const creators = ['user', 'manager', 'department_head'] as const

/** The specification's calls for SMS campaigns. The product's own screens use the calls for every channel. */
export const smsCampaignEndpoints = defineEndpoints({
  'smsCampaigns.list': {
    route: 'GET /api/sms/campaigns',
    summary: 'SMS campaigns in scope, newest first',
    roles: anyRole,
    module: 'campaign',
    scope: 'campaigns:read',
    query: PageQuery.extend({
      status: z.union([CampaignStatus, z.string().max(200)]).optional(),
      templateId: Id.optional(),
      smsAccountId: Id.optional(),
      createdBy: Id.optional(),
      from: Day.optional(),
      to: Day.optional(),
      search: z.string().max(80).optional(),
      sort: z.enum(['created', 'name', 'recipients', 'cost']).default('created'),
      direction: z.enum(['asc', 'desc']).default('desc'),
      includeTests: z.enum(['true', 'false']).default('false'),
    }),
    data: CampaignPage,
    top: true,
    fallback: 'Failed to fetch SMS campaigns',
  },
  'smsCampaigns.responses': {
    route: 'GET /api/sms/campaigns/responses',
    summary: 'The recipients of a campaign with the status of each message',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:read',
    query: ResponseQuery,
    data: ResponsePage,
    fallback: 'Failed to fetch campaigns',
    required,
  },
  'smsCampaigns.create': {
    route: 'POST /api/sms/campaigns/create',
    summary:
      'Create a campaign from a file or a list of numbers; it is validated immediately and becomes ready to start',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:write',
    body: z.object({
      campaignName: Name,
      smsAccountId: Id,
      templateId: Id,
      numbers: z.array(z.string().max(40)).max(50_000).optional(),
      variables: z.array(VariableSource).max(60).default([]),
      phoneColumn: z.coerce.number().int().min(0).max(255).optional(),
      defaultCountry: AudienceMapping.shape.defaultCountry,
      schedule: Schedule.default({ timezone: 'Asia/Kolkata' }),
      skipRecent: DraftBasics.shape.skipRecent,
      frequencyCap: DraftBasics.shape.frequencyCap,
    }),
    files: { file: { maximumBytes: maximumAudienceBytes, optional: true } },
    maximumBodyBytes: numbersBodyBytes,
    onLowDisk: 'refuse',
    data: Campaign,
    fallback: 'Failed to create campaign',
  },
  'smsCampaigns.start': {
    route: 'POST /api/sms/campaigns/{id}/start',
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
  'smsCampaigns.search': {
    route: 'GET /api/sms/campaigns/search',
    summary: 'Campaigns whose name contains the words',
    roles: ['admin', 'reseller', 'user', 'manager'],
    module: 'campaign',
    scope: 'campaigns:read',
    query: PageQuery.extend({ query: z.string().max(80).default('') }),
    data: CampaignPage,
    top: true,
    fallback: 'Failed to fetch SMS campaigns',
  },
  'smsCampaigns.searchNumber': {
    route: 'GET /api/sms/campaigns/{id}/search',
    summary: 'The recipients of a campaign whose number is, starts with or contains these digits',
    roles: anyRole,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    query: NumberQuery,
    data: ResponsePage,
    fallback: 'Failed to fetch campaigns',
    required,
  },
  'smsCampaigns.discard': {
    route: 'PUT /api/sms/campaigns/{id}/discard',
    summary:
      'Discard a campaign that has not started; a started one is cancelled. No new messages are sent after the response',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    onLowDisk: 'accept',
    data: Campaign,
    fallback: messages.unknown,
    required,
  },
})
