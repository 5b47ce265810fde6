import { strToU8, Zip, ZipDeflate, type FlateError } from 'fflate'

export type Cell = string | number | null | undefined
export type Sheet = { name: string; rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]> }

/** Excel's own limit; further rows go on in another sheet. */
const rowsPerSheet = 1_048_576
const flushBytes = 64 * 1024

/**
 * A workbook as it is made, in constant memory: every text is a text cell, so nothing in it can act as a formula.
 * Sheets are written one after the other.
 */
export async function* writeXlsx(sheets: readonly Sheet[]): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  let failure: FlateError | null = null
  const zip = new Zip((error, data) => {
    failure = error
    if (!error) ready.push(data)
  })
  const names: string[] = []
  for (const sheet of sheets) {
    for await (const piece of writeSheet(zip, { sheet, names, ready })) yield piece
    if (failure) throw failure
  }
  for (const [path, text] of bookParts(names)) addText(zip, path, text)
  zip.end()
  if (failure) throw failure
  yield* ready
}

type Target = { sheet: Sheet; names: string[]; ready: Uint8Array[] }

async function* writeSheet(zip: Zip, { sheet, names, ready }: Target): AsyncGenerator<Uint8Array> {
  let file = beginSheet(zip, names, sheet.name)
  let row = 0
  let text = ''
  for await (const cells of sheet.rows) {
    if (row === rowsPerSheet) {
      file.push(strToU8(`${text}${sheetEnd}`), true)
      file = beginSheet(zip, names, `${sheet.name} ${Math.floor(names.length) + 1}`)
      row = 0
      text = ''
    }
    row += 1
    text += rowXml(cells)
    if (text.length < flushBytes) continue
    file.push(strToU8(text))
    text = ''
    yield* ready.splice(0)
  }
  file.push(strToU8(`${text}${sheetEnd}`), true)
  yield* ready.splice(0)
}

const sheetStart = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
const sheetEnd = '</sheetData></worksheet>'

function beginSheet(zip: Zip, names: string[], name: string): ZipDeflate {
  names.push(name.replaceAll(/[\\/?*[\]:]/g, ' ').slice(0, 31))
  const file = new ZipDeflate(`xl/worksheets/sheet${names.length}.xml`, { level: 1 })
  zip.add(file)
  file.push(strToU8(sheetStart))
  return file
}

function rowXml(cells: readonly Cell[]): string {
  let xml = '<row>'
  for (const cell of cells) {
    if (cell === null || cell === undefined || cell === '') xml += '<c/>'
    else if (typeof cell === 'number') xml += `<c><v>${cell}</v></c>`
    else xml += `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
  }
  return `${xml}</row>`
}

const special = /[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** What XML cannot carry at all is left out. */
function escapeXml(text: string): string {
  return text.replaceAll(special, (character) => entities[character] ?? '')
}

function addText(zip: Zip, path: string, text: string) {
  const file = new ZipDeflate(path, { level: 6 })
  zip.add(file)
  file.push(strToU8(text), true)
}

function bookParts(names: string[]): [string, string][] {
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
  const sheet = (index: number) => `application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml" PartName="/xl/worksheets/sheet${index}.xml`
  return [
    ['[Content_Types].xml', `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml" PartName="/xl/workbook.xml"/>${names.map((_, index) => `<Override ContentType="${sheet(index + 1)}"/>`).join('')}</Types>`],
    ['_rels/.rels', `${head}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`],
    ['xl/workbook.xml', `${head}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"><sheets>${names.map((name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`],
    ['xl/_rels/workbook.xml.rels', `${head}<Relationships xmlns="${packageRelations}">${names.map((_, index) => `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}</Relationships>`],
  ]
}
