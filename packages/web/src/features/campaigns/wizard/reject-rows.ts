import type { Audience, CorrectedRow } from '@carillon/contract/audience'

type Reject = Audience['sampleErrors'][number]

/** A row of the file that was rejected, corrected, or both: the new number may be a duplicate. */
export type RejectRow = { row: number; value: string; reject?: Reject; correction?: CorrectedRow }

/** The known rejected and corrected rows in file order; duplicates in the file come last. */
export function rejectRows({ sampleErrors, corrections }: Pick<Audience, 'sampleErrors' | 'corrections'>): RejectRow[] {
  const rows = new Map<number, RejectRow>()
  for (const correction of corrections.rows) {
    const { row, value } = correction
    rows.set(row, { row, value, correction })
  }
  for (const reject of sampleErrors) {
    const { row, value } = reject
    rows.set(row, { ...rows.get(row), row, value, reject })
  }
  return [...rows.values()].toSorted((a, b) => Number(isDuplicate(a)) - Number(isDuplicate(b)) || a.row - b.row)
}

function isDuplicate({ reject, correction }: RejectRow): boolean {
  return reject?.code === 'duplicate' && correction === undefined
}

/** The first few rows: invalid ones, then duplicates, then those that were corrected automatically; and all with a typed number. */
export function fewRows(rows: readonly RejectRow[], few: number): RejectRow[] {
  const isTyped = ({ correction }: RejectRow) => correction !== undefined && !correction.automatic
  const rank = ({ reject }: RejectRow) => (!reject ? 2 : reject.code === 'duplicate' ? 1 : 0)
  const first = rows
    .filter((row) => !isTyped(row))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, few)
  return rows.filter((row) => isTyped(row) || first.includes(row))
}
