import { truncate } from '@carillon/contract/text'
import { limits } from './rows.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** Stores texts by index in bytes instead of objects: six bytes plus the text each. */
export type TextStore = { add(text: string): void; get(number: number): string }

const blockBytes = 1024 * 1024
const maximumBytes = 256 * 1024 * 1024
const maximumTexts = 16_000_000

export function createTextStore(): TextStore {
  const blocks: Buffer[] = []
  let starts = new Uint32Array(1024)
  let lengths = new Uint16Array(1024)
  let count = 0
  let end = 0

  function grow() {
    if (count >= maximumTexts) throw new UnreadableFile('too_large')
    const before = { starts, lengths }
    starts = new Uint32Array(count * 2)
    lengths = new Uint16Array(count * 2)
    starts.set(before.starts)
    lengths.set(before.lengths)
  }

  /** Reserves bytes within one block. */
  function reserve(bytes: number): Buffer {
    if (blocks.length === 0 || (end % blockBytes) + bytes > blockBytes || end === blocks.length * blockBytes) {
      end = blocks.length * blockBytes
      if (end >= maximumBytes) throw new UnreadableFile('too_large')
      blocks.push(Buffer.allocUnsafeSlow(blockBytes))
    }
    return blocks.at(-1) ?? Buffer.alloc(0)
  }

  return {
    add(text) {
      const bytes = Buffer.from(truncate(text, limits.cellCharacters))
      const block = reserve(bytes.length)
      block.set(bytes, end % blockBytes)
      if (count === starts.length) grow()
      starts[count] = end
      lengths[count] = bytes.length
      count += 1
      end += bytes.length
    },
    get(number) {
      const start = starts[number] ?? 0
      const length = lengths[number] ?? 0
      const block = blocks[Math.floor(start / blockBytes)]
      return block && length > 0 ? block.toString('utf8', start % blockBytes, (start % blockBytes) + length) : ''
    },
  }
}
