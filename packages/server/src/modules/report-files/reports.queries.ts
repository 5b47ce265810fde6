import { sql, type Selectable, type UpdateObject } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import { within, type Scope } from '../../db/scope.ts'
import type { DB, Reports } from '../../db/schema.ts'
import { notFound } from '../../lib/problem.ts'

export type ReportRow = Selectable<Reports>

export const ReportKey = z.object({ organizationId: z.string(), reportId: z.string(), place: z.number() })
export type ReportKey = z.infer<typeof ReportKey>

const listed = [
  'organization_id',
  'id',
  'account_id',
  'type',
  'name',
  'channel',
  'first_day',
  'last_day',
  'timezone',
  'campaign_id',
  'campaign_name',
  'format',
  'status',
  'progress',
  'rows',
  'size_bytes',
  'checksum',
  'error',
  'created_at',
  'ready_at',
  'expires_at',
] as const
export type ListedReport = Pick<ReportRow, (typeof listed)[number]>
export type NamedReport = ListedReport & { requester: string | null }

/** Reports with the name of the account that requested them. */
export function selectReports(db: Db, scope: Scope) {
  return db
    .selectFrom('reports')
    .leftJoin('accounts as requester', 'requester.id', 'reports.account_id')
    .select(listed.map((name) => `reports.${name}` as const))
    .select('requester.name as requester')
    .where(within(scope, 'reports.path'))
}

export async function getReportRow(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<ReportRow> {
  const row = await db.selectFrom('reports').selectAll().where('id', '=', id).where(within(scope)).executeTakeFirst()
  if (!row) throw notFound('Report')
  return row
}

/** A run of a report's preparation. */
export type ReportRun = Pick<ReportKey, 'organizationId' | 'reportId'> & { run: number }

/** Begins a run, unless the report is finished or deleted. */
export async function beginRun(db: Db, { organizationId, reportId }: ReportKey): Promise<ReportRow | undefined> {
  return db
    .updateTable('reports')
    .set({ status: 'processing', progress: 0, rows: 0, run: sql`run + 1` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', reportId)
    .where('status', 'in', ['queued', 'processing'])
    .returningAll()
    .executeTakeFirst()
}

/** Changes a report of this run. False if it was deleted, or another run began. */
export async function updateRun(
  db: Db,
  { organizationId, reportId, run }: ReportRun,
  change: UpdateObject<DB, 'reports'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reports')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', reportId)
    .where('run', '=', run)
    .where('status', '=', 'processing')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
