import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ApiEnvironment } from '@carillon/contract/api-key-records'

/**
 * A key is `carillon_live_<public id>_<secret>_<checksum>`. The public id finds its row, and stays the same when the secret is
 * regenerated. The checksum is the CRC-32 of the rest, so that a mistyped key is refused without a query, and scanners for leaked
 * secrets can recognise keys.
 */
export type KeyText = { publicId: string; hash: Buffer }

const format = /^(carillon_(?:test|live)_([\da-f]{8})_[\da-f]{64})_([\da-f]{8})$/

export function isKeyText(token: string): boolean {
  return token.startsWith('carillon_')
}

/** Undefined if the text is not a key, or was mistyped. */
export function parseKeyText(text: string): KeyText | undefined {
  const [, rest = '', publicId = '', checksum] = format.exec(text) ?? []
  return checksum !== undefined && checksumOf(rest) === checksum ? { publicId, hash: hashOf(text) } : undefined
}

export function newPublicId(): string {
  return randomBytes(4).toString('hex')
}

export type NewSecret = { text: string; hash: Buffer; last4: string }

/** A new secret for a key. The text is shown once, the hash is stored. */
export function newSecret(key: { environment: ApiEnvironment; publicId: string }): NewSecret {
  const rest = `${prefixOf(key)}_${randomBytes(32).toString('hex')}`
  const text = `${rest}_${checksumOf(rest)}`
  return { text, hash: hashOf(text), last4: text.slice(-4) }
}

export function prefixOf({ environment, publicId }: { environment: ApiEnvironment; publicId: string }): string {
  return `carillon_${environment}_${publicId}`
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
