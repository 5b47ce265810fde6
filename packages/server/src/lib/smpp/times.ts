/**
 * Reads a time of SMPP, `YYMMDDhhmmsstnnp`: absolute with an offset from UTC in quarters of an hour, or relative to now with `R` at
 * the end. Undefined if it is not one.
 */
export function readSmppTime(text: string, now: Date): Date | undefined {
  const found = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d)(\d\d)([+R-])$/.exec(text)
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, tenth = 0, quarters = 0] = found
    .slice(1, 9)
    .map(Number)
  const sign = found[9]
  if (sign === 'R') {
    const at = new Date(now)
    at.setUTCFullYear(at.getUTCFullYear() + year, at.getUTCMonth() + month, at.getUTCDate() + day)
    return new Date(at.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + tenth * 100)
  }
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59 || quarters > 48)
    return undefined
  const utc = Date.UTC(2000 + year, month - 1, day, hour, minute, second, tenth * 100)
  return new Date(utc - (sign === '-' ? -1 : 1) * quarters * 15 * 60_000)
}

/** YYMMDDhhmm, as receipts have it. */
export function formatReceiptTime(at: Date): string {
  return at.toISOString().replace(/\D/g, '').slice(2, 12)
}
