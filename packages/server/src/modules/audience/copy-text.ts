const needsEscape = /["\\\t\n\r\0]/

/** A cell inside the array literal of a COPY line: escaped for the array first, then for COPY's text format. */
function copyCell(cell: string): string {
  return needsEscape.test(cell)
    ? `"${cell.replaceAll(/["\\\t\n\r\0]/g, (character) => escapes[character] ?? '')}"`
    : `"${cell}"`
}

/** PostgreSQL text cannot contain NUL, so it is dropped. */
const escapes: Record<string, string> = {
  '"': String.raw`\\"`,
  '\\': '\\\\\\\\',
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\0': '',
}

/** An array of texts in COPY's text format. */
export function copyArray(cells: readonly string[]): string {
  let text = '{'
  for (let index = 0; index < cells.length; index += 1)
    text += index === 0 ? copyCell(cells[index] ?? '') : `,${copyCell(cells[index] ?? '')}`
  return `${text}}`
}
