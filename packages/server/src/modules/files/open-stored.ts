import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { notFound } from '../../lib/problem.ts'
import type { FileStore } from './file-store.ts'

/** The content of a file for a response. Not found if it is gone, as after a restore without its files. */
export async function openStored(store: Pick<FileStore, 'open'>, key: string): Promise<Readable> {
  const stream = store.open(key)
  try {
    await once(stream, 'open')
  } catch {
    throw notFound('File')
  }
  return stream
}
