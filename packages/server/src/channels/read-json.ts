/** Reading of JSON from providers, which may be anything. */
export type Row = Record<string, unknown>

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object in this field, or an empty one. */
export function rowOf(value: unknown): Row {
  return isRow(value) ? value : {}
}

/** The objects of a list; other values are dropped. */
export function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : []
}

/** A text, or a number as text; undefined for other values and for an empty text. */
export function stringOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
