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
