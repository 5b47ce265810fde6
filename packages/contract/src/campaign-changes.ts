import { z } from 'zod'
import { ChosenWinner, WinnerChosen } from './ab-tests.ts'
import { Campaign } from './campaign-records.ts'
import { RecipientFilter } from './campaigns.ts'
import { Channel } from './channels.ts'
import { Id, IdPath, Instant, JoinedIds } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'

const required = { id: 'Campaign ID is required' }
const starters = ['user', 'manager'] as const

/** The effect of a start at a given time. */
export const PlannedStart = z.object({
  beginsAt: z.string(),
  /** The sending hours as text: between 10:00 am and 9:00 pm, India time. */
  hours: z.string().optional(),
  /** Why the campaign cannot start then; absent if it can. */
  refusal: z.string().optional(),
})
export type PlannedStart = z.infer<typeof PlannedStart>

/** Resources a campaign depends on. */
export const CampaignNeed = z.enum(['sender', 'provider_account', 'template', 'account', 'channel'])
export type CampaignNeed = z.infer<typeof CampaignNeed>

/** Scheduled and running campaigns in the caller's scope that need a resource; only the first few are listed. */
export const CampaignsUsing = z.object({
  total: z.number(),
  scheduled: z.number(),
  campaigns: z.array(
    Campaign.pick({ _id: true, campaignName: true, channel: true, status: true, startAt: true, timezone: true }),
  ),
})
export type CampaignsUsing = z.infer<typeof CampaignsUsing>

/** Recipients whose message failed and was not delivered later. Delivered and unconfirmed messages do not count. */
export const FailedPeople = z.object({
  people: z.number(),
  /** Recipients already delivered by another resend, or in one that is still sending. */
  again: z.number(),
  reasons: z.array(
    z.object({
      reason: z.string(),
      channel: Channel,
      title: z.string(),
      people: z.number(),
      /** A resend would fail again. */
      isPermanent: z.boolean(),
    }),
  ),
})
export type FailedPeople = z.infer<typeof FailedPeople>

/** Calls that change a campaign of any channel by its id. */
export const campaignChangeEndpoints = defineEndpoints({
  'campaigns.plannedStart': {
    route: 'GET /api/v1/campaigns/{id}/planned-start',
    summary: 'When a campaign rescheduled to this time would send, or why it cannot',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    query: z.object({ startAt: Instant }),
    data: PlannedStart,
    fallback: 'Failed to fetch campaigns',
    required,
    addition: true,
  },
  'campaigns.using': {
    route: 'GET /api/v1/campaigns/using',
    summary:
      'Scheduled and running campaigns in scope that need a sender, template, account or channel; the next to start first',
    roles: anyRole,
    module: 'campaign',
    scope: 'campaigns:read',
    query: z.object({
      need: CampaignNeed,
      /** Ids of senders, connections, templates or accounts, separated by commas. */
      ids: JoinedIds.optional(),
      channel: Channel.optional(),
    }),
    data: CampaignsUsing,
    fallback: 'Failed to fetch campaigns',
    addition: true,
  },
  'campaigns.failed': {
    route: 'GET /api/v1/campaigns/{id}/failed',
    summary: 'Failed recipients of an ended campaign, by reason',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    data: FailedPeople,
    fallback: 'Failed to fetch campaigns',
    required,
    addition: true,
  },
  'campaigns.resendFailed': {
    route: 'POST /api/v1/campaigns/{id}/resend-failed',
    summary:
      'Create a draft from a finished campaign, addressed to the people whose message failed; delivered and unconfirmed messages are left out',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    body: z.object({
      /** Failure reasons to exclude. */
      leaveOut: z.array(z.string().max(60)).max(60).default([]),
    }),
    onLowDisk: 'refuse',
    data: z.object({ _id: Id, channel: Channel, people: z.number() }),
    fallback: 'Failed to create campaign',
    required,
    addition: true,
  },
  'campaigns.retarget': {
    route: 'POST /api/v1/campaigns/{id}/retarget',
    summary: 'Create a draft like a finished campaign, addressed to those of its recipients that a filter chooses',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    body: RecipientFilter,
    onLowDisk: 'refuse',
    data: z.object({ _id: Id, channel: Channel, people: z.number() }),
    fallback: 'Failed to create campaign',
    required,
    addition: true,
  },
  'campaigns.chooseWinner': {
    route: 'POST /api/v1/campaigns/{id}/winner',
    summary: 'Send a variant of the test to the other recipients; of concurrent choices one takes effect',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    body: ChosenWinner,
    onLowDisk: 'refuse',
    data: WinnerChosen,
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'campaigns.reopen': {
    route: 'POST /api/v1/campaigns/{id}/reopen',
    summary:
      'Unschedule a campaign for editing: the hold is released and nothing is sent until it is scheduled or started again',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    onLowDisk: 'accept',
    data: Campaign.pick({ status: true, channel: true }).extend({ _id: Id }),
    fallback: 'Failed to create campaign',
    required,
    addition: true,
  },
})
