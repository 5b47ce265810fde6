import { z } from 'zod'
import { CampaignStats, CampaignStatus } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Day, Id, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { messages } from './errors.ts'
import { anyRole, Role } from './roles.ts'

const required = { id: 'Campaign ID is required', campaignId: 'Campaign ID is required' }

/** Numbers on a dashboard, of the accounts asked for. */
export const StatusCounts = z.object({
  submitted: z.number(),
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  /** The provider's answer was lost. */
  unconfirmed: z.number(),
  pending: z.number(),
  replied: z.number(),
  optedOut: z.number(),
  cost: Rupees,
})

/** The numbers of one day and channel. */
const DayCounts = z.object({
  submitted: z.number(),
  /** On the way at the end of the day; what was sent before and ended on it counts against it. */
  sent: z.number(),
  /** Those that were read as well. */
  delivered: z.number(),
  failed: z.number(),
  unconfirmed: z.number(),
  cost: Rupees,
})

/** What one account and everyone below it sent and spent in a span of days. */
export const AccountUsage = z.object({
  userId: Id,
  name: z.string(),
  username: z.string(),
  type: Role,
  channels: z.partialRecord(Channel, StatusCounts),
  total: StatusCounts,
  /** Of everything in the answer, 0 to 1. */
  share: z.number(),
  /** Days on which something was sent; of a long span, each stands for several days and bears the name of the first. */
  daily: z.array(z.object({ day: z.string(), submitted: z.number(), cost: Rupees })),
})
export type AccountUsage = z.infer<typeof AccountUsage>

const usageQuery = z.object({
  userIds: z
    .string()
    .max(500 * 40)
    .optional(),
  startDate: Day,
  endDate: Day,
})

/** Of a span that is over: `pending` is always 0. Nobody counts twice in `total`, `previous` and `daily`. */
const Usage = z.object({
  accounts: z.array(AccountUsage),
  total: StatusCounts,
  /** As many days before the span. */
  previous: StatusCounts,
  daily: z.array(
    z.object({
      day: z.string(),
      channel: Channel,
      ...DayCounts.shape,
    }),
  ),
})

export const reportEndpoints = defineEndpoints({
  'reports.campaignStatus': {
    route: 'GET /api/reports/campaignStatus/{campaignId}',
    summary: 'Message counts of a campaign by status',
    roles: ['user', 'manager'],
    module: 'campaign',
    path: z.object({ campaignId: Id }),
    data: z.object({ campaignId: Id, status: CampaignStatus, stats: CampaignStats, percent: z.number() }),
    fallback: 'Failed to fetch campaigns',
    required,
  },
  'reports.campaignNumbers': {
    route: 'GET /api/reports/download-campaign-numbers/{id}',
    summary: 'Every recipient of a campaign with its status, as CSV',
    roles: anyRole,
    module: 'campaign',
    path: z.object({ id: Id }),
    data: 'file',
    fallback: 'Failed to download report',
    required,
  },
  'reports.campaignExcel': {
    route: 'GET /api/reports/download-excel/',
    summary: 'The report of a campaign as an Excel workbook',
    roles: anyRole,
    module: 'campaign',
    query: z.object({ campaignId: Id }),
    data: 'file',
    fallback: 'Failed to download report',
    required,
  },
  'dashboard.statusCounts': {
    route: 'GET /api/dashboard/statusCounts',
    summary: 'Message counts and spend of accounts in scope; of the caller’s scope when no userIds are given',
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
      /** `previous` by channel: only some channels report reads. */
      previousChannels: z.partialRecord(Channel, StatusCounts),
      daily: z.array(
        z.object({
          day: z.string(),
          channel: Channel,
          ...DayCounts.shape,
          /** Of the delivered. */
          read: z.number(),
        }),
      ),
    }),
    fallback: 'An unexpected error occurred',
  },
  'dashboard.storedStatusCounts': {
    route: 'GET /api/dashboard/stored-status-counts',
    summary: 'Daily messages and spend of the given accounts, including accounts below each; at most 366 days',
    roles: ['admin', 'reseller'],
    query: usageQuery,
    data: Usage,
    fallback: 'An unexpected error occurred',
    required: { userIds: messages.noUserIds },
  },
  'reports.teamUsage': {
    route: 'GET /api/reports/team-usage',
    summary: 'Messages and spend of each person in an organisation; everyone in scope when no userIds are given',
    roles: ['manager', 'user', 'department_head'],
    query: usageQuery,
    data: Usage,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'dashboard.attention': {
    route: 'GET /api/dashboard/attention',
    summary: 'Items that need attention: low balances, failing campaigns, open requests, registrations',
    roles: ['admin', 'reseller', 'manager'],
    data: z.object({
      accounts: z.number(),
      activeAccounts: z.number(),
      lowBalance: z.array(z.object({ _id: Id, name: z.string(), balance: Rupees })),
      lowBalanceCount: z.number(),
      failingCampaigns: z.array(z.object({ _id: Id, name: z.string(), account: z.string(), failedShare: z.number() })),
      failingCount: z.number(),
      topUpRequests: z.number(),
      registrations: z.number(),
      supportRequests: z.number(),
      /** Accounts at providers whose credentials are refused. */
      failedConnections: z.array(
        z.object({ _id: Id, name: z.string(), channel: Channel, account: z.string(), detail: z.string() }),
      ),
      failedConnectionCount: z.number(),
    }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
