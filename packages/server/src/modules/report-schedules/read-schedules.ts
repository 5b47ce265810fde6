import { paginate, type PageQuery } from '@carillon/contract/paging'
import { ReportChannel, ReportFormat, ReportStatus, ReportType } from '@carillon/contract/report-file-records'
import {
  ReportDelivery,
  ReportFrequency,
  ReportRunStatus,
  type DeliveredRun,
  type ReportRun,
  type ReportSchedule,
} from '@carillon/contract/report-schedule-records'
import { sql, type Selectable } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import type { ReportDeliveries, ReportRuns } from '../../db/schema.ts'
import { within, type Scope } from '../../db/scope.ts'
import { notFound } from '../../lib/problem.ts'
import { destinationOf, getScheduleRow, type ScheduleInScope, type ScheduleRow } from './schedules.queries.ts'

type ListedSchedule = ScheduleRow & { owner: string | null; last_run: string | null }

function selectSchedules(db: Db, scope: Scope) {
  return db
    .selectFrom('report_schedules')
    .leftJoin('accounts as owner', 'owner.id', 'report_schedules.account_id')
    .selectAll('report_schedules')
    .select('owner.name as owner')
    .select((schedule) =>
      schedule
        .selectFrom('report_runs')
        .select('report_runs.id')
        .whereRef('report_runs.organization_id', '=', 'report_schedules.organization_id')
        .whereRef('report_runs.schedule_id', '=', 'report_schedules.id')
        .orderBy('report_runs.created_at', 'desc')
        .orderBy('report_runs.id', 'desc')
        .limit(1)
        .as('last_run'),
    )
    .where(within(scope, 'report_schedules.path'))
}

export async function findSchedule(db: Db, { actor, id }: ScheduleInScope): Promise<ReportSchedule> {
  const row = await selectSchedules(db, actor.scope).where('report_schedules.id', '=', id).executeTakeFirst()
  const [schedule] = await presentAll(db, row ? [row] : [])
  if (!schedule) throw notFound('Schedule')
  return schedule
}

export async function listSchedules(db: Db, { actor, query }: { actor: UserActor; query: PageQuery }) {
  const { count } = await db
    .selectFrom('report_schedules')
    .select(sql<number>`count(*)`.as('count'))
    .where(within(actor.scope))
    .executeTakeFirstOrThrow()
  const rows = await selectSchedules(db, actor.scope)
    .orderBy('report_schedules.created_at', 'desc')
    .orderBy('report_schedules.id', 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute()
  return {
    schedules: await presentAll(db, rows),
    totalSchedules: count,
    totalPages: paginate(query, count).totalPages,
    currentPage: query.page,
  }
}

async function presentAll(db: Db, rows: readonly ListedSchedule[]): Promise<ReportSchedule[]> {
  const ids = rows.flatMap(({ last_run: id }) => (id === null ? [] : [id]))
  const runs =
    ids.length === 0
      ? []
      : await selectRuns(db)
          .where('report_runs.id', '=', sql<string>`any(${ids}::uuid[])`)
          .execute()
  const runById = new Map(runs.map((run) => [run.id, presentRun(run)]))
  return rows.map((row) => ({ ...present(row), lastRun: runById.get(row.last_run ?? '') ?? null }))
}

function present(row: ListedSchedule): Omit<ReportSchedule, 'lastRun'> {
  return {
    scheduleId: row.id,
    name: row.name,
    type: ReportType.parse(row.type),
    channel: ReportChannel.parse(row.channel),
    campaign: row.campaign_id === null ? null : { _id: row.campaign_id, name: row.campaign_name ?? '' },
    format: ReportFormat.parse(row.format),
    frequency: ReportFrequency.parse(row.frequency),
    weekday: row.weekday,
    dayOfMonth: row.day_of_month,
    time: row.time_of_day,
    timezone: row.timezone,
    destination: destinationOf(row),
    isPaused: row.is_paused,
    pausedReason: row.paused_reason,
    nextRunAt: row.is_paused ? null : row.next_run_at.toISOString(),
    owner: { _id: row.account_id, name: row.owner ?? '' },
    createdAt: row.created_at.toISOString(),
  }
}

type RunRow = Selectable<ReportRuns> & { report_status: string | null }

function selectRuns(db: Db) {
  return db
    .selectFrom('report_runs')
    .leftJoin('reports', (join) =>
      join
        .onRef('reports.organization_id', '=', 'report_runs.organization_id')
        .onRef('reports.id', '=', 'report_runs.report_id'),
    )
    .selectAll('report_runs')
    .select('reports.status as report_status')
}

function presentRun(row: RunRow): ReportRun {
  const isCancelled = row.status === 'preparing' && row.report_id === null
  return {
    runId: row.id,
    dueAt: row.due_at.toISOString(),
    isManual: row.is_manual,
    from: row.first_day,
    to: row.last_day,
    reportId: row.report_id,
    reportStatus: row.report_status === null ? null : ReportStatus.parse(row.report_status),
    status: isCancelled ? 'failed' : ReportRunStatus.parse(row.status),
    error: isCancelled ? 'The report was deleted before it was ready' : row.error,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  }
}

export async function listRuns(db: Db, { actor, id, query }: ScheduleInScope & { query: PageQuery }) {
  const schedule = await getScheduleRow(db, { id, scope: actor.scope })
  const ofSchedule = selectRuns(db)
    .where('report_runs.organization_id', '=', schedule.organization_id)
    .where('report_runs.schedule_id', '=', id)
  const { count } = await db
    .selectFrom('report_runs')
    .select(sql<number>`count(*)`.as('count'))
    .where('organization_id', '=', schedule.organization_id)
    .where('schedule_id', '=', id)
    .executeTakeFirstOrThrow()
  const rows = await ofSchedule
    .orderBy('report_runs.created_at', 'desc')
    .orderBy('report_runs.id', 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute()
  return {
    runs: await withDeliveries(db, rows),
    totalRuns: count,
    totalPages: paginate(query, count).totalPages,
    currentPage: query.page,
  }
}

export async function getRun(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<DeliveredRun> {
  const rows = await selectRuns(db)
    .where('report_runs.organization_id', '=', organizationId)
    .where('report_runs.id', '=', id)
    .execute()
  const [run] = await withDeliveries(db, rows)
  if (!run) throw notFound('Run')
  return run
}

async function withDeliveries(db: Db, rows: readonly RunRow[]): Promise<DeliveredRun[]> {
  const [first] = rows
  if (!first) return []
  const deliveries = await db
    .selectFrom('report_deliveries')
    .selectAll()
    .where('organization_id', '=', first.organization_id)
    .where('run_id', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...presentRun(row),
    deliveries: deliveries.filter(({ run_id: runId }) => runId === row.id).map(presentDelivery),
  }))
}

function presentDelivery(row: Selectable<ReportDeliveries>): ReportDelivery {
  return ReportDelivery.parse({
    target: row.target,
    status: row.status,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    attempts: row.attempts,
  })
}
