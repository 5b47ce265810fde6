import { createReadStream } from 'node:fs'
import type { CsvFormat, Encoding } from './csv.ts'
import { createScanner, type Delimiter } from './csv-scanner.ts'
import { UnreadableFile } from './unreadable-file.ts'

const delimiters: readonly Delimiter[] = [',', ';', '\t', '|']

/** Control characters that do not occur in text: all but tab, line endings, form feed and the DOS end-of-file character. */
const binary = /[\u0000-\u0008\u000e-\u0019\u001b-\u001f]/

/** Text formats other than tables: HTML, XML, JSON, RTF. */
const otherText = /^\s*(?:<\?xml|<!doctype|<html|<table|<meta|<style|\{\\rtf|%pdf|\[\s*[{[]|\{\s*")/i

/** Bytes unassigned in Windows-1252. A file that contains them has another code page. */
const unassigned = /[\u0081\u008d\u008f\u0090\u009d]/

/** Detects encoding and delimiter. Reads the whole file once, since a single byte at the end may rule out UTF-8. */
export async function detectCsv(path: string, head: Uint8Array): Promise<CsvFormat> {
  const encoding = detectUtf16(head) ?? (await detectByteEncoding(path))
  const text = new TextDecoder(encoding).decode(head)
  if (binary.test(text) || otherText.test(text)) throw new UnreadableFile('not_text')
  if (encoding === 'windows-1252' && unassigned.test(text)) throw new UnreadableFile('bad_encoding')
  const hint = /^sep=([,;\t|])\r?\n/i.exec(text)?.[1]
  const delimiter = delimiters.find((sign) => sign === hint) ?? detectDelimiter(text)
  return { encoding, delimiter, hasHint: hint !== undefined }
}

/** By byte order mark, or by the zero in every other byte of Latin text. */
function detectUtf16(head: Uint8Array): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const even = countZeros(head, 0)
  const odd = countZeros(head, 1)
  if (Math.min(even, odd) > 0 || Math.max(even, odd) < head.length / 6) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

function countZeros(bytes: Uint8Array, parity: 0 | 1): number {
  let zeros = 0
  for (let index = parity; index < bytes.length; index += 2) if (bytes[index] === 0) zeros += 1
  return zeros
}

async function detectByteEncoding(path: string): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  // A stream without an encoding yields buffers.
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    if (piece.includes(0)) throw new UnreadableFile('not_text')
    if (isUtf8) isUtf8 = decodes(decoder, piece)
  }
  return isUtf8 && decodes(decoder, undefined) ? 'utf-8' : 'windows-1252'
}

function decodes(decoder: TextDecoder, piece: Uint8Array | undefined): boolean {
  try {
    decoder.decode(piece, { stream: piece !== undefined })
    return true
  } catch {
    return false
  }
}

const linesLookedAt = 50

/**
 * The delimiter that splits the first rows into the same number of cells, more than one. On a tie, as in `98765;12,50`, the
 * one that occurs first in the first row.
 */
function detectDelimiter(head: string): Delimiter {
  const first = /^[^\r\n]*/.exec(head)?.[0] ?? ''
  const candidates = delimiters
    .filter((delimiter) => first.includes(delimiter))
    .map((delimiter) => ({ delimiter, agreement: agreement(head, delimiter), at: first.indexOf(delimiter) }))
    .toSorted((a, b) => b.agreement - a.agreement || a.at - b.at)
  return candidates[0]?.delimiter ?? ','
}

/** The share of rows with as many cells as the first. */
function agreement(head: string, delimiter: Delimiter): number {
  const widths = firstRows(head, delimiter).map((row) => row.length)
  if (widths.length === 0 || (widths[0] ?? 1) < 2) return 0
  return widths.filter((width) => width === widths[0]).length / widths.length
}

function firstRows(head: string, delimiter: Delimiter): string[][] {
  try {
    // The last row of the head may be incomplete, so it is ignored unless it is the only one.
    const { rows } = createScanner(delimiter).push(head, false)
    return rows.length > 0 ? rows.slice(0, linesLookedAt) : [head.split(delimiter)]
  } catch (error) {
    if (error instanceof UnreadableFile) return []
    throw error
  }
}
