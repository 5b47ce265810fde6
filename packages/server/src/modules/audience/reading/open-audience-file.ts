import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { readCsv } from './csv.ts'
import type { CsvFormat } from './csv.ts'
import { detectCsv } from './detect-csv.ts'
import { limits, type RowBatch } from './rows.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { listSheets, readXlsx } from './xlsx.ts'
import { isZip } from './zip.ts'

export type AudienceFile =
  | {
      format: 'xlsx'
      sheets: string[]
      /** All rows of a sheet including the header; each call reads from the start. */
      rows(sheet?: string): AsyncGenerator<RowBatch>
    }
  | ({
      format: 'csv'
      /** All rows of the file including the header; each call reads from the start. */
      rows(): AsyncGenerator<RowBatch>
    } & CsvFormat)

const headBytes = 64 * 1024

/** Detects the format by content, never by name. Throws UnreadableFile with a message for the user. */
export async function openAudienceFile(path: string): Promise<AudienceFile> {
  const { size } = await stat(path)
  if (size === 0) throw new UnreadableFile('empty')
  if (size > limits.bytes) throw new UnreadableFile('too_large')
  const head = await readHead(path)
  if (isZip(head)) {
    const sheets = await listSheets(path)
    return { format: 'xlsx', sheets, rows: (sheet) => bounded(readXlsx(path, sheet)) }
  }
  if (isOle(head)) throw new UnreadableFile((await holds(path, encryptedPackage)) ? 'encrypted' : 'legacy_excel')
  const format = await detectCsv(path, head)
  return { format: 'csv', ...format, rows: () => bounded(readCsv(path, format, size)) }
}

/** The header counts in addition to the rows. */
async function* bounded(batches: AsyncIterable<RowBatch>): AsyncGenerator<RowBatch> {
  let rows = 0
  for await (const batch of batches) {
    rows += batch.rows.length
    if (rows > limits.rows + 1) throw new UnreadableFile('too_many_rows')
    yield batch
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(headBytes)
    const { bytesRead } = await file.read(buffer, 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The container of old Office files, and of password-protected new ones. */
function isOle(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))
}

const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le')

async function holds(path: string, bytes: Buffer): Promise<boolean> {
  let tail = Buffer.alloc(0)
  // A stream without an encoding yields buffers.
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    const joined = Buffer.concat([tail, piece])
    if (joined.includes(bytes)) return true
    tail = joined.subarray(-bytes.length)
  }
  return false
}

/** Typed or pasted numbers, separated by line breaks or commas, as rows of one cell. */
export function readPastedNumbers(text: string): string[][] {
  return text
    .split(/[\r\n,;\t|]+/)
    .flatMap(splitAtSpaces)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .map((cell) => [cell])
}

/** `98765 43210` is one number, `9876543210 9876543211` are two: each piece must be long enough to be a number. */
function splitAtSpaces(line: string): string[] {
  const pieces = line.trim().split(/\s+/)
  return pieces.length > 1 && pieces.every((piece) => /^\+?\d{10,15}$/.test(piece)) ? pieces : [line]
}
