import { once } from 'node:events'
import { constants, crc32, createDeflateRaw } from 'node:zlib'
import { truncate } from '@carillon/contract/text'
import { Zip, type ZipInputFile } from 'fflate'

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
  try {
    let shownFirst = 0
    for (const sheet of sheets) {
      if (sheet.isShownFirst) shownFirst = book.names.length
      yield* writeSheet(book, { sheet, rowsPerSheet })
    }
    for (const [path, text] of bookParts(book.names, shownFirst)) await book.add(path, 6).end(text)
    book.zip.end()
    yield* book.takeReady()
  } finally {
    book.close()
  }
}

type Book = {
  zip: Zip
  /** Names of the sheets so far. */
  names: string[]
  /** The file before it must have ended. */
  add(path: string, level: 1 | 6): BookFile
  /** Compressed bytes not returned yet. Throws a compression error. */
  takeReady(): Uint8Array[]
  /** Frees what an unfinished file holds. */
  close(): void
}

/** A file of the archive. Promises resolve when more can be written. */
type BookFile = { write(text: string): Promise<void>; end(text: string): Promise<void>; close(): void }

function createBook(): Book {
  let ready: Uint8Array[] = []
  let current: BookFile | undefined
  const failures: Error[] = []
  const zip = new Zip((error, data) => {
    if (error) failures.push(error)
    else ready.push(data)
  })
  return {
    zip,
    names: [],
    add: (path, level) => (current = addFile(zip, path, level)),
    takeReady() {
      if (failures[0]) throw failures[0]
      const taken = ready
      ready = []
      return taken
    },
    close: () => current?.close(),
  }
}

const deflated = 8

/** A thread compresses one text while the next is prepared. */
function addFile(zip: Zip, path: string, level: 1 | 6): BookFile {
  const file: ZipInputFile = { filename: path, size: 0, crc: 0, compression: deflated }
  zip.add(file)
  const deflate = createDeflateRaw({ level, flush: constants.Z_SYNC_FLUSH })
  deflate.on('data', (data: Buffer<ArrayBuffer>) => file.ondata?.(null, data, false))
  deflate.on('error', (error) => file.ondata?.(Object.assign(error, { code: 0 }), new Uint8Array(), false))
  const count = (text: string) => {
    const bytes = Buffer.from(text)
    file.size += bytes.length
    file.crc = crc32(bytes, file.crc)
    return bytes
  }
  let written = Promise.resolve()
  return {
    async write(text) {
      await written
      // An error is an event.
      written = new Promise((resolve) => deflate.write(count(text), () => resolve()))
    },
    async end(text) {
      deflate.end(count(text))
      await once(deflate, 'end')
      file.ondata?.(null, new Uint8Array(), true)
    },
    close() {
      deflate.destroy()
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
      await file.end(text + sheetEnd)
      file = beginSheet(book, sheet.name)
      rows = 0
      text = sheetStart
    }
    rows += 1
    text += rowXml(cells)
    if (text.length < flushCharacters) continue
    await file.write(text)
    text = ''
    yield* book.takeReady()
  }
  await file.end(text + sheetEnd)
  yield* book.takeReady()
}

const xmlStart = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const sheetStart = `${xmlStart}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
const sheetEnd = '</sheetData></worksheet>'

function beginSheet(book: Book, name: string): BookFile {
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
