import { paginate, type PageQuery } from '@carillon/contract/paging'
import {
  ReportDetails,
  ReportFormat,
  ReportStatus,
  ReportType,
  reportTypes,
  ReportChannel,
  type ReportFile,
} from '@carillon/contract/report-file-records'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import type { FileAnswer } from '../../http/handlers.ts'
import { conflict, notFound } from '../../lib/problem.ts'
import { getFile, openStored, type FileStore } from '../files/index.ts'
import { reportFormats } from './file-formats.ts'
import { assertMayHave } from './may-request.ts'
import { getReportRow, selectReports, type NamedReport } from './reports.queries.ts'

/** A report of the caller or of an account below. */
export type ReportInScope = { actor: UserActor; id: string }

export async function findReport(db: Db, { actor, id }: ReportInScope): Promise<ReportFile> {
  const row = await selectReports(db, actor.scope).where('reports.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Report')
  return presentReport(row)
}

type ListQuery = PageQuery & {
  channel?: ReportChannel | undefined
  status?: ReportStatus | undefined
  from?: string | undefined
  to?: string | undefined
}

export async function listReports(db: Db, { actor, query }: { actor: UserActor; query: ListQuery }) {
  let list = selectReports(db, actor.scope)
  if (query.channel) list = list.where('reports.channel', '=', query.channel)
  if (query.status) list = list.where('reports.status', '=', query.status)
  if (query.from) list = list.where('reports.last_day', '>=', query.from)
  if (query.to) list = list.where('reports.first_day', '<=', query.to)
  const rows = await list
    .select(sql<number>`count(*) over ()`.as('count'))
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute()
  const totalReports = rows[0]?.count ?? (query.page === 1 ? 0 : await countReports(db, { actor, query }))
  return {
    reports: rows.map(presentReport),
    totalReports,
    totalPages: paginate(query, totalReports).totalPages,
    currentPage: query.page,
  }
}

/** Of a page behind the last. */
async function countReports(db: Db, { actor, query }: { actor: UserActor; query: ListQuery }): Promise<number> {
  const { totalReports } = await listReports(db, { actor, query: { ...query, page: 1, limit: 1 } })
  return totalReports
}

export async function getReportDetails(db: Db, { actor, id }: ReportInScope): Promise<ReportDetails> {
  const file = await findReport(db, { actor, id })
  assertMayHave(actor, file.type)
  const { notes, summary, daily, columns, preview } = await getReportRow(db, { id, scope: actor.scope })
  return ReportDetails.parse({ ...file, notes, summary, daily, columns, preview })
}

export async function downloadReport(db: Db, store: FileStore, { actor, id }: ReportInScope): Promise<FileAnswer> {
  const row = await getReportRow(db, { id, scope: actor.scope })
  assertMayHave(actor, ReportType.parse(row.type))
  if (row.status === 'expired') throw conflict('The file of this report was deleted after 30 days: repeat the report')
  if (row.status === 'failed') throw conflict(row.error ?? 'This report failed')
  if (row.file_id === null) throw conflict('This report is not ready yet')
  const file = await getFile(db, { organizationId: row.organization_id, id: row.file_id })
  return {
    fileName: file.name,
    contentType: reportFormats[ReportFormat.parse(row.format)].contentType,
    body: await openStored(store, file.storage_key),
  }
}

function presentReport(row: NamedReport): ReportFile {
  const type = ReportType.parse(row.type)
  return {
    reportId: row.id,
    type,
    name: row.name,
    channel: ReportChannel.parse(row.channel),
    from: row.first_day,
    to: row.last_day,
    timezone: row.timezone,
    campaign: row.campaign_id === null ? null : { _id: row.campaign_id, name: row.campaign_name ?? '' },
    detailed: reportTypes[type].detailed,
    format: ReportFormat.parse(row.format),
    status: ReportStatus.parse(row.status),
    progress: row.progress,
    rows: row.rows,
    sizeBytes: row.size_bytes,
    checksum: row.checksum?.toString('hex') ?? null,
    requestedBy: { _id: row.account_id, name: row.requester ?? '' },
    // Only reports in the caller's scope are read.
    mayDelete: true,
    createdAt: row.created_at.toISOString(),
    readyAt: row.ready_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    error: row.error,
  }
}
