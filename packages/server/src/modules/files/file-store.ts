import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../../lib/ids.ts'

/** Storage of file contents. Keys are generated here only; user-supplied names never become paths. */
export type FileStore = {
  /** Stores a copy of the file at a path, or a stream; on disk when the promise resolves. A failure leaves nothing. */
  put(content: string | Readable): Promise<string>
  open(key: string): Readable
  /** Local path of the file, for random access. */
  localPath(key: string): string
  remove(key: string): Promise<void>
  /** Keys last written before the given time. */
  listOlderThan(time: Date): AsyncIterable<string>
}

const keyPattern = /^[0-9a-f]{2}\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function createFileStore(directory: string): FileStore {
  function localPath(key: string): string {
    if (!keyPattern.test(key)) throw new Error('A storage key has the wrong form')
    return join(directory, key)
  }

  return {
    localPath,
    async put(content) {
      const key = newKey()
      const path = localPath(key)
      await mkdir(join(directory, key.slice(0, 2)), { recursive: true })
      try {
        await (typeof content === 'string'
          ? linkOrCopy(content, path)
          : pipeline(content, createWriteStream(path, { mode: 0o600 })))
        await flush(path)
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
      return key
    },
    open: (key) => createReadStream(localPath(key)),
    remove: (key) => rm(localPath(key), { force: true }),
    listOlderThan: (time) => listOlderThan(directory, time),
  }
}

/** The last digits of an id are random, so files are spread over 256 folders. */
function newKey(): string {
  const id = newId()
  return `${id.slice(-2)}/${id}`
}

/** Uploads are usually on the same disk. Across disks, and without hard links, the file is copied. */
async function linkOrCopy(from: string, to: string) {
  try {
    await link(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && noLinkCodes.has(String(error.code)))) throw error
    await copyFile(from, to)
  }
}

const noLinkCodes = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'])

async function flush(path: string) {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* listOlderThan(directory: string, time: Date): AsyncIterable<string> {
  await mkdir(directory, { recursive: true })
  for (const folder of await readdir(directory)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue
    for (const name of await readdir(join(directory, folder))) {
      const key = `${folder}/${name}`
      const { mtime } = await stat(join(directory, key))
      if (keyPattern.test(key) && mtime < time) yield key
    }
  }
}
