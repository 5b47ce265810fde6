import type { ReportDestinationInput, ReportScheduleInput } from '@carillon/contract/report-schedule-records'
import { createLogger } from '../../lib/logger.ts'
import type { Account } from '../../testing/builders.ts'
import type { TestServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { runDueSchedules } from './run-schedules.ts'

type Wanted = Partial<Omit<ReportScheduleInput, 'destination'>> & { as: Account; destination: ReportDestinationInput }

export async function createSchedule(server: TestServer, { as, ...wanted }: Wanted) {
  return server.ask('reportSchedules.create', { as, body: scheduleBody(wanted) })
}

export function scheduleBody(wanted: Omit<Wanted, 'as'>) {
  return {
    name: 'Morning figures',
    type: 'campaign_summary' as const,
    channel: 'all' as const,
    format: 'csv' as const,
    frequency: 'daily' as const,
    time: '09:00',
    timezone: 'Asia/Kolkata',
    ...wanted,
  }
}

/** Runs what is due at a time, as the job does each minute. */
export async function runAt({ database }: Pick<TestServer, 'database'>, at: string): Promise<void> {
  await runDueSchedules({ database, clock: { now: () => new Date(at) }, logger: createLogger('silent') })
}

/** Makes a schedule due at a time. */
export async function dueAt({ database }: Pick<TestServer, 'database'>, id: string, at: string): Promise<void> {
  await database.ownerPool.query('update report_schedules set next_run_at = $2 where id = $1', [id, at])
}

/** The runs of a schedule, newest first. */
export async function runsOf(server: TestServer, as: Account, id: string) {
  return (await server.ask('reportSchedules.deliveries', { as, path: { id } })).runs
}

/** Waits until the newest run has ended. */
export async function ended(server: TestServer, as: Account, id: string) {
  await until(
    async () => ['delivered', 'failed'].includes((await runsOf(server, as, id))[0]?.status ?? ''),
    'the end of the run',
    40_000,
  )
  const [run] = await runsOf(server, as, id)
  if (!run) throw new Error('There is no run')
  return run
}
