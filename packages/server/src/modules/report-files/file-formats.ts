import type { ReportFormat } from '@carillon/contract/report-file-records'
import { byteOrderMark, csvLine } from '../../lib/csv-write.ts'
import { writeXlsx, type Cell } from '../../lib/xlsx-write.ts'
import type { ReportContent } from './report-content.ts'
import { writePdf } from './write-pdf.ts'

type Format = {
  contentType: string
  write(content: ReportContent): AsyncIterable<Uint8Array | string>
}

export const reportFormats: Record<ReportFormat, Format> = {
  csv: { contentType: 'text/csv; charset=utf-8', write: writeCsv },
  xlsx: { contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: writeWorkbook },
  json: { contentType: 'application/json; charset=utf-8', write: writeJson },
  pdf: { contentType: 'application/pdf', write: writePdf },
}

async function* writeCsv({ columns, rows, tally }: ReportContent): AsyncGenerator<string> {
  yield `${byteOrderMark}${csvLine(columns.map(({ title }) => title))}`
  for await (const batch of rows) yield batch.map((row) => csvLine(tally.add(row))).join('')
}

function writeWorkbook(content: ReportContent): AsyncIterable<Uint8Array> {
  return writeXlsx([
    { name: 'Report', rows: sheetRows(content) },
    { name: 'Summary', rows: summaryRows(content), isShownFirst: true },
  ])
}

async function* sheetRows({ columns, rows, tally }: ReportContent): AsyncGenerator<readonly Cell[]> {
  yield columns.map(({ title }) => title)
  for await (const batch of rows) for (const row of batch) yield tally.add(row)
}

/** Written after the rows, whose sums it contains. */
async function* summaryRows({ name, facts, tally }: ReportContent): AsyncGenerator<readonly Cell[]> {
  yield ['Report', name]
  yield* facts
  yield* await Promise.resolve(tally.summary().map(({ label, value }) => [label, value]))
}

async function* writeJson({ name, columns, facts, rows, tally }: ReportContent): AsyncGenerator<string> {
  const head = {
    name,
    ...Object.fromEntries(facts),
    columns: columns.map(({ key, title, unit }) => ({ key, title, unit })),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`
  let separator = '\n'
  for await (const batch of rows) {
    let text = ''
    for (const row of batch) {
      const cells = tally.add(row)
      text +=
        separator + JSON.stringify(Object.fromEntries(columns.map(({ key }, index) => [key, cells[index] ?? null])))
      separator = ',\n'
    }
    yield text
  }
  yield `\n],"summary":${JSON.stringify(tally.summary())}}\n`
}
