import { lastRun, nextRun } from '@carillon/contract/run-times'
import { ReportChannel, ReportFormat, ReportType } from '@carillon/contract/report-file-records'
import { reportFileEndpoints } from '@carillon/contract/report-files'
import { asSystem, inScope, type Database, type Db } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import { failPoint } from '../../lib/fail-points.ts'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import { conflict, Problem } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { notify } from '../notifications/index.ts'
import { requestReport } from '../report-files/index.ts'
import { periodOf } from './report-period.ts'
import {
  findOwner,
  lockSchedule,
  ruleOf,
  type ScheduleInScope,
  type ScheduleKey,
  type ScheduleOwner,
  type ScheduleRow,
} from './schedules.queries.ts'

export type RunDeps = { database: Database; clock: Clock; logger: Logger }

/** Of one look; more are found by the next. */
const mostRuns = 500

/** Runs the schedules that are due. If several runs of one were missed, only the last of them is made up. */
export async function runDueSchedules(deps: RunDeps): Promise<void> {
  const now = deps.clock.now()
  const due = await asSystem(deps.database, (db) =>
    db
      .selectFrom('report_schedules')
      .select(['organization_id', 'id'])
      .where('is_paused', '=', false)
      .where('next_run_at', '<=', now)
      .orderBy('next_run_at')
      .limit(mostRuns)
      .execute(),
  )
  for (const { organization_id: organizationId, id: scheduleId } of due) {
    try {
      await runSchedule(deps, { organizationId, scheduleId }, now)
    } catch (error) {
      deps.logger.error({ schedule: scheduleId, err: error }, 'a scheduled report could not be requested')
    }
  }
}

/** One due run. Claim, request and log are one transaction, so that a killed process neither loses nor repeats it. */
async function runSchedule({ database }: RunDeps, key: ScheduleKey, now: Date): Promise<void> {
  const found = await asSystem(database, (db) => findDue(db, key, now))
  if (!found) return
  const { row, owner } = found
  const run = { row, owner, now, dueAt: lastRun(ruleOf(row), now) }
  const refusal = refusalOf(owner)
  if (refusal) return asSystem(database, (db) => refuse(db, { ...run, reason: refusal, pauses: true }))
  try {
    await inScope(database, owner.actor.scope, (db) => claimAndRequest(db, run))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // Too many reports are being prepared; the next run may succeed.
    const pauses = error.code !== 'conflict'
    await asSystem(database, (db) => refuse(db, { ...run, reason: `${error.message}.`, pauses }))
  }
}

async function findDue(db: Db, { organizationId, scheduleId }: ScheduleKey, now: Date) {
  const row = await db
    .selectFrom('report_schedules')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', scheduleId)
    .where('is_paused', '=', false)
    .where('next_run_at', '<=', now)
    .executeTakeFirst()
  const owner = row && (await findOwner(db, row))
  return row && owner && { row, owner }
}

/** Why the owner may no longer request reports, in words. */
function refusalOf({ actor, status }: ScheduleOwner): string | undefined {
  if (status === 'suspended') return 'The account of this schedule is suspended.'
  if (status !== 'active') return 'The account of this schedule is closed.'
  const { roles } = reportFileEndpoints['reportFiles.generate']
  return roles.some((role) => role === actor.role)
    ? undefined
    : 'The account of this schedule may no longer request reports.'
}

type DueRun = { row: ScheduleRow; owner: ScheduleOwner; now: Date; dueAt: Date }

async function claimAndRequest(db: Db, { row, owner, now, dueAt }: DueRun): Promise<void> {
  if (!(await claim(db, row, now))) return
  failPoint('report-schedule-claimed')
  await requestRun(db, { row, owner, dueAt, periodAt: dueAt, isManual: false })
}

/** Moves the schedule to its next run; false if another worker did so, or it was changed. */
async function claim(db: Db, row: ScheduleRow, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('report_schedules')
    .set({ next_run_at: nextRun(ruleOf(row), now) })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .where('next_run_at', '=', row.next_run_at)
    .where('is_paused', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

type Requested = {
  row: ScheduleRow
  owner: ScheduleOwner
  dueAt: Date
  /** The run whose period the report has. */
  periodAt: Date
  isManual: boolean
}

async function requestRun(
  db: Db,
  { row, owner, dueAt, periodAt, isManual }: Requested,
): Promise<{ organizationId: string; id: string }> {
  const { organization_id: organizationId } = row
  const id = newId()
  const { from, to } = periodOf(ruleOf(row), periodAt, owner.organizationZone)
  const { reportId } = await requestReport(db, {
    actor: owner.actor,
    request: {
      from,
      to,
      channel: ReportChannel.parse(row.channel),
      campaignId: row.campaign_id ?? 'all',
      detailedCampaignReport: false,
      type: ReportType.parse(row.type),
      format: ReportFormat.parse(row.format),
      name: `${row.name} ${from === to ? from : `${from} to ${to}`}`,
      runId: id,
    },
  })
  await db
    .insertInto('report_runs')
    .values({
      organization_id: organizationId,
      id,
      schedule_id: row.id,
      due_at: dueAt,
      is_manual: isManual,
      first_day: from,
      last_day: to,
      report_id: reportId,
      status: 'preparing',
    })
    .execute()
  return { organizationId, id }
}

/** Records a run without a report, tells the owner, and pauses the schedule if further runs would be refused as well. */
async function refuse(
  db: Db,
  { row, owner, now, dueAt, reason, pauses }: DueRun & { reason: string; pauses: boolean },
): Promise<void> {
  if (!(await claim(db, row, now))) return
  const { organization_id: organizationId, id } = row
  const { from, to } = periodOf(ruleOf(row), dueAt, owner.organizationZone)
  await db
    .insertInto('report_runs')
    .values({
      organization_id: organizationId,
      id: newId(),
      schedule_id: id,
      due_at: dueAt,
      is_manual: false,
      first_day: from,
      last_day: to,
      status: 'failed',
      error: reason,
      finished_at: now,
    })
    .execute()
  if (pauses) await pauseFor(db, row, reason)
  await notify(db, [
    {
      organizationId,
      accountId: row.account_id,
      kind: 'report_schedule_failed',
      title: pauses ? 'A scheduled report was paused' : 'A scheduled report did not run',
      description: `${row.name}: ${reason}`,
      link: { type: 'report_schedule', id },
      eventKey: `report_schedule_failed:${id}:${dueAt.toISOString()}`,
    },
  ])
}

/** Pauses a schedule that cannot succeed. */
export async function pauseFor(
  db: Db,
  { organization_id: organizationId, id }: Pick<ScheduleRow, 'organization_id' | 'id'>,
  reason: string,
): Promise<void> {
  await db
    .updateTable('report_schedules')
    .set({ is_paused: true, paused_reason: reason })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  await recordAudit(db, {
    organizationId,
    actorId: undefined,
    action: 'report_schedule.paused',
    object: { type: 'report_schedule', id },
    details: { reason },
  })
}

/** A run on request has the period of the last one that was due. */
export async function runNow(
  db: Db,
  { actor, id, now }: ScheduleInScope & { now: Date },
): Promise<{ organizationId: string; id: string }> {
  const row = await lockSchedule(db, { actor, id })
  const owner = await findOwner(db, row)
  const refusal = owner ? refusalOf(owner) : 'The account of this schedule was deleted.'
  if (!owner || refusal) throw conflict(refusal?.replace(/\.$/, '') ?? '')
  await assertIdle(db, row)
  const run = await requestRun(db, { row, owner, dueAt: now, periodAt: lastRun(ruleOf(row), now), isManual: true })
  await recordAudit(db, {
    organizationId: row.organization_id,
    ...whoActs(actor),
    action: 'report_schedule.run',
    object: { type: 'report_schedule', id },
  })
  return run
}

async function assertIdle(db: Db, { organization_id: organizationId, id }: ScheduleRow): Promise<void> {
  const running = await db
    .selectFrom('report_runs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('schedule_id', '=', id)
    .where('status', '=', 'preparing')
    .where('report_id', 'is not', null)
    .executeTakeFirst()
  if (running) throw conflict('A run of this schedule is being prepared: wait until it is ready')
}
