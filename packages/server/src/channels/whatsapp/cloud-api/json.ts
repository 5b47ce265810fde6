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

export function numberOf(value: unknown): number {
  const number = Number(value ?? 0)
  return Number.isFinite(number) ? number : 0
}

/**
 * Parses JSON without losing digits: some ids are numbers beyond the safe range; those become texts. Throws a SyntaxError if it
 * is not JSON.
 */
export function parseExactly(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text)
  try {
    return JSON.parse(text, keepDigits)
  } catch (error) {
    // With a reviver it recurses, and so fails on deeply nested values that it can parse without one.
    if (error instanceof RangeError) return JSON.parse(text)
    throw error
  }
}

const longNumber = /[:[,]\s*-?\d{16,}/
type Reviver = (key: string, value: unknown) => unknown
type ReviverWithSource = (key: string, value: unknown, context: { source?: string }) => unknown

const withSource: ReviverWithSource = (_key, value, { source }) =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? (source ?? value) : value
// The third argument is newer than the library's types.
const keepDigits = withSource as Reviver

const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(2100, 0)

/** Unix seconds as text or number; some are milliseconds. An impossible time is read as now. */
export function instantOf(value: unknown): Date {
  const seconds = numberOf(value)
  const date = new Date(seconds > 100_000_000_000 ? seconds : seconds * 1000)
  return date.getTime() >= earliest && date.getTime() < latest ? date : new Date()
}
