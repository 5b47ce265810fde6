type Cell = string | number

/** Rows as a CSV file that spreadsheets read as UTF-8; a cell they would take for a formula is disarmed. */
export function csvBlob(rows: readonly (readonly Cell[])[]): Blob {
  return new Blob(['\ufeff', rows.map(csvLine).join('')], { type: 'text/csv;charset=utf-8' })
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const safe = /^[=+\-@\t\r\0]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
