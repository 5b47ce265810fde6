import { createReadStream } from 'node:fs'
import { limits, rowsPerBatch, type RowBatch } from './rows.ts'
import { UnreadableFile } from './unreadable-file.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
export type Delimiter = ',' | ';' | '\t' | '|'

export type CsvFormat = { encoding: Encoding; delimiter: Delimiter }

const delimiters: readonly Delimiter[] = [',', ';', '\t', '|']
const quote = 34
const newline = 10
const carriageReturn = 13

/** Reads rows as RFC 4180 has them: quotes, doubled quotes, line breaks inside quotes; any line ending; any of four delimiters. */
export async function* readCsv(path: string, { encoding, delimiter }: CsvFormat, sizeBytes: number): AsyncGenerator<RowBatch> {
  const scanner = createScanner(delimiter)
  const decoder = new TextDecoder(encoding, { ignoreBOM: false })
  let bytes = 0
  let first = 1
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    bytes += piece.length
    scanner.push(decoder.decode(piece, { stream: true }))
    while (scanner.count() >= rowsPerBatch) {
      const rows = scanner.take(rowsPerBatch)
      yield { first, rows, share: Math.min(1, bytes / sizeBytes) }
      first += rows.length
    }
  }
  scanner.push(decoder.decode())
  scanner.end()
  for (let rows = scanner.take(rowsPerBatch); rows.length > 0; rows = scanner.take(rowsPerBatch)) {
    yield { first, rows, share: 1 }
    first += rows.length
  }
}

/** All rows of a text that is at hand. */
export function parseCsv(text: string, delimiter: Delimiter): string[][] {
  const scanner = createScanner(delimiter)
  scanner.push(text)
  scanner.end()
  return scanner.take(Number.POSITIVE_INFINITY)
}

export type Scanner = {
  push(text: string): void
  /** The last row may lack its line end. */
  end(): void
  count(): number
  take(atMost: number): string[][]
}

/**
 * Cuts text that arrives in pieces into rows. Cells without quotes, the bulk, are found with indexOf and sliced out;
 * a row that is not whole yet waits for the next piece.
 */
export function createScanner(delimiter: Delimiter): Scanner {
  const rows: string[][] = []
  let rest = ''

  function scan(text: string, isLast: boolean): string {
    let start = 0
    while (start < text.length) {
      const row = scanRow(text, { start, delimiter, isLast })
      if (!row) break
      if (row.cells.length > limits.columns) throw new UnreadableFile('too_many_columns')
      // An empty line is no row.
      if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row.cells)
      start = row.end
    }
    const waiting = text.slice(start)
    if (waiting.length > limits.columns * limits.cellCharacters) throw new UnreadableFile('too_many_columns')
    return waiting
  }

  return {
    push(text) {
      rest = scan(rest + text, false)
    },
    end() {
      rest = scan(rest, true)
    },
    count: () => rows.length,
    take: (atMost) => rows.splice(0, atMost),
  }
}

type RowStart = { start: number; delimiter: Delimiter; isLast: boolean }

/** One row from `start`; undefined when its end has not arrived. */
function scanRow(text: string, { start, delimiter, isLast }: RowStart): { cells: string[]; end: number } | undefined {
  const lineEnd = findLineEnd(text, start)
  const limit = lineEnd < 0 ? text.length : lineEnd
  const quoted = text.indexOf('"', start)
  if (quoted < 0 || quoted >= limit) {
    if (lineEnd < 0 && !isLast) return undefined
    // A lone carriage return at the very end may be half of a pair.
    if (lineEnd === text.length - 1 && text.charCodeAt(lineEnd) === carriageReturn && !isLast) return undefined
    return { cells: text.slice(start, limit).split(delimiter), end: lineEnd < 0 ? text.length : skipLineEnd(text, lineEnd) }
  }
  return scanQuotedRow(text, { start, delimiter, isLast })
}

function scanQuotedRow(text: string, { start, delimiter, isLast }: RowStart): { cells: string[]; end: number } | undefined {
  const separator = delimiter.charCodeAt(0)
  const cells: string[] = []
  let at = start
  for (;;) {
    const cell = text.charCodeAt(at) === quote ? scanQuotedCell(text, at, isLast) : scanPlainCell(text, { at, separator, isLast })
    if (!cell) return undefined
    cells.push(cell.value)
    if (cells.length > limits.columns) throw new UnreadableFile('too_many_columns')
    at = cell.end
    if (text.charCodeAt(at) === separator && at < text.length) {
      at += 1
      if (at === text.length && !isLast) return undefined
      continue
    }
    if (at >= text.length) return { cells, end: at }
    if (at === text.length - 1 && text.charCodeAt(at) === carriageReturn && !isLast) return undefined
    return { cells, end: skipLineEnd(text, at) }
  }
}

type CellEnd = { value: string; end: number }

function scanPlainCell(text: string, { at, separator, isLast }: { at: number; separator: number; isLast: boolean }): CellEnd | undefined {
  let end = at
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code === separator || code === newline || code === carriageReturn) return { value: text.slice(at, end), end }
    end += 1
  }
  return isLast ? { value: text.slice(at), end } : undefined
}

/** From an opening quote to the delimiter or line end behind the closing one; what stands between those two is kept as it is. */
function scanQuotedCell(text: string, at: number, isLast: boolean): CellEnd | undefined {
  let end = text.indexOf('"', at + 1)
  let hasDoubled = false
  while (end >= 0 && text.charCodeAt(end + 1) === quote) {
    hasDoubled = true
    end = text.indexOf('"', end + 2)
  }
  // A quote at the end of the piece may be the first of a pair.
  if (end < 0 || (end === text.length - 1 && !isLast)) {
    return isLast && end < 0 ? { value: text.slice(at + 1).replaceAll('""', '"'), end: text.length } : undefined
  }
  const inside = text.slice(at + 1, end)
  const value = hasDoubled ? inside.replaceAll('""', '"') : inside
  return { value, end: end + 1 }
}

function findLineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  const limit = feed < 0 ? text.length : feed
  if (feed > from && text.charCodeAt(feed - 1) === carriageReturn) return feed - 1
  // Old Macs end lines with a carriage return alone; look for one only where a feed does not come soon.
  const lone = limit - from > 4096 || feed < 0 ? text.indexOf('\r', from) : -1
  return lone >= 0 && lone < limit ? lone : feed
}

function skipLineEnd(text: string, at: number): number {
  return text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === newline ? at + 2 : at + 1
}

/** Finds encoding and delimiter from the head of the file. Throws when this is no text at all. */
export function detectCsv(head: Uint8Array): CsvFormat {
  const encoding = detectEncoding(head)
  const text = new TextDecoder(encoding).decode(head)
  if (/[\u0000-\u0008\u000e-\u001a]/.test(text)) throw new UnreadableFile('not_text')
  return { encoding, delimiter: detectDelimiter(text) }
}

function detectEncoding(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = [0, 1].map((parity) => head.filter((byte, index) => byte === 0 && index % 2 === parity).length)
  if ((zeros[1] ?? 0) > head.length / 4) return 'utf-16le'
  if ((zeros[0] ?? 0) > head.length / 4) return 'utf-16be'
  try {
    // The head may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** The one that cuts the first lines into the same number of cells, more than one. */
function detectDelimiter(text: string): Delimiter {
  const scores = delimiters.map((delimiter) => {
    const widths = parseCsv(text.slice(0, 20_000), delimiter).slice(0, 20).map((row) => row.length)
    const width = widths[0] ?? 1
    const agreeing = widths.slice(0, -1).filter((count) => count === width).length
    return { delimiter, score: width > 1 ? agreeing * 100 + width : 0 }
  })
  return scores.reduce((best, next) => (next.score > best.score ? next : best), { delimiter: ',' as Delimiter, score: 0 }).delimiter
}
