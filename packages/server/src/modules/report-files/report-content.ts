import type { Letterhead } from '../balance/index.ts'
import type { ReportValue } from './copy-rows.ts'
import type { ReportColumn } from './report-columns.ts'
import type { Tally } from './tally.ts'

/** What a file contains. Rows are added to the tally as they are read. */
export type ReportContent = {
  name: string
  columns: readonly ReportColumn[]
  /** Facts about the report, such as its days. */
  facts: readonly (readonly [label: string, value: string])[]
  rows: AsyncIterable<ReportValue[][]>
  tally: Tally
  /** What must be known to read the figures. */
  notes: readonly string[]
  /** The brand of the organization, if it has one. */
  letterhead: Letterhead | undefined
}
