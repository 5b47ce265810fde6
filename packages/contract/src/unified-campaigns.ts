import { z } from 'zod'
import { Campaign, CampaignStatus, SendWindow } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Day, Id, JoinedIds, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'
import { anyRole } from './roles.ts'

/** Maximum number of days and of campaigns in a plan. */
export const planLimits = { days: 14, campaigns: 500 }

/** Number of campaigns that can be compared. */
export const comparable = { fewest: 2, most: 4 }

export const UnifiedCampaign = Campaign.extend({
  /** Channels of its messages, in order. */
  channels: z.array(Channel),
})
export type UnifiedCampaign = z.infer<typeof UnifiedCampaign>

export const PlannedCampaign = z.object({
  _id: Id,
  campaignName: z.string(),
  status: CampaignStatus,
  channels: z.array(Channel),
  people: z.number(),
  beginsAt: z.string(),
  /** When it ended; null while it is scheduled or running. */
  endsAt: z.string().nullable(),
  /** Hours in which it is sent; absent: at any hour. */
  sendWindow: SendWindow.optional(),
})
export type PlannedCampaign = z.infer<typeof PlannedCampaign>

/** Messages of a campaign on one channel. */
export const ChannelResult = z.object({
  channel: Channel,
  sent: z.number(),
  /** Including read. */
  delivered: z.number(),
  read: z.number(),
  /** Without refunds. */
  cost: Rupees,
})
export type ChannelResult = z.infer<typeof ChannelResult>

export const ComparedCampaign = UnifiedCampaign.extend({
  results: z.array(ChannelResult),
  /** From its start to its end; null if it has not ended. */
  durationSeconds: z.number().nullable(),
})
export type ComparedCampaign = z.infer<typeof ComparedCampaign>

const hasSensibleCount = (ids: string) => {
  const count = new Set(ids.split(',')).size
  return count >= comparable.fewest && count <= comparable.most
}

const daysOf = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

const common = { roles: anyRole, module: 'campaign', fallback: 'Failed to fetch campaigns', addition: true } as const

/** Calls of the screen for campaigns over several channels. */
export const unifiedCampaignEndpoints = defineEndpoints({
  'campaigns.unified': {
    ...common,
    route: 'GET /api/v1/campaigns/unified',
    summary: 'Campaigns over several channels, newest first',
    scope: 'campaigns:read',
    query: PageQuery.extend({
      /** One status, or several separated by commas. */
      status: z.string().max(200).optional(),
      search: z.string().trim().max(80).optional(),
    }),
    data: z.object({
      campaigns: z.array(UnifiedCampaign),
      totalCampaigns: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
  },
  'campaigns.week': {
    ...common,
    route: 'GET /api/v1/campaigns/week',
    summary: 'Campaigns that are scheduled or sent within these days of the caller’s time zone, earliest first',
    scope: 'campaigns:read',
    query: z
      .object({ from: Day, to: Day })
      .refine(({ from, to }) => from <= to, { path: ['to'], message: 'The last day is before the first' })
      .refine((days) => daysOf(days) <= planLimits.days, {
        path: ['to'],
        message: `Choose at most ${planLimits.days} days`,
      }),
    data: z.object({
      campaigns: z.array(PlannedCampaign),
      /** The number of campaigns; only the first 500 are listed. */
      total: z.number(),
    }),
  },
  'campaigns.compare': {
    ...common,
    route: 'GET /api/v1/campaigns/compare',
    summary: 'Results of two to four campaigns, in the order of their ids',
    scope: 'campaigns:read',
    query: z.object({ ids: JoinedIds.refine(hasSensibleCount, 'Choose two to four campaigns') }),
    data: z.object({ campaigns: z.array(ComparedCampaign) }),
  },
})
