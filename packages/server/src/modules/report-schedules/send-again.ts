import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { addJobs } from '../../jobs/jobs.ts'
import { conflict, notFound } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { deliverReport } from './delivery-job.ts'
import { lockSchedule, type ScheduleInScope } from './schedules.queries.ts'
import { settleRun } from './settle-run.ts'

/** Repeats the failed deliveries of a run. */
export async function sendAgain(
  db: Db,
  { actor, id, runId }: ScheduleInScope & { runId: string },
): Promise<{ organizationId: string; id: string }> {
  const { organization_id: organizationId } = await lockSchedule(db, { actor, id })
  const run = await db
    .selectFrom('report_runs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('schedule_id', '=', id)
    .where('id', '=', runId)
    .executeTakeFirst()
  if (!run) throw notFound('Run')
  const again = await db
    .updateTable('report_deliveries')
    .set({ status: 'waiting', mail_id: null, next_attempt_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .where('status', '=', 'failed')
    .returning('id')
    .execute()
  if (again.length === 0) throw conflict('No delivery of this run has failed')
  await addJobs(
    db,
    deliverReport,
    again.map(({ id: deliveryId }) => ({ payload: { organizationId, deliveryId } })),
  )
  await settleRun(db, { organizationId, runId })
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: 'report_schedule.sent_again',
    object: { type: 'report_schedule', id },
    details: { runId },
  })
  return { organizationId, id: runId }
}
