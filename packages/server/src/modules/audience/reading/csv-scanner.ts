import { limits } from './rows.ts'
import { UnreadableFile } from './unreadable-file.ts'

export type Delimiter = ',' | ';' | '\t' | '|'

export type ScannedRows = { rows: string[][]; numbers: number[] }

export type Scanner = {
  /** The complete rows of this piece of text; the last piece completes the last row. */
  push(text: string, isLast: boolean): ScannedRows
}

const quote = 34
const feed = 10
const carriage = 13

/**
 * Splits text that arrives in pieces into rows according to RFC 4180: quotes, doubled quotes, line breaks inside quotes; any
 * line ending. Rows without quotes, the majority, are found by the next line ending and split at once; incomplete rows wait
 * for the next piece. Blank lines are counted, not returned.
 */
export function createScanner(delimiter: Delimiter): Scanner {
  let waiting = ''
  let number = 0
  return {
    push(piece, isLast) {
      const text = waiting + piece
      const found: ScannedRows = { rows: [], numbers: [] }
      const position: Position = { text, delimiter, isLast, quoteAt: -1, feedAt: -1, carriageAt: -1 }
      let start = 0
      while (start < text.length) {
        const row = scanRow(position, start)
        if (!row) break
        number += 1
        start = row.end
        if (row.cells.length > limits.columns) throw new UnreadableFile('too_many_columns', number)
        if (row.cells.length === 1 && row.cells[0] === '') continue
        found.rows.push(row.cells)
        found.numbers.push(number)
      }
      waiting = text.slice(start)
      if (waiting.length > limits.rowCharacters || (isLast && waiting !== ''))
        throw tooLong(waiting, delimiter, number + 1)
      return found
    },
  }
}

function tooLong(waiting: string, delimiter: Delimiter, number: number): UnreadableFile {
  if (waiting.includes('"')) return new UnreadableFile('unclosed_quote', number)
  const cells = waiting.slice(0, limits.rowCharacters).split(delimiter).length
  return new UnreadableFile(cells > limits.columns ? 'too_many_columns' : 'row_too_long', number)
}

/** Positions of the next special characters. Each is searched again only after it was passed, so a text is searched once. */
type Position = {
  text: string
  delimiter: Delimiter
  isLast: boolean
  quoteAt: number
  feedAt: number
  carriageAt: number
}

type Row = { cells: string[]; end: number }

/** One row from `start`; undefined if its end has not arrived. */
function scanRow(position: Position, start: number): Row | undefined {
  const { text, isLast } = position
  if (position.feedAt < start) position.feedAt = find(text, '\n', start)
  if (position.carriageAt < start) position.carriageAt = find(text, '\r', start)
  if (position.quoteAt < start) position.quoteAt = find(text, '"', start)
  const lineEnd = Math.min(position.feedAt, position.carriageAt)
  if (position.quoteAt < lineEnd && position.quoteAt < text.length) return scanQuotedRow(position, start)
  if (lineEnd >= text.length)
    return isLast ? { cells: splitRow(position, start, text.length), end: text.length } : undefined
  const end = skipLineEnd(position, lineEnd)
  return end === undefined ? undefined : { cells: splitRow(position, start, lineEnd), end }
}

function splitRow({ text, delimiter }: Position, start: number, end: number): string[] {
  return text.slice(start, end).split(delimiter)
}

/** The length of the text if there is none. */
function find(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from)
  return at < 0 ? text.length : at
}

/** A carriage return at the end of a piece may be the first half of CRLF. */
function skipLineEnd({ text, isLast }: Position, at: number): number | undefined {
  if (text.charCodeAt(at) !== carriage) return at + 1
  if (at + 1 === text.length && !isLast) return undefined
  return text.charCodeAt(at + 1) === feed ? at + 2 : at + 1
}

function scanQuotedRow(position: Position, start: number): Row | undefined {
  const { text, delimiter, isLast } = position
  const cells: string[] = []
  let at = start
  for (;;) {
    const cell = scanCell(position, at)
    if (!cell) return undefined
    cells.push(cell.value)
    if (cells.length > limits.columns) return { cells, end: cell.end }
    at = cell.end
    if (at >= text.length) return isLast ? { cells, end: at } : undefined
    if (text[at] !== delimiter) break
    at += 1
  }
  const end = skipLineEnd(position, at)
  return end === undefined ? undefined : { cells, end }
}

type Cell = { value: string; /** Position of the delimiter or line ending. */ end: number }

function scanCell(position: Position, at: number): Cell | undefined {
  const { text, isLast } = position
  if (text.charCodeAt(at) !== quote) {
    const end = findCellEnd(position, at)
    return { value: text.slice(at, end), end }
  }
  let closing = text.indexOf('"', at + 1)
  let hasDoubled = false
  while (closing >= 0 && text.charCodeAt(closing + 1) === quote) {
    hasDoubled = true
    closing = text.indexOf('"', closing + 2)
  }
  // A quote at the end of the piece may be the first of a pair.
  if (closing < 0 || (closing === text.length - 1 && !isLast)) return undefined
  const inside = text.slice(at + 1, closing)
  const value = hasDoubled ? inside.replaceAll('""', '"') : inside
  const end = findCellEnd(position, closing + 1)
  // "Big" Bazaar: text after the closing quote belongs to the cell.
  return { value: end === closing + 1 ? value : value + text.slice(closing + 1, end), end }
}

function findCellEnd({ text, delimiter }: Position, from: number): number {
  const separator = delimiter.charCodeAt(0)
  let end = from
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code === separator || code === feed || code === carriage) break
    end += 1
  }
  return end
}
