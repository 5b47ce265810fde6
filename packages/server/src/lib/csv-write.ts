const formulaStart = /^[=+\-@\t\r\0]/
const needsQuotes = /[",\r\n]/

/** A number with a fixed number of decimals, such as an amount: 12.50. */
export type Decimal = { value: number; decimals: number }

/** One line of a CSV file. Cells that a spreadsheet could execute as a formula are prefixed with an apostrophe. */
export function csvLine(cells: readonly (string | number | Decimal | null | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | Decimal | null | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return cell.value.toFixed(cell.decimals)
  const safe = formulaStart.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Excel reads a CSV as UTF-8 only if it starts with a byte order mark. */
export const byteOrderMark = '\ufeff'
