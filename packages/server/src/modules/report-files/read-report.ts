import { copyRows, type ReportValue } from './copy-rows.ts'
import type { ReadingConnection } from './open-scope.ts'
import { planPieces } from './plan-report.ts'
import type { CoveredOrganization, ReportSpan } from './report-span.ts'
import type { ReportColumn } from './report-columns.ts'
import { hiddenColumns, reportEntries, statementOf, type UploadedColumns } from './report-types.ts'

export type Reading = {
  span: ReportSpan
  organizations: readonly CoveredOrganization[]
  columns: readonly ReportColumn[]
  /** Aborted if the report was deleted or the process stops. */
  signal: AbortSignal
  /** Called with the share that was read, 0 to 1. */
  onProgress(share: number): void
}

const hidden = Array.from({ length: hiddenColumns }, (_, index) => ({
  unit: index === 0 ? ('day' as const) : ('count' as const),
}))

/** All rows of a report, several at a time. */
export async function* readRows(
  connection: ReadingConnection,
  { span, organizations, columns, signal, onProgress }: Reading,
): AsyncGenerator<ReportValue[][]> {
  const types = [...hidden, ...columns]
  const entry = reportEntries[span.type]
  const namesBelow = entry.rows === 'groups' && entry.namesBelow === true
  for (const [index, organization] of organizations.entries()) {
    await connection.limitTo(organization, { namesBelow })
    await connection.readRange(false)
    const pieces = await planPieces(connection.query, { organization, span })
    for (const [place, piece] of pieces.entries()) {
      await connection.readRange('range' in piece)
      for await (const rows of copyRows(connection.client, statementOf(piece, columns), types)) {
        signal.throwIfAborted()
        yield rows
      }
      onProgress((index + (place + 1) / pieces.length) / organizations.length)
    }
  }
}

/** The columns that were uploaded with the audience of a campaign. */
export async function findUploaded(
  connection: ReadingConnection,
  { organization, campaignId }: { organization: CoveredOrganization; campaignId: string },
): Promise<UploadedColumns | undefined> {
  await connection.limitTo(organization)
  const { rows } = await connection.client.query<UploadedColumns>(
    `select audience.columns as names, audience.phone_column as "phoneColumn"
    from campaigns campaign
    join audiences audience on audience.organization_id = campaign.organization_id and audience.id = campaign.audience_id
    where campaign.organization_id = $1 and campaign.id = $2`,
    [organization.organizationId, campaignId],
  )
  return rows[0]
}
