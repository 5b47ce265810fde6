import { channelTraits } from '@carillon/contract/channels/table'
import { truncate } from '@carillon/contract/text'
import type { CorrectedRow } from '@carillon/contract/audience'
import type { Channel } from '@carillon/contract/channels'
import { correctableReasons } from '@carillon/contract/corrections'
import { emptyCounts, type Counts, type SampleError } from './audiences.queries.ts'
import { copyArray } from './copy-text.ts'
import { createCountryBlocks, type CountryBlock } from './country-blocks.ts'
import {
  createRowChecker,
  explainInvalid,
  type AppliedCorrection,
  type CheckedRow,
  type Corrections,
} from './reading/check-rows.ts'
import type { RowBatch } from './reading/rows.ts'

export type Reject = SampleError

/** Result of a batch: lines for COPY, and the rejected rows with reasons. */
export type CheckedBatch = { lines: string; rejects: Reject[] }

export type BatchChecker = {
  counts: Counts
  /** Some of the rejected rows so far, in file order. */
  sampleErrors: () => SampleError[]
  /** All rows with a typed number so far, and some of those whose suggested number was used. */
  correctedRows: CorrectedRow[]
  /** For each column, the number of accepted rows with an empty cell. */
  emptyCells: number[]
  /** Of the rows accepted so far. */
  blocks: () => CountryBlock[]
  /** Number of hidden rows so far. */
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
  corrections: Corrections
}

const keptSamples = 20
const longestShownValue = 60

/**
 * Every row is accepted, invalid or duplicate; the three counts add up to the total. Opted-out people are accepted:
 * campaigns skip them by channel, in the estimate and again when each message is sent.
 */
export function createBatchChecker({ organizationId, audienceId, channel, ...columns }: CheckerOptions): BatchChecker {
  const { reachesLandlines: acceptsLandlines, label: messages } = channelTraits[channel]
  const checkRow = createRowChecker({ ...columns, acceptsLandlines })
  const counts = { ...emptyCounts }
  const samples = createSamples()
  const correctedRows: CorrectedRow[] = []
  const emptyCells = Array.from({ length: columns.width }, () => 0)
  const blocks = createCountryBlocks()
  let hiddenRows = 0
  const prefix = `${organizationId}\t${audienceId}\t`

  function noteCorrection(row: number, { value, phoneNumber, automatic }: AppliedCorrection) {
    if (automatic) counts.auto_corrected += 1
    if (automatic && counts.auto_corrected > keptSamples) return
    const shown = truncate(value, longestShownValue)
    correctedRows.push({ row, value: shown, phoneNumber, ...(automatic ? { automatic } : {}) })
  }

  return {
    counts,
    sampleErrors: samples.all,
    correctedRows,
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
        if (row.kind !== 'invalid' && row.correction) noteCorrection(numbers[index] ?? 0, row.correction)
        if (row.kind === 'accepted') {
          lines += `${prefix}${blocks.next(row.country)}\t${row.phone}\t${copyArray(row.values)}\n`
          counts.accepted += 1
          countEmpty(emptyCells, row.values)
          return
        }
        rejects.push(
          countReject(counts, row, {
            rowNumber: numbers[index] ?? 0,
            value: rows[index]?.[columns.phoneColumn] ?? '',
            defaultCountry: columns.defaultCountry,
            messages,
          }),
        )
      })
      counts.total += rows.length
      counts.processed = counts.total
      counts.percent = Math.min(100, share * 100)
      samples.add(rejects)
      return { lines, rejects }
    },
  }
}

/** The first rejected rows of a file, preferring correctable ones. */
function createSamples() {
  const correctable: SampleError[] = []
  const others: SampleError[] = []
  return {
    add(rejects: readonly Reject[]) {
      for (const reject of rejects) {
        if (correctable.length === keptSamples) return
        const kind = correctableReasons.has(reject.code) ? correctable : others
        if (kind.length < keptSamples) kind.push(reject)
      }
    },
    all: () => [...correctable, ...others].slice(0, keptSamples).toSorted((a, b) => a.row - b.row),
  }
}

function countEmpty(emptyCells: number[], values: readonly string[]) {
  for (let column = 0; column < values.length; column += 1)
    if (values[column] === '') emptyCells[column] = (emptyCells[column] ?? 0) + 1
}

type Place = { rowNumber: number; value: string; defaultCountry: string; messages: string }

function countReject(
  counts: Counts,
  row: Exclude<CheckedRow, { kind: 'accepted' }>,
  { rowNumber, value, defaultCountry, messages }: Place,
): Reject {
  const place = { row: rowNumber, value: truncate(value, longestShownValue) }
  if (row.kind === 'duplicate') {
    counts.duplicate += 1
    return { ...place, code: 'duplicate', message: `Duplicate of row ${row.firstRow}` }
  }
  counts.invalid += 1
  const reject = { ...place, code: row.reason, message: explainInvalid(row, { defaultCountry, messages }) }
  if (!row.suggestion) return reject
  counts.fixable += 1
  return { ...reject, suggestion: row.suggestion.phoneNumber }
}
