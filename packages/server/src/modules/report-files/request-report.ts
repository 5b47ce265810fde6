import { createHash } from 'node:crypto'
import {
  maximumReportDays,
  reportTypes,
  type ReportChannel,
  type ReportFormat,
  type ReportType,
} from '@carillon/contract/report-file-records'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { addJob, defineReportJob } from '../../jobs/jobs.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict } from '../../lib/problem.ts'
import { accountSuspended } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { getNamedCampaign } from '../campaigns/index.ts'
import { assertType, typeOf } from './may-request.ts'
import { findReport } from './read-reports.ts'
import { ReportKey } from './reports.queries.ts'

export const prepareReportJob = defineReportJob('reports.prepare', ReportKey)

/** Reports of an organisation that are prepared at a time. */
const places = 2
/** Reports of an organisation that wait or are prepared. */
const mostUnfinished = 100

export type SpanRequest = { from: string; to: string; channel: ReportChannel; campaignId: string }
export type ReportRequest = SpanRequest & {
  detailedCampaignReport: boolean
  type?: ReportType | undefined
  format: ReportFormat
  name?: string | undefined
  /** A request with another one is another report. */
  runId?: string
}

export function assertSpan({ from, to }: Pick<SpanRequest, 'from' | 'to'>): void {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  if (days < 1) throw badField('to', 'The last day is before the first')
  if (days > maximumReportDays) throw badField('to', `At most ${maximumReportDays} days can be requested at once`)
}

/** A PDF has few rows. */
export function assertFormat(type: ReportType, format: ReportFormat): void {
  if (format === 'pdf' && reportTypes[type].detailed)
    throw badField('format', 'PDF is not available for reports with a row for each message, click or entry')
}

export async function findCampaign(db: Db, actor: UserActor, campaignId: string) {
  return campaignId === 'all' ? undefined : getNamedCampaign(db, { id: campaignId, scope: actor.scope })
}

/** Requests of an organisation are counted one after the other. The same request within a minute is the same report. */
export async function requestReport(db: Db, { actor, request }: { actor: UserActor; request: ReportRequest }) {
  assertSpan(request)
  assertType(actor, request)
  assertFormat(typeOf(request), request.format)
  if (actor.isSuspended) throw accountSuspended()
  const campaign = await findCampaign(db, actor, request.campaignId)
  await sql`select pg_advisory_xact_lock(hashtextextended('reports:' || ${actor.organizationId}, 0))`.execute(db)
  const key = keyOf(request)
  const id = (await findSame(db, actor, key)) ?? (await insertReport(db, { actor, request, campaign, key }))
  return findReport(db, { actor, id })
}

function keyOf(request: ReportRequest): string {
  const { from, to, channel, campaignId, format, name, runId } = request
  const parts = [typeOf(request), from, to, channel, campaignId, format, name ?? null, ...(runId ? [runId] : [])]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

type NewReport = {
  actor: UserActor
  request: ReportRequest
  campaign: { id: string; name: string } | undefined
  key: string
}

async function insertReport(db: Db, { actor, request, campaign, key }: NewReport): Promise<string> {
  const { from, to, channel, campaignId, format, name } = request
  const { organizationId } = actor
  const id = newId()
  const type = typeOf(request)
  const place = await choosePlace(db, organizationId)
  const title = campaign?.name ?? reportTypes[type].title
  await db
    .insertInto('reports')
    .values({
      organization_id: organizationId,
      id,
      path: actor.scope.path,
      scope_path: actor.scope.path,
      account_id: actor.accountId,
      type,
      name: name ?? `${title} ${from === to ? from : `${from} to ${to}`}`,
      channel,
      first_day: from,
      last_day: to,
      timezone: sql<string>`organization_zone(${organizationId}::uuid)`,
      campaign_id: campaign?.id ?? null,
      campaign_name: campaign?.name ?? null,
      format,
      request_key: key,
      place,
    })
    .execute()
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: 'report.requested',
    object: { type: 'report', id },
    details: { type, from, to, channel, campaignId },
  })
  await addJob(db, prepareReportJob, { payload: { organizationId, reportId: id, place } })
  return id
}

async function findSame(db: Db, actor: UserActor, key: string): Promise<string | undefined> {
  const same = await db
    .selectFrom('reports')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('account_id', '=', actor.accountId)
    .where('request_key', '=', key)
    .where('status', 'in', ['queued', 'processing', 'ready'])
    .where('created_at', '>', sql<Date>`now() - interval '1 minute'`)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return same?.id
}

/** The place with fewer reports. Counts those of the whole organisation, of which an account may see only some. */
async function choosePlace(db: Db, organizationId: string): Promise<number> {
  const { rows } = await sql<{ place: number; count: number }>`
    select place, count from count_unfinished_reports(${organizationId}::uuid)`.execute(db)
  const unfinished = rows.reduce((sum, { count }) => sum + count, 0)
  if (unfinished >= mostUnfinished)
    throw conflict(`${mostUnfinished} reports are being prepared: wait until one is ready, or delete one`)
  const countIn = (place: number) => rows.find((row) => row.place === place)?.count ?? 0
  return Array.from({ length: places }, (_, place) => place).reduce((best, place) =>
    countIn(place) < countIn(best) ? place : best,
  )
}
