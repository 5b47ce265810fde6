import { z } from 'zod'
import { AbReport } from './ab-tests.ts'
import { Audience } from './audience.ts'
import { ExpectedLeg, ExpectedSplit, SavedDraft } from './campaign-drafts.ts'
import { messages } from './errors.ts'
import {
  BodyVariable,
  Campaign,
  CampaignResponse,
  CampaignStats,
  CampaignStatus,
  LegResult,
  MessageStatus,
  Schedule,
} from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Id, IdPath, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'
import { anyRole } from './roles.ts'

const required = { id: 'Campaign ID is required', campaignId: 'Campaign ID is required' }
/** The reviewed version; a different stored version is a conflict. Absent: no check. */
export const Reviewed = z.object({ version: z.string().max(64).optional() })
const starters = ['user', 'manager'] as const
const creators = ['user', 'manager', 'department_head'] as const

export const CampaignPage = z.object({
  campaigns: z.array(Campaign),
  totalCampaigns: z.number(),
  totalPages: z.number(),
  currentPage: z.number(),
  campaignStats: z.array(z.object({ campaignId: Id, stats: CampaignStats })),
  /** Counts per status before the status filter, for the tabs. */
  statusCounts: z.partialRecord(CampaignStatus, z.number()),
})
export type CampaignPage = z.infer<typeof CampaignPage>

export const ResponsePage = z.object({
  responses: z.array(CampaignResponse),
  total: z.number(),
  totalPages: z.number(),
  currentPage: z.number(),
})

export const FailureGroup = z.object({
  reason: z.string(),
  channel: Channel,
  title: z.string(),
  advice: z.string(),
  count: z.number(),
  /** Failed ones; the others were skipped. */
  failed: z.number(),
  /** Share of all failures, 0 to 1. */
  share: z.number(),
  codes: z.array(z.object({ code: z.string(), count: z.number() })),
})

/** The messages of one leg of a draft, and what its review expected. The counts are names of `result` in a list of recipients. */
export const CampaignLeg = z.object({
  /** Position of the leg in the draft. */
  leg: z.number().int(),
  channel: Channel,
  senderName: z.string(),
  templateName: z.string(),
  /** Recipients who began with this leg. */
  starters: z.number().int(),
  /** Recipients who failed over to it. */
  entered: z.number(),
  /** Accepted by the provider. */
  sent: z.number(),
  /** Includes read ones. */
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  /** Of the failed ones, those that expired or were revoked before they were delivered. */
  expired: z.number(),
  /** Not sent: opted out, without a value, and so on. */
  skipped: z.number(),
  /** Charges less refunds. */
  cost: Rupees,
  /** As the review showed it; absent for campaigns reviewed before this was stored. */
  expectedPeople: ExpectedLeg.shape.expectedPeople.optional(),
  expectedDelivered: ExpectedLeg.shape.expectedDelivered.optional(),
  expectedCost: ExpectedLeg.shape.expectedCost.optional(),
  basis: ExpectedLeg.shape.basis.optional(),
})
export type CampaignLeg = z.infer<typeof CampaignLeg>

export const CampaignDetail = Campaign.extend({
  body: z.string(),
  /** Variables of the body, in order of appearance. */
  variables: z.array(BodyVariable),
  timeline: z.array(
    z.object({ event: z.string(), at: z.string(), by: z.string().optional(), detail: z.string().optional() }),
  ),
  failures: z.array(FailureGroup),
  /** Messages sent, delivered and failed per five minutes. */
  overTime: z.array(z.object({ at: z.string(), sent: z.number(), delivered: z.number(), failed: z.number() })),
  held: Rupees,
  /** Recipients that failed over. `both`: with delivered messages of two or more legs. */
  failover: z
    .object({
      entered: z.number(),
      sent: z.number(),
      delivered: z.number(),
      both: z.number(),
      /** Reasons for failover, most frequent first. */
      reasons: z.array(z.object({ title: z.string(), count: z.number() })),
    })
    .optional(),
  /** The legs of the draft in order; empty before the campaign is validated. */
  legs: z.array(CampaignLeg),
  /** Recipients who got two or more messages: an earlier one was delivered after a later one had been sent. */
  both: z.number(),
  /** What the review showed. */
  expected: ExpectedSplit.omit({ legs: true }).optional(),
  /** Recipients who reached the organisation's cap on marketing campaigns, and when the first and the last of them get it. */
  postponed: z.object({ people: z.number().int(), from: z.string(), until: z.string() }).optional(),
  /** Present if it compares variants. */
  abTest: AbReport.optional(),
  /** Whether it has tracked links. */
  hasLinks: z.boolean(),
  ratePerSecond: z.number(),
  etaSeconds: z.number().nullable(),
})
export type CampaignDetail = z.infer<typeof CampaignDetail>

export const ValidatingProgress = Audience.pick({
  processed: true,
  total: true,
  percent: true,
  accepted: true,
  invalid: true,
  duplicate: true,
  suppressed: true,
  sampleErrors: true,
}).extend({ status: CampaignStatus, error: z.string().optional() })

/** Which recipients of a campaign are listed. With a leg, each is listed with the message of that leg. */
export const RecipientFilter = z.object({
  status: MessageStatus.optional(),
  /** Position of a leg in the draft. Alone: recipients whose last message is of this leg, or will be. */
  leg: z.coerce.number().int().min(0).max(99).optional(),
  /** The recipients counted by this number of the leg, or without a leg, of the campaign. `delivered` includes read ones. */
  result: LegResult.optional(),
  /** Recipients with delivered messages of two or more legs, each with the second of them. */
  both: z.literal('true').optional(),
  /** Recipients who clicked a tracked link of the campaign. */
  clicked: z.literal('true').optional(),
})

/** Recipients of a campaign, with filters. */
export const ResponseQuery = PageQuery.extend({
  campaignId: Id,
  number: z.string().max(20).optional(),
  ...RecipientFilter.shape,
  /** Recipients after this `seq`, instead of a page: takes the same time for any of a million. */
  after: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
})

/** Digits of a recipient's number. */
export const NumberQuery = PageQuery.extend({ number: z.string().min(3, 'Enter at least three digits').max(20) })

/** Calls about one campaign of any channel. */
export const campaignEndpoints = defineEndpoints({
  'campaigns.get': {
    route: 'GET /api/v1/campaigns/{id}',
    summary: 'One campaign with its funnel, timeline and failures',
    roles: anyRole,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    data: CampaignDetail,
    fallback: 'Failed to fetch campaigns',
    required,
    addition: true,
    tool: {
      name: 'get_campaign',
      title: 'Get a campaign',
      description: 'Reads one campaign with its settings, funnel, timeline and failures.',
    },
  },
  'campaigns.responses': {
    route: 'GET /api/campaigns/responses',
    summary: 'The recipients of a campaign with the status of each message',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:read',
    query: ResponseQuery,
    data: ResponsePage,
    fallback: 'Failed to fetch campaigns',
    required,
  },
  'campaigns.searchNumber': {
    route: 'GET /api/v1/campaigns/search/{id}',
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
  'campaigns.start': {
    route: 'POST /api/campaigns/start-campaign/{id}',
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
  'campaigns.discard': {
    route: 'PUT /api/campaigns/{id}/discard',
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
  'campaigns.pause': {
    route: 'POST /api/campaigns/{id}/pause',
    summary: 'Pause sending; no new messages are sent after the response',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    onLowDisk: 'accept',
    data: Campaign,
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'campaigns.resume': {
    route: 'POST /api/campaigns/{id}/resume',
    summary: 'Resume sending',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    onLowDisk: 'refuse',
    data: Campaign,
    fallback: 'Failed to start campaign',
    required,
    addition: true,
  },
  'campaigns.schedule': {
    route: 'POST /api/campaigns/{id}/schedule',
    summary: 'Place the hold and start at the given time; without a time, return to ready',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    body: Reviewed.extend({ startAt: Schedule.shape.startAt, timezone: Schedule.shape.timezone }),
    onLowDisk: 'refuse',
    data: Campaign,
    fallback: 'Failed to start campaign',
    required,
    addition: true,
  },
  'campaigns.duplicate': {
    route: 'POST /api/campaigns/{id}/duplicate',
    summary: 'A new draft with the same audience, template and variables',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    onLowDisk: 'refuse',
    data: SavedDraft,
    fallback: 'Failed to create campaign',
    required,
    addition: true,
  },
  'campaigns.validatingProgress': {
    route: 'GET /api/v1/reports/validating-progress/{id}',
    summary: 'Validation progress of a campaign',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    data: ValidatingProgress,
    fallback: 'An unexpected error occurred',
    required,
  },
})
