import { hash } from 'node:crypto'

/** Namespace of our message ids. It never changes: a repeat must have the id of the first attempt. */
const namespace = Buffer.from('6f5c7f0a5b0d4c0e9f7b1d2a3c4e5f60', 'hex')

/** The id that we give a message: a UUID of version 5, which follows from our reference. */
export function messageIdOf(reference: string): string {
  const hex = hash('sha1', Buffer.concat([namespace, Buffer.from(reference)]))
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
