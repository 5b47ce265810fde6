import { createHmac, hkdfSync } from 'node:crypto'
import { decode, type LinkCode } from './link-code.ts'

/** The keys of the links of this installation. */
export type LinkKeys = {
  keyOf(number: number): Buffer
  /** The link and recipient of a code that this installation made. */
  read(code: string): LinkCode | undefined
}

/** What campaigns need to freeze links. */
export type LinkDeps = { keys: LinkKeys; publicUrl(): string }

/** Links whose keys are kept in memory: a redirect needs them. */
const keptKeys = 1000

/** Each link has a key of its own, derived from the installation's secret. Codes made with `previous` secrets stay valid. */
export function createLinkKeys(secret: string, previous: readonly string[] = []): LinkKeys {
  const roots = [secret, ...previous].map((each) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(each, 'hex'), '', 'carillon tracked links', 32)),
  )
  const [current] = roots
  if (!current) throw new Error('There is no secret key')
  const kept = new Map<number, Buffer[]>()

  function keysOf(number: number): Buffer[] {
    const known = kept.get(number)
    if (known) return known
    const keys = roots.map((root) => deriveKey(root, number))
    kept.set(number, keys)
    const [oldest] = kept.keys()
    if (kept.size > keptKeys && oldest !== undefined) kept.delete(oldest)
    return keys
  }

  return { keyOf: (number) => deriveKey(current, number), read: (code) => decode(code, keysOf) }
}

function deriveKey(root: Buffer, number: number): Buffer {
  return createHmac('sha256', root).update(`link ${number}`).digest()
}
