import type { VariableSource } from '@carillon/contract/campaign-records'

/** What a variable is for one row: the cell of its column, else what stands in for it; cut where the campaign says so. */
export function valueOf(source: VariableSource | undefined, cells: readonly string[]): string {
  if (!source) return ''
  const cell = source.column === undefined ? '' : (cells[source.column] ?? '')
  const value = cell === '' ? source.fallback : cell
  return source.trimTo !== undefined && value.length > source.trimTo
    ? Array.from(value).slice(0, source.trimTo).join('')
    : value
}
