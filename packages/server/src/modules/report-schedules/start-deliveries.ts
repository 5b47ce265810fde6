import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { addJobs } from '../../jobs/jobs.ts'
import { newId } from '../../lib/ids.ts'
import { deliverReport } from './delivery-job.ts'
import { targetsOf } from './destinations.ts'
import { destinationOf } from './schedules.queries.ts'
import { settleRun } from './settle-run.ts'

type FinishedReport = { organizationId: string; reportId: string }

/** Delivers a report that became ready to the destination of the schedule that requested it. */
export async function startDeliveries(db: Db, { organizationId, reportId }: FinishedReport): Promise<void> {
  const run = await db
    .selectFrom('report_runs')
    .innerJoin('reports', (join) =>
      join
        .onRef('reports.organization_id', '=', 'report_runs.organization_id')
        .onRef('reports.id', '=', 'report_runs.report_id'),
    )
    .innerJoin('report_schedules', (join) =>
      join
        .onRef('report_schedules.organization_id', '=', 'report_runs.organization_id')
        .onRef('report_schedules.id', '=', 'report_runs.schedule_id'),
    )
    .select(['report_runs.id', 'reports.status', 'reports.error', 'report_schedules.destination'])
    .where('report_runs.organization_id', '=', organizationId)
    .where('report_runs.report_id', '=', reportId)
    .where('report_runs.status', '=', 'preparing')
    .forUpdate('report_runs')
    .executeTakeFirst()
  if (!run) return
  if (run.status === 'failed') {
    // Its owner is notified of the report.
    await db
      .updateTable('report_runs')
      .set({ status: 'failed', error: run.error, finished_at: sql<Date>`now()` })
      .where('organization_id', '=', organizationId)
      .where('id', '=', run.id)
      .execute()
    return
  }
  const deliveries = targetsOf(destinationOf(run)).map((target) => ({ id: newId(), target }))
  await db
    .insertInto('report_deliveries')
    .values(deliveries.map((delivery) => ({ ...delivery, organization_id: organizationId, run_id: run.id })))
    .execute()
  await addJobs(
    db,
    deliverReport,
    deliveries.map(({ id: deliveryId }) => ({ payload: { organizationId, deliveryId } })),
  )
  await settleRun(db, { organizationId, runId: run.id })
}
