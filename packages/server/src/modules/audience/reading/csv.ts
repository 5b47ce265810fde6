import { createReadStream } from 'node:fs'
import { createScanner, type Delimiter } from './csv-scanner.ts'
import type { RowBatch } from './rows.ts'
import { UnreadableFile } from './unreadable-file.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export type CsvFormat = {
  encoding: Encoding
  delimiter: Delimiter
  /** Whether Excel's hint `sep=;` is the first line. */
  hasHint: boolean
}

/** About two thousand ordinary rows. */
const pieceBytes = 128 * 1024

/** Streams the rows of a text file in constant memory, one batch per piece. */
export async function* readCsv(path: string, format: CsvFormat, sizeBytes: number): AsyncGenerator<RowBatch> {
  const scanner = createScanner(format.delimiter)
  const decoder = new TextDecoder(format.encoding, { fatal: true })
  let bytes = 0
  let isFirst = true
  const scan = (piece: Uint8Array | undefined): RowBatch => {
    const { rows, numbers } = scanner.push(decode(decoder, piece), piece === undefined)
    if (isFirst && format.hasHint) {
      rows.shift()
      numbers.shift()
    }
    isFirst = false
    return { rows, numbers, hidden: 0, share: piece === undefined ? 1 : Math.min(1, bytes / sizeBytes) }
  }
  // A stream without an encoding yields buffers.
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
    bytes += piece.length
    const batch = scan(piece)
    if (batch.rows.length > 0) yield batch
  }
  const last = scan(undefined)
  if (last.rows.length > 0) yield last
}

/** Decodes a piece of the file; undefined flushes the decoder. */
function decode(decoder: TextDecoder, piece: Uint8Array | undefined): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableFile('bad_encoding')
    throw error
  }
}
