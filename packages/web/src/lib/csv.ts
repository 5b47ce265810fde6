/** A number with a fixed number of decimals, such as an amount: 12.50. */
export type Decimal = { value: number; decimals: number }

export type Cell = string | number | Decimal

/** A CSV file that spreadsheets read as UTF-8; cells they could execute as a formula are disarmed. */
export function csvBlob(rows: readonly (readonly Cell[])[]): Blob {
  return new Blob(['\ufeff', rows.map(csvLine).join('')], { type: 'text/csv;charset=utf-8' })
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return cell.value.toFixed(cell.decimals)
  const safe = /^[=+\-@\t\r\0]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
