import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { byteOrderMark, csvLine } from '../../lib/csv-write.ts'
import type { UploadedFile } from '../../http/handlers.ts'

/** Writes the rejected rows to disk as they occur. */
export type RejectsFile = {
  add(rows: readonly { row: number; value: string; message: string; suggestion?: string }[]): Promise<void>
  /** The finished file, or undefined if nothing was rejected. */
  close(fileName: string): Promise<UploadedFile | undefined>
  discard(): Promise<void>
}

export async function createRejectsFile(directory: string): Promise<RejectsFile> {
  await mkdir(directory, { recursive: true })
  const path = join(directory, randomUUID())
  const file = createWriteStream(path, { mode: 0o600 })
  const hash = createHash('sha256')
  const failure = finished(file)
  failure.catch(() => undefined)
  let sizeBytes = 0

  async function write(text: string) {
    const bytes = Buffer.from(text)
    sizeBytes += bytes.length
    hash.update(bytes)
    if (!file.write(bytes)) await Promise.race([once(file, 'drain'), failure])
  }

  return {
    async add(rows) {
      if (rows.length === 0) return
      const head = sizeBytes === 0 ? `${byteOrderMark}${csvLine(['Row', 'Value', 'Reason', 'Suggestion'])}` : ''
      await write(head + rows.map((row) => csvLine([row.row, row.value, row.message, row.suggestion])).join(''))
    },
    async close(fileName) {
      file.end()
      await failure
      if (sizeBytes === 0) {
        await rm(path, { force: true })
        return undefined
      }
      return { fileName, mimeType: 'text/csv', path, sizeBytes, sha256: hash.digest() }
    },
    async discard() {
      file.destroy()
      await rm(path, { force: true })
    },
  }
}
