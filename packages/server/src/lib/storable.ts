/**
 * Makes external values storable in PostgreSQL: text cannot contain NUL, jsonb neither NUL nor lone surrogates, and both its
 * parser and ours recurse into nested values. For parsed values, never for the text of a JSON document.
 */

/** Deeper values are replaced with null. Provider payloads nest about ten levels. */
const deepest = 64

export function storableText(text: string): string {
  return isStorableText(text) ? text : text.replaceAll('\u0000', '').toWellFormed()
}

/** Whether the database can store the text: well-formed, and without NUL. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** Returns the value itself if nothing has to change. */
export function storableJson<Value>(value: Value): Value
export function storableJson(value: unknown): unknown {
  return isStorable(value, 0) ? value : cleaned(value, 0)
}

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  if (Array.isArray(value)) return value.every((entry) => isStorable(entry, depth + 1))
  // Any other object is treated as a record of its keys.
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
