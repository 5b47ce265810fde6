import { setImmediate } from 'node:timers/promises'
import {
  createPdf,
  numberPages,
  tableWidth,
  writeFacts,
  writeHeader,
  writeNote,
  writeTableRow,
  writeTitle,
  type PdfColumn,
  type Pdf,
} from '../balance/index.ts'
import type { ReportValue } from './copy-rows.ts'
import type { ReportContent } from './report-content.ts'
import { ReportFailure } from './report-failure.ts'
import type { ReportColumn } from './report-columns.ts'

/** More rows are for a spreadsheet. */
const mostRows = 5000
/** Then other work of the process has its turn. */
const rowsAtOnce = 20
/** More columns need larger paper. */
const mostOnA4 = 12

/** Title, sums and notes, then the rows. The sums precede the rows, so these are read first. */
export async function* writePdf(content: ReportContent): AsyncGenerator<Uint8Array> {
  const { name, columns, facts, rows, tally, notes, letterhead } = content
  const read: ReportValue[][] = []
  for await (const batch of rows) {
    for (const row of batch) read.push(tally.add(row))
    if (read.length > mostRows)
      throw new ReportFailure(`A PDF has at most 5,000 rows. Choose fewer days, or another format.`)
  }
  const size = columns.length > mostOnA4 ? 'A3' : 'A4'
  const pdf = createPdf(name, letterhead, { size, layout: 'landscape' })
  numberPages(pdf)
  const writing = writeAll(pdf, { name, columns, facts, notes, summary: tally.summary(), rows: read })
  writing.catch((error: unknown) => pdf.destroy(error instanceof Error ? error : undefined))
  // A PDF is a readable stream of bytes.
  for await (const piece of pdf) yield piece as Uint8Array
  await writing
}

type Written = Pick<ReportContent, 'name' | 'columns' | 'facts' | 'notes'> & {
  summary: ReturnType<ReportContent['tally']['summary']>
  rows: readonly ReportValue[][]
}

async function writeAll(pdf: Pdf, { name, columns, facts, notes, summary, rows }: Written): Promise<void> {
  writeTitle(pdf, name)
  writeFacts(pdf, facts.map(toFact))
  writeFacts(
    pdf,
    summary.map(({ label, value }) => toFact([label, inWords(value)])),
    { columns: 8 },
  )
  if (notes.length > 0) writeNote(pdf, notes)
  pdf.moveDown()
  const table = columnsOf(columns, tableWidth(pdf))
  writeHeader(pdf, table)
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === 0) await setImmediate()
    pdf.fontSize(7)
    writeTableRow(pdf, table, row.map(inWords))
  }
  pdf.end()
}

const toFact = ([label, value]: readonly [string, string]) => ({ label, lines: [value] })

function inWords(value: ReportValue): string {
  if (value === null) return ''
  return typeof value === 'number' ? value.toLocaleString('en-IN', { maximumFractionDigits: 4 }) : value
}

function columnsOf(columns: readonly ReportColumn[], width: number): PdfColumn[] {
  const shares = columns.map(({ unit }) => (unit === 'text' || unit === 'time' ? 1.6 : 1))
  const whole = shares.reduce((sum, share) => sum + share, 0)
  return columns.map(({ title, unit }, index) => ({
    title,
    width: (width * (shares[index] ?? 1)) / whole,
    align: unit === 'count' || unit === 'percent' || unit === 'rupees' ? 'right' : 'left',
  }))
}
