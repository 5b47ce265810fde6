import type { ReportColumn } from './report-columns.ts'
import type { StoredDays } from './message-rows.ts'
import type { CoveredOrganization, ReportSpan } from './report-span.ts'

/** What an organisation contributes to a report. */
export type Covered = {
  organization: CoveredOrganization
  span: ReportSpan
  stored: StoredDays
  /** The condition that `readSeen` of the type returned; else `true`. */
  seen: string
}

/** Runs a statement in the scope of the organisation. */
export type Query = <Row extends Record<string, unknown>>(text: string) => Promise<Row[]>

/** What the rows of a type are, for its estimate, its files and its preview alike. */
export type ReportEntry = {
  columns(span: ReportSpan): readonly ReportColumn[]
} & (
  | {
      /** One row for each message: of each range of a campaign, and of each day of single messages. */
      rows: 'messages'
      includesSingles: boolean
    }
  | {
      rows: 'groups'
      /** Names of organisations below are read as well, if the account sees them. */
      namesBelow?: true
      /** A condition for the rows that the account sees, besides its scope. */
      readSeen?: (query: Query, covered: Pick<Covered, 'organization' | 'span'>) => Promise<string>
      /** A relation whose rows are those of the report, in their order. It has `day`, null for a report without days, and `submitted`, `delivered` and `failed`. */
      source(covered: Covered): string
    }
)
