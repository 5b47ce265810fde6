import { ReportDestination } from '@carillon/contract/report-schedule-records'
import { ReportFrequency } from '@carillon/contract/report-schedule-records'
import type { RunRule } from '@carillon/contract/run-times'
import { sql, type Selectable } from 'kysely'
import { z } from 'zod'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import type { ReportSchedules } from '../../db/schema.ts'
import { within, type Scope } from '../../db/scope.ts'
import { notFound } from '../../lib/problem.ts'
import { actorColumns, presentActor, type ActorRow } from '../auth/index.ts'

export type ScheduleRow = Selectable<ReportSchedules>

export const ScheduleKey = z.object({ organizationId: z.string(), scheduleId: z.string() })
export type ScheduleKey = z.infer<typeof ScheduleKey>

export type ScheduleInScope = { actor: UserActor; id: string }

export function ruleOf(row: ScheduleRow): RunRule {
  return {
    frequency: ReportFrequency.parse(row.frequency),
    weekday: row.weekday,
    dayOfMonth: row.day_of_month,
    time: row.time_of_day,
    timezone: row.timezone,
  }
}

export function destinationOf(row: Pick<ScheduleRow, 'destination'>): ReportDestination {
  return ReportDestination.parse(row.destination)
}

export async function getScheduleRow(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<ScheduleRow> {
  const row = await db
    .selectFrom('report_schedules')
    .selectAll()
    .where('id', '=', id)
    .where(within(scope))
    .executeTakeFirst()
  if (!row) throw notFound('Schedule')
  return row
}

/** The schedule, locked until the transaction ends. */
export async function lockSchedule(db: Db, { actor, id }: ScheduleInScope): Promise<ScheduleRow> {
  const row = await db
    .selectFrom('report_schedules')
    .selectAll()
    .where('id', '=', id)
    .where(within(actor.scope))
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('Schedule')
  return row
}

/** A schedule's owner as they are now, and the time zone of the organization. */
export type ScheduleOwner = { actor: UserActor; status: string; organizationZone: string }

export async function findOwner(db: Db, row: ScheduleRow): Promise<ScheduleOwner | undefined> {
  const { rows } = await sql<ActorRow & { organization_zone: string }>`
    select ${actorColumns}, organization_zone(account.organization_id)
    from accounts account cross join lateral account_status_of(account.path) as effective_status
    where account.organization_id = ${row.organization_id}::uuid and account.id = ${row.account_id}::uuid`.execute(db)
  const [found] = rows
  return (
    found && {
      actor: presentActor(found),
      status: found.effective_status,
      organizationZone: found.organization_zone,
    }
  )
}
