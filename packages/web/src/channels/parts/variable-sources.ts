import type { VariableSource } from '@carillon/contract/campaign-records'

/** Whether it has neither a column, a fixed value nor a link. */
export function isUnset(source: VariableSource | undefined): boolean {
  return !source || (source.column === undefined && source.link === undefined && source.fallback === '')
}

/** Whether it still has a value with this many columns. */
export function isUsable({ column, fallback, link }: VariableSource, columns: number): boolean {
  return column === undefined ? fallback !== '' || link !== undefined : column < columns
}

/** All sources with one of them changed; unset ones are empty. */
export function withSource(
  sources: readonly VariableSource[],
  { index, source, count }: { index: number; source: VariableSource; count: number },
): VariableSource[] {
  return Array.from({ length: count }, (_, place) => (place === index ? source : (sources[place] ?? { fallback: '' })))
}
