import type { VariableSource } from './campaign-records.ts'
import { formatCell } from './cell-formats.ts'

/**
 * What a variable is for one row: the cell of its column in the chosen format, else the fallback; cut where the
 * campaign says so. Previews, prices and what is sent are all made of this.
 */
export function valueOf(source: VariableSource | undefined, cells: readonly string[]): string {
  if (!source) return ''
  const cell = source.column === undefined ? '' : (cells[source.column] ?? '')
  const value = cell === '' ? source.fallback : (formatCell(source.format, cell) ?? source.fallback)
  return source.trimTo !== undefined && value.length > source.trimTo
    ? Array.from(value).slice(0, source.trimTo).join('')
    : value
}

/** The row has a cell that is not what the format asks for: no date, or no number. */
export function isUnreadable(source: VariableSource | undefined, cells: readonly string[]): boolean {
  if (source?.format === undefined || source.column === undefined) return false
  const cell = cells[source.column] ?? ''
  return cell !== '' && formatCell(source.format, cell) === undefined
}
