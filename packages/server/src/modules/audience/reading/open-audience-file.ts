import { open, stat } from 'node:fs/promises'
import { detectCsv, readCsv } from './csv.ts'
import { limits, type RowBatch } from './rows.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { isZip, readXlsx } from './xlsx.ts'

export type AudienceFile = {
  format: 'csv' | 'xlsx'
  /** Every row of the file, the header among them; read anew at each call. */
  rows(): AsyncGenerator<RowBatch>
}

const headBytes = 64 * 1024

/** Other files that are often renamed to .csv, by their first bytes. */
const foreign = ['%PDF', '\x89PNG', '\xff\xd8\xff', 'GIF8', 'Rar!', '7z\xbc\xaf', '\x1f\x8b', 'BM', 'RIFF', '\x7fELF', 'MZ', '{\\rtf', '<!DOCTYPE', '<html']

/** Tells what a file is by its content, never by its name. Throws UnreadableFile with a sentence for the person. */
export async function openAudienceFile(path: string): Promise<AudienceFile> {
  const { size } = await stat(path)
  if (size === 0) throw new UnreadableFile('empty')
  if (size > limits.bytes) throw new UnreadableFile('too_large')
  const head = await readHead(path)
  if (isZip(head)) return { format: 'xlsx', rows: () => readXlsx(path) }
  if (startsWith(head, '\xd0\xcf\x11\xe0')) throw new UnreadableFile('legacy_excel')
  if (foreign.some((signature) => startsWith(head, signature))) throw new UnreadableFile('not_text')
  const format = detectCsv(head)
  return { format: 'csv', rows: () => readCsv(path, format, size) }
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

function startsWith(head: Uint8Array, signature: string): boolean {
  return [...signature].every((character, index) => head[index] === character.charCodeAt(0))
}

/** Numbers typed or pasted, in lines or between commas, as rows of one cell. */
export function readPastedNumbers(text: string): string[][] {
  const byLine = text.split(/\r?\n/)
  return byLine.flatMap((line) => line.split(/[,;\t]/)).map((cell) => cell.trim()).filter(Boolean).map((cell) => [cell])
}
