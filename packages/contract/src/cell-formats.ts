import { z } from 'zod'

/** Format of a cell in a message; without a format the cell is used unchanged. */
export const CellFormat = z.enum([
  'date_short',
  'date_numeric',
  'date_weekday',
  'date_long',
  'amount',
  'amount_whole',
  'amount_rs',
  'amount_plain',
  'upper',
  'title',
])
export type CellFormat = z.infer<typeof CellFormat>

/** English names, January first. */
export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
/** English names, Sunday first. */
export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

type Day = { year: number; month: number; day: number }

const formats: Record<CellFormat, (cell: string) => string | undefined> = {
  date_short: (cell) => ofDay(cell, ({ year, month, day }) => `${day} ${monthName(month, 3)} ${year}`),
  date_numeric: (cell) => ofDay(cell, ({ year, month, day }) => `${two(day)}/${two(month)}/${year}`),
  date_weekday: (cell) => ofDay(cell, (date) => `${weekdayOf(date)} ${date.day} ${monthName(date.month, 3)}`),
  date_long: (cell) => ofDay(cell, ({ year, month, day }) => `${day} ${monthName(month)} ${year}`),
  amount: (cell) => ofAmount(cell, (amount) => withSign(amount, '₹', 2)),
  amount_whole: (cell) => ofAmount(cell, (amount) => withSign(amount, '₹', 0)),
  // The rupee sign would force Unicode, which halves the characters per part.
  amount_rs: (cell) => ofAmount(cell, (amount) => withSign(amount, 'Rs.', 2)),
  amount_plain: (cell) => ofAmount(cell, (amount) => withSign(amount, '', 0)),
  upper: (cell) => cell.toUpperCase(),
  title: (cell) => cell.toLowerCase().replaceAll(/(?<![\p{L}\p{M}'’])\p{L}/gu, (letter) => letter.toUpperCase()),
}

/** The formatted cell; undefined if it is not a valid date or number. */
export function formatCell(format: CellFormat | undefined, cell: string): string | undefined {
  return format === undefined ? cell : formats[format](cell.trim())
}

/** The example shown for a format in the list of formats. */
export function exampleOf(format: CellFormat): string {
  const example = format.startsWith('date') ? '2026-11-12' : format.startsWith('amount') ? '123456' : 'asha RAO'
  return formatCell(format, example) ?? ''
}

function ofDay(cell: string, write: (day: Day) => string): string | undefined {
  const day = readDay(cell)
  return day && write(day)
}

function ofAmount(cell: string, write: (amount: number) => string): string | undefined {
  const amount = readAmount(cell)
  return amount === undefined ? undefined : write(amount)
}

/** Parses dates such as 2026-11-12, 12/11/2026, 12-11-26, 12 Nov 2026, Nov 12, 2026, or a spreadsheet serial number. Day before month. */
export function readDay(text: string): Day | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text)
  if (iso) return checkDay({ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) })
  const numeric = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?: .*)?$/.exec(text)
  if (numeric) return checkDay({ year: fullYear(numeric[3]), month: Number(numeric[2]), day: Number(numeric[1]) })
  const words =
    /^(?:\p{L}+,? )?(\d{1,2})(?:st|nd|rd|th)?[- ](\p{L}{3,9})\.?,?[- ](\d{4}|\d{2})$/iu.exec(text) ??
    swap(/^(?:\p{L}+,? )?(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/iu.exec(text))
  if (words) return checkDay({ year: fullYear(words[3]), month: monthOf(words[2]), day: Number(words[1]) })
  return readSerial(text)
}

function swap(found: RegExpExecArray | null): (string | undefined)[] | undefined {
  return found ? [found[0], found[2], found[1], found[3]] : undefined
}

/** Spreadsheet serial numbers count days from the end of 1899. Only 1954 to 2119; smaller numbers are unlikely to be dates. */
function readSerial(text: string): Day | undefined {
  if (!/^\d{5}(?:\.\d+)?$/.test(text)) return undefined
  const serial = Math.floor(Number(text))
  if (serial < 20_000 || serial > 80_000) return undefined
  const date = new Date(Date.UTC(1899, 11, 30 + serial))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Two-digit years up to 69 are 20xx. */
function fullYear(text: string | undefined): number {
  const year = Number(text)
  if (text?.length !== 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}

function monthOf(word: string | undefined): number {
  const start = (word ?? '').toLowerCase()
  const found = months.findIndex((month) => {
    const name = month.toLowerCase()
    return name === start || name.slice(0, 3) === start || (name === 'september' && start === 'sept')
  })
  return found + 1
}

/** Validates the calendar day: no 31 February, no month 13. */
function checkDay(day: Day): Day | undefined {
  const date = new Date(Date.UTC(day.year, day.month - 1, day.day))
  const isReal = date.getUTCMonth() === day.month - 1 && date.getUTCDate() === day.day && day.year >= 1900
  return isReal ? day : undefined
}

/** A number with optional currency and thousands separators: ₹1,23,456.50, Rs. 500/-, 1234.5, (250). */
export function readAmount(text: string): number | undefined {
  const plain = text
    .replace(/^(?:₹|rs\.?|inr)\s*/i, '')
    .replace(/\s*(?:\/-|₹|rs\.?|inr)$/i, '')
    .replaceAll(/[\s\u00a0]/g, '')
  const found = /^(-|\()?(?:₹)?(\d+|\d{1,3}(?:,\d{2,3})+)(\.\d+)?\)?$/.exec(plain)
  if (!found) return undefined
  const digits = (found[2] ?? '').replaceAll(',', '')
  if (digits.length > 15) return undefined
  const amount = Number(`${digits}${found[3] ?? ''}`)
  return found[1] ? -amount : amount
}

/** Uses lakh and crore separators, the same in every runtime. */
function withSign(amount: number, sign: string, decimals: 0 | 2): string {
  const [whole = '', fraction] = Math.abs(amount).toFixed(decimals).split('.')
  const head = whole.length > 3 ? whole.slice(0, -3).replaceAll(/\B(?=(?:\d{2})+$)/g, ',') : ''
  const grouped = head === '' ? whole : `${head},${whole.slice(-3)}`
  const minus = amount < 0 ? '-' : ''
  return `${minus}${sign}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

function monthName(month: number, letters?: number): string {
  return (months[month - 1] ?? '').slice(0, letters)
}

function weekdayOf({ year, month, day }: Day): string {
  return (weekdays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? '').slice(0, 3)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
