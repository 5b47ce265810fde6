import { previewRows, type ReportDetails } from '@carillon/contract/report-file-records'
import type { ReportValue } from './copy-rows.ts'
import type { ReportColumn } from './report-columns.ts'
import { hiddenColumns } from './report-types.ts'

/** Adds up the rows that are written. */
export type Tally = {
  /** Returns the visible part of the row. */
  add(row: ReportValue[]): ReportValue[]
  rows(): number
  preview(): ReportValue[][]
  summary(): ReportDetails['summary']
  daily(): ReportDetails['daily']
}

/** Sums are of whole units, so that no rounding adds up. */
const scale = 10_000

export function createTally(columns: readonly ReportColumn[]): Tally {
  const summed = columns.flatMap(({ isSummed }, index) => (isSummed ? [index] : []))
  const sums = summed.map(() => 0)
  const preview: ReportValue[][] = []
  const days = new Map<string, ReportDetails['daily'][number]>()
  let rows = 0
  return {
    add(row) {
      const [day, submitted, delivered, failed] = row
      const cells = row.slice(hiddenColumns)
      if (typeof day === 'string') {
        const sum = days.get(day) ?? { day, submitted: 0, delivered: 0, failed: 0 }
        sum.submitted += Number(submitted)
        sum.delivered += Number(delivered)
        sum.failed += Number(failed)
        days.set(day, sum)
      }
      for (const [place, index] of summed.entries())
        sums[place] = (sums[place] ?? 0) + Math.round(Number(cells[index]) * scale)
      if (rows < previewRows) preview.push(cells)
      rows += 1
      return cells
    },
    rows: () => rows,
    preview: () => preview,
    summary: () => [
      { label: 'Rows', value: rows, unit: 'count' },
      ...summed.map((index, place) => ({
        label: columns[index]?.title ?? '',
        value: (sums[place] ?? 0) / scale,
        unit: columns[index]?.unit ?? 'count',
      })),
    ],
    daily: () => [...days.values()].toSorted((one, other) => (one.day < other.day ? -1 : 1)),
  }
}
