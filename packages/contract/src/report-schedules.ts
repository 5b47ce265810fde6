import { z } from 'zod'
import { Id, IdPath } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'
import { DeliveredRun, ReportSchedule, ReportScheduleInput } from './report-schedule-records.ts'

const roles = ['manager', 'user', 'admin', 'department_head'] as const
const call = {
  roles: [...roles],
  fallback: 'An unexpected error occurred',
  required: { id: 'Schedule ID is required' },
  addition: true,
} as const
const reading = { ...call, scope: 'reports:read' } as const
const writing = { ...call, scope: 'reports:write' } as const

/** Reports that are prepared regularly and delivered. Accounts have their own; those above them see and change them as well. */
export const reportScheduleEndpoints = defineEndpoints({
  'reportSchedules.list': {
    ...reading,
    route: 'GET /api/v1/reports/schedules',
    summary: 'Schedules of the caller and of accounts below, newest first',
    query: PageQuery,
    data: z.object({
      schedules: z.array(ReportSchedule),
      totalSchedules: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
  },
  'reportSchedules.create': {
    ...writing,
    route: 'POST /api/v1/reports/schedules',
    summary: 'Prepares a report daily, weekly or monthly, and delivers it by email, to S3 or to a webhook',
    body: ReportScheduleInput,
    data: ReportSchedule,
    asksProvider: true,
  },
  'reportSchedules.get': {
    ...reading,
    route: 'GET /api/v1/reports/schedules/{id}',
    summary: 'One schedule',
    path: IdPath,
    data: ReportSchedule,
  },
  'reportSchedules.update': {
    ...writing,
    route: 'PUT /api/v1/reports/schedules/{id}',
    summary: 'Changes a schedule',
    path: IdPath,
    body: ReportScheduleInput,
    data: ReportSchedule,
    asksProvider: true,
  },
  'reportSchedules.pause': {
    ...writing,
    route: 'PUT /api/v1/reports/schedules/{id}/pause',
    summary: 'Pauses or resumes a schedule. Runs that were due meanwhile are not made up',
    path: IdPath,
    body: z.object({ isPaused: z.boolean() }),
    data: ReportSchedule,
  },
  'reportSchedules.delete': {
    ...writing,
    route: 'DELETE /api/v1/reports/schedules/{id}',
    summary: 'Deletes a schedule with its log. Its reports remain',
    path: IdPath,
    data: z.object({ scheduleId: Id }),
  },
  'reportSchedules.runNow': {
    ...writing,
    route: 'POST /api/v1/reports/schedules/{id}/run-now',
    summary: 'Prepares and delivers the report of the last complete period',
    path: IdPath,
    body: z.object({}),
    data: DeliveredRun,
  },
  'reportSchedules.deliveries': {
    ...reading,
    route: 'GET /api/v1/reports/schedules/{id}/deliveries',
    summary: 'Runs of a schedule with their deliveries, newest first',
    path: IdPath,
    query: PageQuery,
    data: z.object({
      runs: z.array(DeliveredRun),
      totalRuns: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
  },
  'reportSchedules.sendAgain': {
    ...writing,
    route: 'POST /api/v1/reports/schedules/{id}/runs/{runId}/send-again',
    summary: 'Repeats the deliveries of a run that failed',
    path: IdPath.extend({ runId: Id }),
    body: z.object({}),
    data: DeliveredRun,
  },
  'reportSchedules.newSecret': {
    ...call,
    route: 'POST /api/v1/reports/schedules/{id}/secret',
    summary: 'Gives the webhook of a schedule a new secret, which the response shows once',
    path: IdPath,
    body: z.object({}),
    data: z.object({ secret: z.string() }),
    answersSecret: true,
    impersonation: false,
  },
  'reportSchedules.testDestination': {
    ...writing,
    route: 'POST /api/v1/reports/schedules/{id}/test-destination',
    summary: 'Writes a small object to the bucket and deletes it, or sends a mail or a request without a report',
    path: IdPath,
    body: z.object({}),
    data: z.object({
      succeeded: z.boolean(),
      /** What the server answered. */
      response: z.string(),
    }),
    asksProvider: true,
  },
})
