import type { VariableSource } from './campaign-records.ts'
import { formatCell } from './cell-formats.ts'

/**
 * The value of a variable for one row: the formatted cell, else the fallback; truncated if the campaign says so. Previews, prices and messages all
 * use this.
 */
export function valueOf(source: VariableSource | undefined, cells: readonly string[]): string {
  if (!source) return ''
  const cell = source.column === undefined ? '' : (cells[source.column] ?? '')
  const value = cell === '' ? source.fallback : (formatCell(source.format, cell) ?? source.fallback)
  return source.trimTo !== undefined && value.length > source.trimTo
    ? Array.from(value).slice(0, source.trimTo).join('')
    : value
}

/** Whether the row's cell does not match its format: not a valid date or number. */
export function isUnreadable(source: VariableSource | undefined, cells: readonly string[]): boolean {
  if (source?.format === undefined || source.column === undefined) return false
  const cell = cells[source.column] ?? ''
  return cell !== '' && formatCell(source.format, cell) === undefined
}
