import { randomBytes } from 'node:crypto'

// Random per process; the counter makes ids unique within it.
const run = randomBytes(6).toString('hex').toUpperCase()
let count = 0

/** A wamid is base64 of the recipient's number and 18 hexadecimal digits. */
export function newMessageId(waId: string): string {
  count += 1
  const tail = run + count.toString(16).toUpperCase().padStart(6, '0')
  const bytes = `\u001d\u0018${String.fromCharCode(waId.length)}${waId}\u0015\u0002\u0000\u0011\u0018\u0012${tail}\u0000`
  return `wamid.${Buffer.from(bytes, 'latin1').toString('base64')}`
}
