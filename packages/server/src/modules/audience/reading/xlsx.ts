import { truncate } from '@carillon/contract/text'
import type { Entry } from 'yauzl'
import { limits, rowsPerBatch, type RowBatch } from './rows.ts'
import { formatSheetNumber, readNumberStyles, type NumberStyles } from './sheet-numbers.ts'
import { attribute, elementText, findTag, readElements, textIn, unescapeXml } from './sheet-xml.ts'
import { createTextStore, type TextStore } from './text-store.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { openArchive, readTexts, readWhole, type Archive } from './zip.ts'

/** The visible sheets of a workbook, in tab order. */
export async function listSheets(path: string): Promise<string[]> {
  const archive = await openArchive(path)
  try {
    return visibleSheets(await readWorkbook(archive)).map(({ name }) => name)
  } finally {
    archive.zip.close()
  }
}

/** Streams one sheet of a workbook, by default the first visible one; shared texts are held in bounded memory. */
export async function* readXlsx(path: string, sheetName?: string): AsyncGenerator<RowBatch> {
  const archive = await openArchive(path)
  try {
    const workbook = await readWorkbook(archive)
    const sheet = await findSheet(archive, workbook, sheetName)
    const book: Book = {
      texts: await readSharedTexts(archive),
      styles: readNumberStyles(await readWhole(archive, 'xl/styles.xml')),
      startsIn1904: /date1904="(?:1|true)"/.test(workbook),
    }
    yield* readSheet(archive, sheet, book)
  } finally {
    archive.zip.close()
  }
}

type Book = { texts: TextStore; styles: NumberStyles; startsIn1904: boolean }

async function readWorkbook(archive: Archive): Promise<string> {
  const workbook = await readWhole(archive, 'xl/workbook.xml')
  if (workbook === '') throw new UnreadableFile('not_text')
  return workbook
}

type Sheet = { name: string; relation: string | undefined }

/** If all sheets are hidden, the first counts as visible. */
function visibleSheets(workbook: string): Sheet[] {
  const tags = Array.from(workbook.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g), ([tag]) => tag)
  const visible = tags.filter((tag) => !/state="(?:hidden|veryHidden)"/.test(tag))
  return (visible.length > 0 ? visible : tags.slice(0, 1)).map((tag) => ({
    name: attribute(tag, 'name') ?? '',
    relation: /\s\w+:id="([^"]+)"/.exec(tag)?.[1],
  }))
}

async function findSheet(archive: Archive, workbook: string, name: string | undefined): Promise<Entry> {
  const sheets = visibleSheets(workbook)
  const chosen = name === undefined ? sheets[0] : sheets.find((each) => each.name === name)
  if (name !== undefined && !chosen) throw new UnreadableFile('no_such_sheet')
  const relation = chosen?.relation
  const relations = await readWhole(archive, 'xl/_rels/workbook.xml.rels')
  const element = Array.from(relations.matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g), ([tag]) => tag).find(
    (tag) => relation !== undefined && attribute(tag, 'Id') === relation,
  )
  const target = (element && attribute(element, 'Target')) ?? 'worksheets/sheet1.xml'
  const sheet = archive.entries.get(target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`)
  if (!sheet) throw new UnreadableFile('no_sheet')
  return sheet
}

async function readSharedTexts(archive: Archive): Promise<TextStore> {
  const texts = createTextStore()
  const entry = archive.entries.get('xl/sharedStrings.xml')
  if (!entry) return texts
  for await (const elements of readElements(readTexts(archive, entry), { name: 'si', parent: 'sst' })) {
    for (const element of elements) texts.add(textIn(element))
  }
  return texts
}

async function* readSheet(archive: Archive, sheet: Entry, book: Book): AsyncGenerator<RowBatch> {
  let batch = emptyBatch()
  let number = 0
  let seen = 0
  for await (const elements of readElements(readTexts(archive, sheet), { name: 'row', parent: 'sheetData' })) {
    for (const element of elements) {
      seen += element.length
      number = rowNumber(element) ?? number + 1
      const cells = readCells(element, { book, number })
      if (cells.length === 0) continue
      batch.rows.push(cells)
      batch.numbers.push(number)
      if (isHidden(element)) batch.hidden += 1
    }
    if (batch.rows.length < rowsPerBatch) continue
    yield { ...batch, share: Math.min(1, seen / sheet.uncompressedSize) }
    batch = emptyBatch()
  }
  if (batch.rows.length > 0) yield { ...batch, share: 1 }
}

function emptyBatch(): RowBatch {
  return { rows: [], numbers: [], hidden: 0, share: 0 }
}

/** Manually or by a filter. */
function isHidden(row: string): boolean {
  const hidden = attribute(row.slice(0, row.indexOf('>')), 'hidden')
  return hidden === '1' || hidden === 'true'
}

function rowNumber(row: string): number | undefined {
  const number = Number(attribute(row.slice(0, row.indexOf('>')), 'r'))
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** The cells of a row up to the last non-empty one; none for a blank row. */
function readCells(row: string, { book, number }: { book: Book; number: number }): string[] {
  const cells: string[] = []
  let column = 0
  let at = findTag(row, 'c', 0)
  while (at >= 0) {
    const close = row.indexOf('>', at)
    const tag = row.slice(at, close)
    column = columnOf(attribute(tag, 'r')) ?? column
    let end = close
    if (!tag.endsWith('/')) {
      end = row.indexOf('</c>', close)
      if (end < 0) throw new UnreadableFile('broken_zip')
      const value = readCell(tag, row.slice(close + 1, end), book)
      if (value !== '') placeCell(cells, { column, value, number })
    }
    column += 1
    at = findTag(row, 'c', end)
  }
  return cells
}

function placeCell(cells: string[], { column, value, number }: { column: number; value: string; number: number }) {
  if (column >= limits.columns) throw new UnreadableFile('too_many_columns', number)
  while (cells.length < column) cells.push('')
  cells[column] = truncate(value, limits.cellCharacters)
}

function readCell(tag: string, content: string, book: Book): string {
  const type = attribute(tag, 't')
  if (type === 'inlineStr') return textIn(content)
  const value = elementText(content, 'v', 0)?.text ?? ''
  if (type === 's') return book.texts.get(Number(value))
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== undefined && type !== 'n') return unescapeXml(value)
  return readNumber(tag, value, book)
}

function readNumber(tag: string, value: string, { styles, startsIn1904 }: Book): string {
  const format = value === '' ? undefined : styles[Number(attribute(tag, 's') ?? -1)]
  const shown = format === undefined ? undefined : formatSheetNumber(Number(value), format, startsIn1904)
  return shown ?? plainNumber(value)
}

/**
 * Sheets store numbers in binary: 9.1987654321E11 is exact and is written out, 0.30000000000000004 is rounded to the fifteen
 * digits Excel shows.
 */
function plainNumber(value: string): string {
  if (value.length < 16 && !/e/i.test(value)) return value
  const number = Number(value)
  if (Number.isSafeInteger(number) || !Number.isFinite(number)) return Number.isFinite(number) ? String(number) : value
  return String(Number(number.toPrecision(15)))
}

/** A to XFD as a zero-based index. */
function columnOf(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined
  let number = 0
  for (let index = 0; index < reference.length; index += 1) {
    const letter = reference.charCodeAt(index) - 64
    if (letter < 1 || letter > 26) break
    number = number * 26 + letter
  }
  return number > 0 ? number - 1 : undefined
}
