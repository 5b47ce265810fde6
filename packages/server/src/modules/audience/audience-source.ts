import { readFile } from 'node:fs/promises'
import type { AudienceRow } from './audiences.queries.ts'
import { guessColumns } from './reading/columns.ts'
import { openAudienceFile, readPastedNumbers, type AudienceFile } from './reading/open-audience-file.ts'
import { rowsPerBatch, type RowBatch } from './reading/rows.ts'
import { UnreadableFile } from './reading/unreadable-file.ts'

/** The rows of an audience from any source, and its properties before validation. */
export type AudienceSource = {
  format: 'csv' | 'xlsx' | 'pasted'
  names: string[]
  /** Undefined if no column contains phone numbers and none was chosen. */
  phoneColumn: number | undefined
  /** The visible sheets of a workbook, and the one to read. */
  sheets: string[]
  sheet: string | undefined
  /** The first rows below the header. */
  sample: string[][]
  /** Every row below the header, with its number in the file. */
  rows(): AsyncIterable<RowBatch>
}

const sampleRows = 8
const guessedFrom = 200
/** Maximum number of sheets searched for phone numbers. */
const sheetsLookedAt = 20

/** Reading options of the file. */
type Chosen = Pick<AudienceRow, 'format' | 'sheet' | 'phone_column' | 'default_country'>

export async function openSource(path: string, audience: Chosen): Promise<AudienceSource> {
  if (audience.format === 'pasted') return openPasted(path)
  const file = await openAudienceFile(path)
  if (file.format === 'csv') return openTable({ ...file, sheets: [], sheet: undefined }, audience)
  return openWorkbook(file, audience)
}

/** The chosen sheet, else the first one with phone numbers. */
async function openWorkbook(
  { format, sheets, rows }: Extract<AudienceFile, { format: 'xlsx' }>,
  audience: Chosen,
): Promise<AudienceSource> {
  const open = (sheet: string | undefined) => openTable({ format, sheets, sheet, rows: () => rows(sheet) }, audience)
  if (audience.sheet !== null) return open(audience.sheet)
  for (const sheet of sheets.slice(0, sheetsLookedAt)) {
    const source = await open(sheet).catch(ignoreEmpty)
    if (source?.phoneColumn !== undefined) return source
  }
  return open(sheets[0])
}

function ignoreEmpty(error: unknown): undefined {
  if (!(error instanceof UnreadableFile) || error.code !== 'empty') throw error
}

type Table = Pick<AudienceSource, 'format' | 'sheets' | 'sheet'> & { rows(): AsyncIterable<RowBatch> }

async function openTable({ format, sheets, sheet, rows }: Table, audience: Chosen): Promise<AudienceSource> {
  const head = await readHead(rows())
  if (head.length === 0) throw new UnreadableFile('empty')
  const { headerRows, names, phoneColumn } = guessColumns(head, audience.default_country)
  return {
    format,
    sheets,
    sheet,
    names,
    phoneColumn: chooseColumn(audience.phone_column, names, phoneColumn),
    sample: head.slice(headerRows, headerRows + sampleRows),
    rows: () => skipRows(rows(), headerRows),
  }
}

/** A chosen column is kept unless the file does not have it. */
function chooseColumn(chosen: number | null, names: string[], guessed: number | undefined): number | undefined {
  return chosen !== null && chosen < names.length ? chosen : guessed
}

async function readHead(batches: AsyncIterable<RowBatch>): Promise<string[][]> {
  const head: string[][] = []
  for await (const { rows } of batches) {
    head.push(...rows.slice(0, guessedFrom - head.length))
    if (head.length === guessedFrom) break
  }
  return head
}

async function* skipRows(batches: AsyncIterable<RowBatch>, count: number): AsyncGenerator<RowBatch> {
  let left = count
  for await (const batch of batches) {
    const skipped = Math.min(left, batch.rows.length)
    left -= skipped
    yield skipped === 0 ? batch : { ...batch, rows: batch.rows.slice(skipped), numbers: batch.numbers.slice(skipped) }
  }
}

async function openPasted(path: string): Promise<AudienceSource> {
  const rows = readPastedNumbers(await readFile(path, 'utf8'))
  if (rows.length === 0) throw new UnreadableFile('empty')
  return {
    format: 'pasted',
    names: ['Phone number'],
    phoneColumn: 0,
    sheets: [],
    sheet: undefined,
    sample: rows.slice(0, sampleRows),
    rows: () => batchesOf(rows),
  }
}

async function* batchesOf(rows: string[][]): AsyncGenerator<RowBatch> {
  for (let start = 0; start < rows.length; start += rowsPerBatch) {
    const batch = rows.slice(start, start + rowsPerBatch)
    yield {
      rows: batch,
      numbers: batch.map((_, index) => start + index + 1),
      hidden: 0,
      share: (start + batch.length) / rows.length,
    }
  }
}
