import type { Place } from './reviewed-templates.queries.ts'

/** An opaque cursor for a position in the list. */
export function writeCursor({ name, id }: Place): string {
  return Buffer.from(JSON.stringify([id, name])).toString('base64url')
}

/** Undefined for an invalid cursor: the list then starts at its beginning. */
export function readCursor(cursor: string | undefined): Place | undefined {
  if (!cursor) return undefined
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (!Array.isArray(parsed)) return undefined
    const [id, name]: unknown[] = parsed
    const isPlace = typeof id === 'string' && typeof name === 'string' && /^[0-9a-f-]{36}$/i.test(id)
    return isPlace ? { id, name } : undefined
  } catch {
    return undefined
  }
}
