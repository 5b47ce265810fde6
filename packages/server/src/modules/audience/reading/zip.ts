import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { open, type Entry, type ZipFile } from 'yauzl'
import { limits } from './rows.ts'
import { UnreadableFile } from './unreadable-file.ts'

export type Archive = { zip: ZipFile; entries: Map<string, Entry> }

const maximumEntries = 2000

/** Reads the directory of an archive. Nothing is unpacked unless its declared sizes are within the limits. */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    // Sizes are also checked while unpacking: files larger than declared are cut off.
    open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, opened) =>
      error || !opened ? reject(new UnreadableFile('broken_zip')) : resolve(opened),
    )
  })
  try {
    return { zip, entries: await listEntries(zip) }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let unpacked = 0
  await new Promise<void>((resolve, reject) => {
    zip.on('error', () => reject(new UnreadableFile('broken_zip')))
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      unpacked += entry.uncompressedSize
      if (unpacked > limits.unpackedBytes || isBomb(entry) || entries.size >= maximumEntries) {
        return reject(new UnreadableFile('zip_bomb'))
      }
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
  return entries
}

function isBomb({ uncompressedSize, compressedSize }: Entry): boolean {
  return uncompressedSize > Math.max(1024 * 1024, compressedSize * limits.ratio)
}

const maximumTextBytes = 16 * 1024 * 1024

/** Reads a small file of the archive completely; empty if it does not exist. */
export async function readWhole(archive: Archive, name: string): Promise<string> {
  const entry = archive.entries.get(name)
  if (!entry) return ''
  if (entry.uncompressedSize > maximumTextBytes) throw new UnreadableFile('zip_bomb')
  let text = ''
  for await (const piece of readTexts(archive, entry)) text += piece
  return text
}

/** Streams a file of the archive as text; damaged data throws. */
export async function* readTexts({ zip }: Archive, entry: Entry): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  let checksum = 0
  try {
    // A stream without an encoding yields buffers.
    for await (const piece of (await openEntry(zip, entry)) as AsyncIterable<Buffer>) {
      checksum = crc32(piece, checksum)
      yield decoder.decode(piece, { stream: true })
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    const isTooMuch = error instanceof Error && error.message.startsWith('too many bytes')
    throw new UnreadableFile(isTooMuch ? 'zip_bomb' : 'broken_zip')
  }
  if (checksum !== entry.crc32) throw new UnreadableFile('broken_zip')
  yield decoder.decode()
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.isEncrypted()) throw new UnreadableFile('encrypted')
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) =>
      error || !stream ? reject(new UnreadableFile('broken_zip')) : resolve(stream),
    )
  })
}

/** Whether a file starts with the zip signature. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 0x03 || head[2] === 0x05)
}
