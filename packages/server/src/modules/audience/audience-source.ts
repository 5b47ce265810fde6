import { readFile } from 'node:fs/promises'
import type { AudienceRow } from './audiences.queries.ts'
import { guessColumns } from './reading/columns.ts'
import { openAudienceFile, readPastedNumbers } from './reading/open-audience-file.ts'
import { rowsPerBatch, type RowBatch } from './reading/rows.ts'
import { UnreadableFile } from './reading/unreadable-file.ts'

/** The rows of an audience, wherever they come from, and what is known of them before they are checked. */
export type AudienceSource = {
  format: 'csv' | 'xlsx' | 'pasted'
  names: string[]
  phoneColumn: number
  /** The first rows below the header. */
  sample: string[][]
  /** Every row but the header, with its number in the file. */
  rows(): AsyncIterable<RowBatch>
}

const sampleRows = 8
const guessedFrom = 200

export async function openSource(path: string, audience: AudienceRow): Promise<AudienceSource> {
  return audience.format === 'pasted' ? openPasted(path) : openFile(path, audience)
}

async function openFile(path: string, audience: AudienceRow): Promise<AudienceSource> {
  const file = await openAudienceFile(path)
  const head = await readHead(file.rows())
  if (head.length === 0) throw new UnreadableFile('empty')
  const { hasHeader, names, phoneColumn } = guessColumns(head, audience.default_country)
  const body = hasHeader ? head.slice(1) : head
  return {
    format: file.format,
    names,
    phoneColumn: chooseColumn(audience.phone_column, names, phoneColumn),
    sample: body.slice(0, sampleRows),
    rows: () => (hasHeader ? skipHeader(file.rows()) : file.rows()),
  }
}

/** A column that was chosen stays chosen unless the file has no such column. */
function chooseColumn(chosen: number | null, names: string[], guessed: number): number {
  return chosen !== null && chosen < names.length ? chosen : guessed
}

async function readHead(batches: AsyncIterable<RowBatch>): Promise<string[][]> {
  for await (const { rows } of batches) return rows.slice(0, guessedFrom)
  return []
}

async function* skipHeader(batches: AsyncIterable<RowBatch>): AsyncGenerator<RowBatch> {
  let isFirst = true
  for await (const batch of batches) {
    yield isFirst ? { ...batch, rows: batch.rows.slice(1), numbers: batch.numbers.slice(1) } : batch
    isFirst = false
  }
}

async function openPasted(path: string): Promise<AudienceSource> {
  const rows = readPastedNumbers(await readFile(path, 'utf8'))
  if (rows.length === 0) throw new UnreadableFile('empty')
  return {
    format: 'pasted',
    names: ['Phone number'],
    phoneColumn: 0,
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
      share: (start + batch.length) / rows.length,
    }
  }
}
