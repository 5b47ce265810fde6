/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(2100, 0)

/** A time of RFC 3339 with up to nine decimals. An impossible time is read as now. */
export function instantOf(value: unknown): Date {
  const date = new Date(typeof value === 'string' ? value : Number.NaN)
  return date.getTime() >= earliest && date.getTime() < latest ? date : new Date()
}
