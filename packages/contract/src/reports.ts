import { z } from 'zod'
import { CampaignStats, CampaignStatus } from './campaign-records.ts'
import { RecipientFilter } from './campaigns.ts'
import { Channel } from './channels.ts'
import { Day, Id, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { messages } from './errors.ts'
import { anyRole, Role } from './roles.ts'

const required = { id: 'Campaign ID is required', campaignId: 'Campaign ID is required' }

/** Message counts of the requested accounts. */
export const StatusCounts = z.object({
  submitted: z.number(),
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  /** The provider's response was lost. */
  unconfirmed: z.number(),
  pending: z.number(),
  replied: z.number(),
  optedOut: z.number(),
  cost: Rupees,
})

/** Counts of one day and channel. */
const DayCounts = z.object({
  submitted: z.number(),
  /** In flight at the end of the day; messages sent earlier that ended on this day are subtracted. */
  sent: z.number(),
  /** Including read. */
  delivered: z.number(),
  failed: z.number(),
  unconfirmed: z.number(),
  cost: Rupees,
})

/** Messages and spend of an account and all accounts below it in a period. */
export const AccountUsage = z.object({
  userId: Id,
  name: z.string(),
  username: z.string(),
  type: Role,
  channels: z.partialRecord(Channel, StatusCounts),
  total: StatusCounts,
  /** Share of everything in the response, 0 to 1. */
  share: z.number(),
  /** Days with messages. For a long period, each entry covers several days and is named after the first. */
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

/** Usage of a past period: `pending` is always 0. Accounts are counted once in `total`, `previous` and `daily`. */
const Usage = z.object({
  accounts: z.array(AccountUsage),
  total: StatusCounts,
  /** The same number of days before the period. */
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
    scope: 'reports:read',
    path: z.object({ campaignId: Id }),
    data: z.object({ campaignId: Id, status: CampaignStatus, stats: CampaignStats, percent: z.number() }),
    fallback: 'Failed to fetch campaigns',
    required,
    tool: {
      name: 'get_campaign_report',
      title: 'Get the report of a campaign',
      description: 'Counts the messages of a campaign by status.',
    },
  },
  'reports.campaignNumbers': {
    route: 'GET /api/reports/download-campaign-numbers/{id}',
    summary: 'Every recipient of a campaign with its status, or those of a filter, as CSV',
    roles: anyRole,
    module: 'campaign',
    scope: 'reports:read',
    path: z.object({ id: Id }),
    query: RecipientFilter,
    data: 'file',
    fallback: 'Failed to download report',
    required,
  },
  'reports.campaignExcel': {
    route: 'GET /api/reports/download-excel/',
    summary: 'The report of a campaign as an Excel workbook',
    roles: anyRole,
    module: 'campaign',
    scope: 'reports:read',
    query: RecipientFilter.extend({ campaignId: Id }),
    data: 'file',
    fallback: 'Failed to download report',
    required,
  },
  'dashboard.statusCounts': {
    route: 'GET /api/dashboard/statusCounts',
    summary: 'Message counts and spend of accounts in scope; of the caller’s scope when no userIds are given',
    roles: anyRole,
    scope: 'reports:read',
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
      /** `previous` by channel, as only some channels report reads. */
      previousChannels: z.partialRecord(Channel, StatusCounts),
      daily: z.array(
        z.object({
          day: z.string(),
          channel: Channel,
          ...DayCounts.shape,
          /** Of the delivered messages. */
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
    scope: 'reports:read',
    query: usageQuery,
    data: Usage,
    fallback: 'An unexpected error occurred',
    required: { userIds: messages.noUserIds },
  },
  'reports.teamUsage': {
    route: 'GET /api/reports/team-usage',
    summary: 'Messages and spend of each person in an organisation; everyone in scope when no userIds are given',
    roles: ['manager', 'user', 'department_head'],
    scope: 'reports:read',
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
      /** Provider accounts whose credentials are rejected. */
      failedConnections: z.array(
        z.object({ _id: Id, name: z.string(), channel: Channel, account: z.string(), detail: z.string() }),
      ),
      failedConnectionCount: z.number(),
      /** Figures of reports that differ from the messages or the ledger. */
      mismatches: z.number(),
    }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
