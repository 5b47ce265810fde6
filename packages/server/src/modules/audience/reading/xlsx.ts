import type { Readable } from 'node:stream'
import { open, type Entry, type ZipFile } from 'yauzl'
import { limits, rowsPerBatch, type RowBatch } from './rows.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** Reads the first sheet of a workbook, streamed out of the archive; texts shared between cells are held, bounded. */
export async function* readXlsx(path: string): AsyncGenerator<RowBatch> {
  const book = await openBook(path)
  try {
    const sheet = await findFirstSheet(book)
    const shared = await readSharedStrings(book)
    yield* readSheet(await streamOf(book, sheet), { shared, size: sheet.uncompressedSize })
  } finally {
    book.zip.close()
  }
}

type Book = { zip: ZipFile; entries: Map<string, Entry> }

async function openBook(path: string): Promise<Book> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, opened) => (error || !opened ? reject(new UnreadableFile('broken_zip')) : resolve(opened)))
  })
  const entries = new Map<string, Entry>()
  await new Promise<void>((resolve, reject) => {
    let unpacked = 0
    zip.on('error', () => reject(new UnreadableFile('broken_zip')))
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      unpacked += entry.uncompressedSize
      const isBomb = unpacked > limits.unpackedBytes || entry.uncompressedSize > Math.max(1024 * 1024, entry.compressedSize * limits.ratio) || entries.size > 2000
      if (isBomb) return reject(new UnreadableFile('zip_bomb'))
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
  return { zip, entries }
}

async function findFirstSheet(book: Book): Promise<Entry> {
  if (book.entries.has('EncryptedPackage')) throw new UnreadableFile('encrypted')
  if (!book.entries.has('xl/workbook.xml')) throw new UnreadableFile('not_text')
  const relation = /<(?:\w+:)?sheet\b[^>]*\br:id="([^"]+)"/.exec(await textOf(book, 'xl/workbook.xml'))?.[1]
  const relations = await textOf(book, 'xl/_rels/workbook.xml.rels')
  const element = [...relations.matchAll(/<Relationship\b[^>]*>/g)].map(([text]) => text).find((text) => relation !== undefined && text.includes(`Id="${relation}"`))
  const target = /Target="([^"]+)"/.exec(element ?? '')?.[1] ?? 'worksheets/sheet1.xml'
  const sheet = book.entries.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  if (!sheet) throw new UnreadableFile('no_sheet')
  return sheet
}

async function textOf(book: Book, name: string): Promise<string> {
  const entry = book.entries.get(name)
  if (!entry) return ''
  const pieces: Buffer[] = []
  for await (const piece of await streamOf(book, entry)) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

async function streamOf({ zip }: Book, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error || !stream) return reject(new UnreadableFile(entry.isEncrypted() ? 'encrypted' : 'broken_zip'))
      stream.on('error', () => stream.destroy())
      resolve(stream)
    })
  })
}

const maximumSharedCharacters = 200_000_000

async function readSharedStrings(book: Book): Promise<string[]> {
  const entry = book.entries.get('xl/sharedStrings.xml')
  const shared: string[] = []
  if (!entry) return shared
  let characters = 0
  for await (const element of elements(await streamOf(book, entry), 'si')) {
    const text = textIn(element)
    characters += text.length
    if (characters > maximumSharedCharacters) throw new UnreadableFile('too_large')
    shared.push(text)
  }
  return shared
}

async function* readSheet(stream: Readable, { shared, size }: { shared: string[]; size: number }): AsyncGenerator<RowBatch> {
  let rows: string[][] = []
  let first = 1
  let seen = 0
  for await (const element of elements(stream, 'row')) {
    seen += element.length
    const cells = readCells(element, shared)
    if (cells.every((cell) => cell === '')) continue
    rows.push(cells)
    if (rows.length < rowsPerBatch) continue
    yield { first, rows, share: Math.min(1, seen / Math.max(1, size)) }
    first += rows.length
    rows = []
  }
  if (rows.length > 0) yield { first, rows, share: 1 }
}

/** Whole elements of one name as they arrive, outer text included; the two names asked for never nest. */
async function* elements(stream: Readable, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  const start = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])`, 'g')
  const end = new RegExp(`</(?:\\w+:)?${name}>`, 'g')
  let text = ''
  for await (const piece of stream as AsyncIterable<Buffer>) {
    text += decoder.decode(piece, { stream: true })
    let at = 0
    for (;;) {
      start.lastIndex = at
      const from = start.exec(text)?.index
      if (from === undefined) break
      const close = text.indexOf('>', from)
      if (close < 0) break
      if (text.charCodeAt(close - 1) === 47) {
        at = close + 1
        continue
      }
      end.lastIndex = close
      const until = end.exec(text)
      if (!until) break
      at = until.index + until[0].length
      yield text.slice(from, at)
    }
    text = text.slice(Math.max(at, 0))
    if (text.length > limits.columns * limits.cellCharacters * 2) throw new UnreadableFile('too_many_columns')
  }
}

const cellElement = /<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g

function readCells(row: string, shared: string[]): string[] {
  const cells: string[] = []
  for (const [, attributes = '', content = ''] of row.matchAll(cellElement)) {
    const reference = /\br="([A-Z]+)\d*"/.exec(attributes)?.[1]
    const column = reference ? columnNumber(reference) : cells.length
    if (column >= limits.columns) throw new UnreadableFile('too_many_columns')
    while (cells.length < column) cells.push('')
    cells[column] = readCell(attributes, content, shared)
  }
  return cells
}

function readCell(attributes: string, content: string, shared: string[]): string {
  const type = /\bt="(\w+)"/.exec(attributes)?.[1]
  if (type === 'inlineStr') return textIn(content)
  const value = unescapeXml(/<(?:\w+:)?v[^>]*>([\s\S]*?)<\/(?:\w+:)?v>/.exec(content)?.[1] ?? '')
  if (type === 's') return shared[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  return type === undefined || type === 'n' ? plainNumber(value) : value
}

/** Sheets store a long number in binary; 9.1987654321E11 is exact and is written out, as the person saw it. */
function plainNumber(value: string): string {
  if (!/e/i.test(value)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? String(number) : value
}

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + (letter.charCodeAt(0) - 64)
  return number - 1
}

/** All text runs of a rich text, without the phonetic ones. */
function textIn(xml: string): string {
  const plain = xml.replaceAll(/<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g, '')
  return [...plain.matchAll(/<(?:\w+:)?t(?:\s[^>]*)?>([\s\S]*?)<\/(?:\w+:)?t>/g)].map(([, text = '']) => unescapeXml(text)).join('')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    return entities[name ?? ''] ?? whole
  })
}

/** Whether a file begins as every archive does. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 0x03 || head[2] === 0x05)
}

