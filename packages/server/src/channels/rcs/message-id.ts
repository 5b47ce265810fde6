import { createHash } from 'node:crypto'

/** Namespace of our message ids. It never changes: a repeat must have the id of the first attempt. */
const namespace = Buffer.from('6f5c7f0a5b0d4c0e9f7b1d2a3c4e5f60', 'hex')

/** The id that we give a message: a UUID of version 5, which follows from our reference. */
export function messageIdOf(reference: string): string {
  const bytes = createHash('sha1').update(namespace).update(reference).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
