/**
 * Values from outside, as PostgreSQL can store them. Its text has no NUL, its jsonb no NUL and no lone surrogate either, and
 * both its parser and ours recurse into nested values. Applied to parsed values, never to the text of a JSON document.
 */

/** Deeper values are replaced with null; what providers send nests about ten levels. */
const deepest = 64

export function storableText(text: string): string {
  return isStorableText(text) ? text : text.replaceAll('\u0000', '').toWellFormed()
}

/** True for text that the database can store: whole characters, and no NUL. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** The value itself where nothing is to be changed. */
export function storableJson<Value>(value: Value): Value
export function storableJson(value: unknown): unknown {
  return isStorable(value, 0) ? value : cleaned(value, 0)
}

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  if (Array.isArray(value)) return value.every((entry) => isStorable(entry, depth + 1))
  // An object of any kind is looked at by its keys.
  const entries = value as Record<string, unknown>
  return Object.keys(entries).every((key) => isStorableText(key) && isStorable(entries[key], depth + 1))
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (depth > deepest) return null
  if (Array.isArray(value)) return value.map((entry) => cleaned(entry, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [storableText(key), cleaned(entry, depth + 1)]))
}
