import { factsOfType } from '@carillon/contract/report-file-records'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { localDay } from '../../lib/local-time.ts'
import { findCovered } from './covered-organizations.ts'
import { figuresOfCampaigns } from './figure-rows.ts'
import { planPieces } from './plan-report.ts'
import type { ReportSpan } from './report-span.ts'
import type { Covered, Query } from './report-entry.ts'
import { columnsOf, reportEntries, statementOf } from './report-types.ts'
import { assertType, typeOf } from './may-request.ts'
import { assertSpan, findCampaign, type ReportRequest, type SpanRequest } from './request-report.ts'

type Estimate = { rows: number; detailsSince: string | null }
type EstimateRequest = SpanRequest & Pick<ReportRequest, 'type' | 'detailedCampaignReport'>

/** The rows that the report would have now. */
export async function estimateReport(
  db: Db,
  {
    actor,
    request,
    retentionDays,
    now,
  }: { actor: UserActor; request: EstimateRequest; retentionDays: number; now: Date },
): Promise<Estimate> {
  assertSpan(request)
  assertType(actor, request)
  const campaign = await findCampaign(db, actor, request.campaignId)
  const span = {
    type: typeOf(request),
    from: request.from,
    to: request.to,
    channel: request.channel,
    timezone: actor.timezone,
    campaignId: campaign?.id ?? null,
    requester: actor,
  }
  const query: Query = async <Row>(text: string) => (await sql.raw<Row>(text).execute(db)).rows
  const since = detailsSince(span, { retentionDays, now, timezone: actor.timezone })
  let rows = 0
  const organizations = await findCovered(db, {
    scope: actor.scope,
    campaignOrganizationId: campaign?.organization_id ?? null,
  })
  // Messages from before are deleted; their figures are not.
  const stored = reportEntries[span.type].rows === 'messages' ? { ...span, from: since ?? span.from } : span
  for (const organization of organizations) rows += await countRows(query, { organization, span: stored })
  return { rows, detailsSince: since }
}

/** Messages of campaigns are as many as their figures say, so that those of large campaigns are not counted. */
async function countRows(query: Query, part: Pick<Covered, 'organization' | 'span'>): Promise<number> {
  const columns = columnsOf(part.span, { isOfSeveral: false, uploaded: undefined }).slice(0, 1)
  const pieces = await planPieces(query, part)
  const counts = pieces
    .filter((piece) => !('range' in piece))
    .map((piece) => `select count(*) as count from (${statementOf(piece, columns)}) counted`)
  if (reportEntries[part.span.type].rows === 'messages')
    counts.push(`select sum(messages) as count from (${figuresOfCampaigns(part.organization, part.span)}) figures`)
  const [sum] = await query<{ count: number | null }>(
    `select sum(count) as count from (${counts.join(' union all ')}) parts`,
  )
  return sum?.count ?? 0
}

/** The day before which records are deleted, if the report would need some of them. */
export function detailsSince(
  { type, from }: Pick<ReportSpan, 'type' | 'from'>,
  { retentionDays, now, timezone }: { retentionDays: number; now: Date; timezone: string },
): string | null {
  if (factsOfType(type).deleted === null) return null
  const since = localDay(new Date(now.getTime() - (retentionDays - 1) * 86_400_000), timezone)
  return from < since ? since : null
}
