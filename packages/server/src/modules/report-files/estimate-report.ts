import { reportTypes } from '@carillon/contract/report-file-records'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { localDay } from '../../lib/local-time.ts'
import { findCovered } from './covered-organizations.ts'
import { planPieces, type Query } from './plan-report.ts'
import type { ReportSpan } from './report-span.ts'
import { columnsOf, statementOf } from './report-types.ts'
import { assertSpan, findCampaign, typeOf, type ReportRequest, type SpanRequest } from './request-report.ts'

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
  const campaign = await findCampaign(db, actor, request.campaignId)
  const span = {
    type: typeOf(request),
    from: request.from,
    to: request.to,
    channel: request.channel,
    timezone: actor.timezone,
    campaignId: campaign?.id ?? null,
  }
  const query: Query = async <Row>(text: string) => (await sql.raw<Row>(text).execute(db)).rows
  const columns = columnsOf(span, { isOfSeveral: false, uploaded: undefined }).slice(0, 1)
  let rows = 0
  const organizations = await findCovered(db, {
    scope: actor.scope,
    campaignOrganizationId: campaign?.organization_id ?? null,
  })
  for (const organization of organizations) {
    for (const piece of await planPieces(query, { organization, span })) {
      const [counted] = await query<{ count: number }>(
        `select count(*) as count from (${statementOf(piece, columns)}) counted`,
      )
      rows += counted?.count ?? 0
    }
  }
  return { rows, detailsSince: detailsSince(span, { retentionDays, now, timezone: actor.timezone }) }
}

/** The day before which messages are deleted, if the report would need some of them. */
export function detailsSince(
  { type, from }: Pick<ReportSpan, 'type' | 'from'>,
  { retentionDays, now, timezone }: { retentionDays: number; now: Date; timezone: string },
): string | null {
  if (!reportTypes[type].needsMessages) return null
  const since = localDay(new Date(now.getTime() - (retentionDays - 1) * 86_400_000), timezone)
  return from < since ? since : null
}
