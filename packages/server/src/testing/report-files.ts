import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { Account } from './builders.ts'

type Own = Record<'mark' | 'report' | 'reportSchedule' | 'reportRun', string>

/** A report that failed, so that it has no file on the disk. */
export async function addReport(db: Db, { id, organizationId, path }: Account, own: Own): Promise<void> {
  await db
    .insertInto('reports')
    .values({
      organization_id: organizationId,
      id: own.report,
      path,
      scope_path: path,
      account_id: id,
      type: 'campaign_summary',
      name: `Report ${own.mark}`,
      channel: 'all',
      first_day: '2026-11-01',
      last_day: '2026-11-07',
      timezone: 'Asia/Kolkata',
      format: 'csv',
      status: 'failed',
      error: `The report of ${own.mark} could not be prepared.`,
      request_key: own.report,
      place: 0,
    })
    .execute()
}

/** A schedule whose last run was not delivered. */
export async function addReportSchedule(
  db: Db,
  { id: account_id, organizationId: organization_id, path }: Account,
  own: Own,
): Promise<void> {
  await db
    .insertInto('report_schedules')
    .values({
      organization_id,
      id: own.reportSchedule,
      path,
      account_id,
      name: `Schedule ${own.mark}`,
      type: 'campaign_summary',
      channel: 'all',
      format: 'csv',
      frequency: 'daily',
      time_of_day: '09:00',
      timezone: 'Asia/Kolkata',
      destination: JSON.stringify({ type: 'webhook', url: `https://${own.mark.toLowerCase()}.invalid/hook` }),
      secrets: Buffer.from('sealed with another key'),
      next_run_at: '2036-01-01',
    })
    .execute()
  const run = { organization_id, schedule_id: own.reportSchedule, due_at: '2026-11-08', is_manual: false }
  await db
    .insertInto('report_runs')
    .values({
      ...run,
      id: own.reportRun,
      first_day: '2026-11-07',
      last_day: '2026-11-07',
      report_id: own.report,
      status: 'failed',
      error: `Not delivered to ${own.mark}.`,
    })
    .execute()
  await db
    .insertInto('report_deliveries')
    .values({
      organization_id,
      id: newId(),
      run_id: own.reportRun,
      target: `${own.mark.toLowerCase()}.invalid`,
      status: 'failed',
      attempts: JSON.stringify([{ at: '2026-11-08T00:00:00.000Z', error: `No answer of ${own.mark}`, response: null }]),
    })
    .execute()
}

const span = () => ({ from: '2026-11-01', to: '2026-11-07', channel: 'all', campaignId: newId() })

const schedule = () => ({
  name: `Morning figures ${newId()}`,
  type: 'campaign_summary',
  channel: 'all',
  frequency: 'daily',
  time: '09:00',
  timezone: 'Asia/Kolkata',
  // No name has to be resolved.
  destination: { type: 'webhook', url: 'https://93.184.216.34/hook' },
})

export const reportFileSamples = {
  'reportFiles.generate': () => ({ path: span(), body: {} }),
  'reportFiles.estimate': () => ({ query: span() }),
  'reportSchedules.create': () => ({ body: schedule() }),
  'reportSchedules.update': () => ({ body: schedule() }),
  'reportSchedules.pause': () => ({ body: { isPaused: true } }),
  'reportSchedules.runNow': () => ({ body: {} }),
  'reportSchedules.sendAgain': () => ({ body: {} }),
  'reportSchedules.newSecret': () => ({ body: {} }),
  'reportSchedules.testDestination': () => ({ body: {} }),
}
