import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ReportColumn } from './report-columns.ts'

export type ReportValue = string | number | null

/** Rows of a statement as they arrive, several at a time. */
export async function* copyRows(
  client: pg.Client,
  statement: string,
  columns: readonly Pick<ReportColumn, 'unit'>[],
): AsyncGenerator<ReportValue[][]> {
  const isNumber = columns.map(({ unit }) => unit === 'count' || unit === 'percent' || unit === 'rupees')
  const stream: Readable = client.query(copyTo(`copy (${statement}) to stdout`))
  stream.setEncoding('utf8')
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map((line) => readLine(line, isNumber))
  }
}

const nullField = String.raw`\N`

function readLine(line: string, isNumber: readonly boolean[]): ReportValue[] {
  return line.split('\t').map((field, index) => {
    if (field === nullField) return null
    if (isNumber[index]) return Number(field)
    return field.includes('\\') ? unescapeField(field) : field
  })
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unescapeField(field: string): string {
  return field.replaceAll(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign)
}
