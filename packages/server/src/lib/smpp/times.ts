const fields = ['year', 'month', 'day', 'hour', 'minute', 'second', 'tenth', 'quarters'] as const
type Fields = Record<(typeof fields)[number], number>

/**
 * Reads a time of SMPP, `YYMMDDhhmmsstnnp`: absolute with an offset from UTC in quarters of an hour, or relative to now with `R` at
 * the end. Undefined if it is not one.
 */
export function readSmppTime(text: string, now: Date): Date | undefined {
  const found = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d)(\d\d)([+R-])$/.exec(text)
  if (!found) return undefined
  // One group for each field.
  const read = Object.fromEntries(fields.map((field, index) => [field, Number(found[index + 1])])) as Fields
  if (found[9] === 'R') return after(now, read)
  return isInRange(read) ? absolute(read, found[9] === '-' ? -1 : 1) : undefined
}

function after(now: Date, { year, month, day, hour, minute, second, tenth }: Fields): Date {
  const at = new Date(now)
  at.setUTCFullYear(at.getUTCFullYear() + year, at.getUTCMonth() + month, at.getUTCDate() + day)
  return new Date(at.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + tenth * 100)
}

/** The highest value of each field; the day is the last of a long month. */
const highest: Fields = { year: 99, month: 12, day: 31, hour: 23, minute: 59, second: 59, tenth: 9, quarters: 48 }

function isInRange(read: Fields): boolean {
  return read.month >= 1 && read.day >= 1 && fields.every((field) => read[field] <= highest[field])
}

const quarterMs = 15 * 60_000

function absolute({ year, month, day, hour, minute, second, tenth, quarters }: Fields, sign: 1 | -1): Date {
  const local = Date.UTC(2000 + year, month - 1, day, hour, minute, second, tenth * 100)
  return new Date(local - sign * quarters * quarterMs)
}

/** YYMMDDhhmm, as receipts have it. */
export function formatReceiptTime(at: Date): string {
  return at.toISOString().replace(/\D/g, '').slice(2, 12)
}
