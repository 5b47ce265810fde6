import { truncate } from '@carillon/contract/text'
import type { RejectReason } from '@carillon/contract/audience'
import type { Channel } from '@carillon/contract/channels'
import { emptyCounts, type Counts, type SampleError } from './audiences.queries.ts'
import { copyArray } from './copy-text.ts'
import { createCountryBlocks, type CountryBlock } from './country-blocks.ts'
import { createRowChecker, explainReject, type CheckedRow } from './reading/check-rows.ts'
import type { RowBatch } from './reading/rows.ts'

export type Reject = SampleError

/** What a batch came to: lines for COPY, and the rows that were not accepted, each with its reason. */
export type CheckedBatch = { lines: string; rejects: Reject[] }

export type BatchChecker = {
  counts: Counts
  sampleErrors: SampleError[]
  /** Of each column: accepted rows without a value in it. */
  emptyCells: number[]
  /** Of those accepted so far. */
  blocks: () => CountryBlock[]
  /** Rows so far that the file hides. */
  hiddenRows: () => number
  check: (batch: RowBatch) => CheckedBatch
}

export type CheckerOptions = {
  organizationId: string
  audienceId: string
  phoneColumn: number
  defaultCountry: string
  channel: Channel
  width: number
}

const keptSamples = 20
const longestShownValue = 60

/**
 * Every row ends as accepted, invalid or duplicate; the three always add up to the rows. Who opted out stays in: a
 * campaign leaves them out by its channel, when it is counted and again when each message leaves.
 */
export function createBatchChecker({ organizationId, audienceId, ...columns }: CheckerOptions): BatchChecker {
  const checkRow = createRowChecker(columns)
  const counts = { ...emptyCounts }
  const sampleErrors: SampleError[] = []
  const emptyCells = Array.from({ length: columns.width }, () => 0)
  const blocks = createCountryBlocks()
  let hiddenRows = 0
  const prefix = `${organizationId}\t${audienceId}\t`

  return {
    counts,
    sampleErrors,
    emptyCells,
    blocks: blocks.all,
    hiddenRows: () => hiddenRows,
    check({ rows, numbers, hidden, share }) {
      hiddenRows += hidden
      const checked = rows.map((row, index) => checkRow(row, numbers[index] ?? 0))
      blocks.expect(checked.flatMap((row) => (row.kind === 'accepted' ? [row.country] : [])))
      const rejects: Reject[] = []
      let lines = ''
      checked.forEach((row, index) => {
        if (row.kind === 'accepted') {
          lines += `${prefix}${blocks.next(row.country)}\t${row.phone}\t${copyArray(row.values)}\n`
          counts.accepted += 1
          countEmpty(emptyCells, row.values)
          return
        }
        rejects.push(
          countReject(counts, row, { rowNumber: numbers[index] ?? 0, value: rows[index]?.[columns.phoneColumn] ?? '' }),
        )
      })
      counts.total += rows.length
      counts.processed = counts.total
      counts.percent = Math.min(100, share * 100)
      if (sampleErrors.length < keptSamples) sampleErrors.push(...rejects.slice(0, keptSamples - sampleErrors.length))
      return { lines, rejects }
    },
  }
}

function countEmpty(emptyCells: number[], values: readonly string[]) {
  for (let column = 0; column < values.length; column += 1)
    if (values[column] === '') emptyCells[column] = (emptyCells[column] ?? 0) + 1
}

type Rejected = { rowNumber: number; value: string }

function countReject(
  counts: Counts,
  row: Exclude<CheckedRow, { kind: 'accepted' }>,
  { rowNumber, value }: Rejected,
): Reject {
  const reject = (code: RejectReason, message = explainReject(code)) => ({
    row: rowNumber,
    value: truncate(value, longestShownValue),
    code,
    message,
  })
  if (row.kind === 'invalid') {
    counts.invalid += 1
    return reject(row.reason)
  }
  counts.duplicate += 1
  return reject('duplicate', `Duplicate of row ${row.firstRow}`)
}
