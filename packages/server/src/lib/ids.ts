import { createHash, randomBytes, randomFillSync } from 'node:crypto'

let lastMilliseconds = 0
let counter = 0

/** A UUID version 7. Ids of this process sort by creation time, also within a millisecond. */
export function newId(now = Date.now()): string {
  if (now > lastMilliseconds) {
    lastMilliseconds = now
    counter = 0
  } else {
    counter += 1
    // The 12 bits after the version hold the counter; on overflow, use the next millisecond.
    if (counter > 0xfff) {
      lastMilliseconds += 1
      counter = 0
    }
  }
  const bytes = sixteenBytes()
  bytes.writeUIntBE(lastMilliseconds, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Random bytes in advance: generating sixteen takes as long as generating thousands. */
const ahead = Buffer.alloc(4096)
let used = ahead.length

function sixteenBytes(): Buffer {
  if (used === ahead.length) {
    randomFillSync(ahead)
    used = 0
  }
  used += 16
  return ahead.subarray(used - 16, used)
}

const version7 = /^([\da-f]{8})-([\da-f]{4})-7/i

/** The day in UTC on which an id was made; undefined for ids that do not contain it. */
export function dayOfId(id: string): string | undefined {
  const [, high, low] = version7.exec(id) ?? []
  if (high === undefined || low === undefined) return undefined
  const at = Number.parseInt(high + low, 16)
  // Ids that were not made by us may contain any year.
  return at < Date.UTC(9999) ? new Date(at).toISOString().slice(0, 10) : undefined
}

/** A UUID version 8 that follows from a text; the same as `hashed_id` in the database. */
export function hashedId(text: string): string {
  const bytes = sha256(text).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** 256 random bits in hexadecimal, safe in URLs. */
export function newToken(): string {
  return randomBytes(32).toString('hex')
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
