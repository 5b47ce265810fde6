import { z } from 'zod'
import { CampaignStats, CampaignStatus } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Id, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'

const required = { id: 'Campaign ID is required', campaignId: 'Campaign ID is required' }

/** Numbers on a dashboard, of the accounts asked for. */
export const StatusCounts = z.object({
  submitted: z.number(),
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  pending: z.number(),
  replied: z.number(),
  optedOut: z.number(),
  cost: Rupees,
})

export const reportEndpoints = defineEndpoints({
  'reports.campaignStatus': {
    route: 'GET /api/reports/campaignStatus/{campaignId}',
    summary: 'Where a campaign stands, in numbers',
    roles: ['user', 'manager'],
    module: 'campaign',
    path: z.object({ campaignId: Id }),
    data: z.object({ campaignId: Id, status: CampaignStatus, stats: CampaignStats, percent: z.number() }),
    fallback: 'Failed to fetch campaigns',
    required,
  },
  'reports.campaignNumbers': {
    route: 'GET /api/reports/download-campaign-numbers/{id}',
    summary: 'Every recipient of a campaign with its fate, as CSV',
    roles: anyRole,
    path: z.object({ id: Id }),
    data: 'file',
    fallback: 'Failed to download report',
    required,
  },
  'reports.campaignExcel': {
    route: 'GET /api/reports/download-excel/',
    summary: 'The report of a campaign as an Excel workbook',
    roles: anyRole,
    query: z.object({ campaignId: Id }),
    data: 'file',
    fallback: 'Failed to download report',
    required,
  },
  'dashboard.statusCounts': {
    route: 'GET /api/dashboard/statusCounts',
    summary: 'Message counts and spend of accounts within reach; of one’s own reach when no userIds are given',
    roles: anyRole,
    query: z.object({
      userIds: z
        .string()
        .max(500 * 40)
        .optional(),
      days: z.coerce.number().int().min(1).max(366).default(7),
    }),
    data: z.object({
      channels: z.partialRecord(Channel, StatusCounts),
      total: StatusCounts,
      previous: StatusCounts,
      daily: z.array(
        z.object({
          day: z.string(),
          channel: Channel,
          submitted: z.number(),
          delivered: z.number(),
          failed: z.number(),
          cost: Rupees,
        }),
      ),
    }),
    fallback: 'An unexpected error occurred',
  },
})
