import type { VariableSource } from '@carillon/contract/campaign-records'
import { isUsable } from './variable-sources.ts'

/** One source for each variable: the previous choice, else the column with the variable's name. */
export function matchColumns(
  names: readonly string[],
  columns: readonly string[],
  known: readonly VariableSource[] = [],
): VariableSource[] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  const headings = columns.map(plain)
  return names.map((name, index) => {
    const before = known[index]
    if (before && isUsable(before, columns.length)) return before
    const wanted = plain(name)
    const same = headings.indexOf(wanted)
    const column =
      same >= 0
        ? same
        : headings.findIndex((found) => found.length > 2 && (found.includes(wanted) || wanted.includes(found)))
    return { ...(column >= 0 ? { column } : {}), fallback: before?.fallback ?? '' }
  })
}
