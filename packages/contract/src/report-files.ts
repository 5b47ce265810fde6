import { z } from 'zod'
import { Day, Flag, Id, IdPath } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'
import {
  ReportChannel,
  ReportDetails,
  ReportFile,
  ReportFormat,
  ReportStatus,
  ReportType,
} from './report-file-records.ts'

const roles = ['manager', 'user', 'admin', 'department_head'] as const
const required = { id: 'Report ID is required', campaignId: 'Campaign ID is required' }

/** An id, or `all`. */
const ReportCampaign = z.union([Id, z.literal('all')])

const ReportSpan = z.object({ from: Day, to: Day, channel: ReportChannel, campaignId: ReportCampaign })

export const reportFileEndpoints = defineEndpoints({
  'reportFiles.generate': {
    route: 'POST /api/v1/reports/generate/{from}/{to}/{channel}/{campaignId}',
    summary: 'Prepares a report of a span of days; the same request within a minute returns the same report',
    roles: [...roles],
    scope: 'reports:write',
    path: ReportSpan,
    body: z.object({
      /** One row for each message instead of one for each campaign. */
      detailedCampaignReport: z.boolean().default(false),
      /** Another report; then `detailedCampaignReport` has no effect. Some need a role, a module or, with an API key, another scope. */
      type: ReportType.optional(),
      format: ReportFormat.default('xlsx'),
      name: z.string().trim().min(1).max(120).optional(),
    }),
    data: ReportFile,
    fallback: 'Failed to generate campaign report',
    required,
  },
  'reportFiles.estimate': {
    route: 'GET /api/v1/reports/estimate',
    summary: 'How many rows a report would have, and the day before which its records were deleted',
    roles: [...roles],
    scope: 'reports:read',
    query: ReportSpan.extend({ detailedCampaignReport: Flag.default(false), type: ReportType.optional() }),
    data: z.object({
      rows: z.number(),
      /** Records of days before this one are deleted, so the report has nothing of them. Null if it needs none of them. */
      detailsSince: z.string().nullable(),
    }),
    fallback: 'Failed to fetch reports',
    required,
    addition: true,
  },
  'reportFiles.list': {
    route: 'GET /api/v1/reports/list',
    summary: 'Reports of the caller and of accounts below, newest first',
    roles: [...roles],
    scope: 'reports:read',
    query: PageQuery.extend({
      channel: ReportChannel.optional(),
      status: ReportStatus.optional(),
      /** With days on or after this one. */
      from: Day.optional(),
      /** With days on or before this one. */
      to: Day.optional(),
    }),
    data: z.object({
      reports: z.array(ReportFile),
      totalReports: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
    fallback: 'Failed to fetch available reports',
  },
  'reportFiles.details': {
    route: 'GET /api/v1/reports/details/{id}',
    summary: 'A report with its sums, its first rows and what must be known to read it',
    roles: [...roles],
    scope: 'reports:read',
    path: IdPath,
    data: ReportDetails,
    fallback: 'Failed to fetch report details',
    required,
  },
  'reportFiles.download': {
    route: 'GET /api/v1/reports/download/{id}',
    summary: 'The file of a report',
    roles: [...roles],
    scope: 'reports:read',
    path: IdPath,
    data: 'file',
    fallback: 'Failed to download report',
    required,
  },
  'reportFiles.delete': {
    route: 'DELETE /api/v1/reports/delete/{id}',
    summary: 'Deletes a report with its file; one that is being prepared is cancelled',
    roles: [...roles],
    scope: 'reports:write',
    path: IdPath,
    data: z.object({ reportId: Id }),
    fallback: 'Failed to delete report',
    required,
  },
})
