import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { notify } from '../notifications/index.ts'

export type RunKey = { organizationId: string; runId: string }

/** Sets the state of a run by those of its deliveries. The owner is notified if one of them failed for good. */
export async function settleRun(db: Db, { organizationId, runId }: RunKey): Promise<void> {
  // Of deliveries that end at once, the last one sees the others.
  await db
    .selectFrom('report_runs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', runId)
    .forUpdate()
    .execute()
  const deliveries = await db
    .selectFrom('report_deliveries')
    .select(['status', 'target'])
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .execute()
  const isWaiting = deliveries.some(({ status }) => status === 'waiting')
  const failed = deliveries.filter(({ status }) => status === 'failed').map(({ target }) => target)
  const ended = failed.length > 0 ? 'failed' : 'delivered'
  const error = failed.length > 0 ? `Not delivered to ${failed.join(', ')}.` : null
  await db
    .updateTable('report_runs')
    .set(
      isWaiting
        ? { status: 'delivering', error: null, finished_at: null }
        : { status: ended, error, finished_at: sql<Date>`now()` },
    )
    .where('organization_id', '=', organizationId)
    .where('id', '=', runId)
    .execute()
  if (!isWaiting && error !== null) await notifyOwner(db, { organizationId, runId, error })
}

async function notifyOwner(db: Db, { organizationId, runId, error }: RunKey & { error: string }): Promise<void> {
  const {
    id,
    name,
    account_id: accountId,
  } = await db
    .selectFrom('report_runs')
    .innerJoin('report_schedules', (join) =>
      join
        .onRef('report_schedules.organization_id', '=', 'report_runs.organization_id')
        .onRef('report_schedules.id', '=', 'report_runs.schedule_id'),
    )
    .select(['report_schedules.id', 'report_schedules.name', 'report_schedules.account_id'])
    .where('report_runs.organization_id', '=', organizationId)
    .where('report_runs.id', '=', runId)
    .executeTakeFirstOrThrow()
  await notify(db, [
    {
      organizationId,
      accountId,
      kind: 'report_schedule_failed',
      title: 'A scheduled report was not delivered',
      description: `${name}: ${error}`,
      link: { type: 'report_schedule', id },
      eventKey: `report_schedule_failed:${runId}`,
    },
  ])
}
