import { truncate } from '@carillon/contract/text'
import { Zip, ZipDeflate } from 'fflate'

/** Phone numbers must be text: Excel shows numbers of more than eleven digits as 9.19877E+11. */
export type Cell = string | number | null | undefined
export type Sheet = {
  name: string
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>
  /** Shown before the sheets that are written before it, such as a summary of them. */
  isShownFirst?: true
}

/** Excel's limits. */
const excelRows = 1_048_576
const longestText = 32_767
const longestName = 31

const flushCharacters = 64 * 1024

export type XlsxOptions = { /** Further rows are written to another sheet. */ rowsPerSheet?: number }

/** Streams a workbook in constant memory. Texts are text cells, so none can act as a formula. Sheets are written one after the other. */
export async function* writeXlsx(
  sheets: readonly Sheet[],
  { rowsPerSheet = excelRows }: XlsxOptions = {},
): AsyncGenerator<Uint8Array> {
  const book = createBook()
  let shownFirst = 0
  for (const sheet of sheets) {
    if (sheet.isShownFirst) shownFirst = book.names.length
    yield* writeSheet(book, { sheet, rowsPerSheet })
  }
  for (const [path, text] of bookParts(book.names, shownFirst)) {
    const file = book.add(path, 6)
    file.push(Buffer.from(text), true)
  }
  book.zip.end()
  yield* book.takeReady()
}

type Book = {
  zip: Zip
  /** Names of the sheets so far. */
  names: string[]
  add(path: string, level: 1 | 6): ZipDeflate
  /** Compressed bytes not returned yet. Throws a compression error. */
  takeReady(): Uint8Array[]
}

function createBook(): Book {
  let ready: Uint8Array[] = []
  const failures: Error[] = []
  const zip = new Zip((error, data) => {
    if (error) failures.push(error)
    else ready.push(data)
  })
  return {
    zip,
    names: [],
    add(path, level) {
      const file = new ZipDeflate(path, { level })
      zip.add(file)
      return file
    },
    takeReady() {
      if (failures[0]) throw failures[0]
      const taken = ready
      ready = []
      return taken
    },
  }
}

async function* writeSheet(
  book: Book,
  { sheet, rowsPerSheet }: { sheet: Sheet; rowsPerSheet: number },
): AsyncGenerator<Uint8Array> {
  let file = beginSheet(book, sheet.name)
  let rows = 0
  let text = sheetStart
  for await (const cells of sheet.rows) {
    if (rows === rowsPerSheet) {
      file.push(Buffer.from(text + sheetEnd), true)
      file = beginSheet(book, sheet.name)
      rows = 0
      text = sheetStart
    }
    rows += 1
    text += rowXml(cells)
    if (text.length < flushCharacters) continue
    file.push(Buffer.from(text))
    text = ''
    yield* book.takeReady()
  }
  file.push(Buffer.from(text + sheetEnd), true)
  yield* book.takeReady()
}

const xmlStart = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const sheetStart = `${xmlStart}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
const sheetEnd = '</sheetData></worksheet>'

function beginSheet(book: Book, name: string): ZipDeflate {
  book.names.push(freeName(name, book.names))
  return book.add(`xl/worksheets/sheet${book.names.length}.xml`, 1)
}

/** A valid, unused sheet name: `Report`, `Report 2`, … */
function freeName(name: string, taken: readonly string[]): string {
  const plain =
    name
      .replaceAll(/[\\/?*[\]:]/g, ' ')
      .replaceAll(/^'+|'+$/g, '')
      .trim() || 'Sheet'
  const lower = new Set(taken.map((other) => other.toLowerCase()))
  let candidate = truncate(plain, longestName)
  for (let count = 2; lower.has(candidate.toLowerCase()); count += 1) {
    candidate = `${truncate(plain, longestName - String(count).length - 1)} ${count}`
  }
  return candidate
}

function rowXml(cells: readonly Cell[]): string {
  let xml = '<row>'
  for (const cell of cells) xml += cellXml(cell)
  return `${xml}</row>`
}

function cellXml(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '<c/>'
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c><v>${cell}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(truncate(String(cell), longestText))}</t></is></c>`
}

const special = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|_x(?=[\da-f]{4}_)/gi
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

/** Fast check, since most texts need no escaping. */
const mayNeedEscape = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]|_x/i

/** Drops characters that XML cannot represent; escapes text that Excel would take for its own codes, such as _x0041_. */
function escapeXml(text: string): string {
  if (!mayNeedEscape.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(special, (sign) => (sign.length > 1 ? `_x005F_${sign.slice(1)}` : (entities[sign] ?? '')))
}

const schemas = 'http://schemas.openxmlformats.org'
const relationTypes = `${schemas}/officeDocument/2006/relationships`
const contentTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The workbook's files besides the sheets, which are shown from one of them on, then those before it. */
function bookParts(names: readonly string[], shownFirst: number): [path: string, text: string][] {
  const each = (write: (number: number, name: string) => string) =>
    names.map((name, index) => write(index + 1, escapeXml(name))).join('')
  const sheetTypes = each(
    (number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${contentTypes}.worksheet+xml"/>`,
  )
  const entries = names.map(
    (name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  const sheets = [...entries.slice(shownFirst), ...entries.slice(0, shownFirst)].join('')
  const relations = each((number) => relation(`rId${number}`, 'worksheet', `worksheets/sheet${number}.xml`))
  return [
    [
      '[Content_Types].xml',
      `${xmlStart}<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentTypes}.sheet.main+xml"/>${sheetTypes}</Types>`,
    ],
    ['_rels/.rels', relationships(relation('rId1', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `${xmlStart}<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${relationTypes}"><sheets>${sheets}</sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', relationships(relations)],
  ]
}

function relationships(content: string): string {
  return `${xmlStart}<Relationships xmlns="${schemas}/package/2006/relationships">${content}</Relationships>`
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${relationTypes}/${type}" Target="${target}"/>`
}
