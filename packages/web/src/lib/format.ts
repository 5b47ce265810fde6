import { formatMoney, roundRupees } from '@carillon/contract/money'
import { firstGraphemes } from '@carillon/contract/text'

export { formatMoney, formatUnitPrice, roundRupees } from '@carillon/contract/money'

/** All formatting of numbers, money, dates and phone numbers (locale en-IN). */

const locale = 'en-IN'
export const missing = '—'

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
const oneDecimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** 1,50,000 */
export function formatCount(value: number): string {
  return whole.format(value)
}

/** 12.3K · 1.5L · 1.2Cr; whole below a thousand. */
export function formatCompact(value: number): string {
  const size = Math.abs(value)
  if (size < 1000) return whole.format(value)
  if (size < 99_950) return `${trimZero(value / 1000)}K`
  if (size < 9_995_000) return `${trimZero(value / 100_000)}L`
  return `${trimZero(value / 10_000_000)}Cr`
}

function trimZero(value: number): string {
  return oneDecimal.format(value).replace(/\.0$/, '')
}

/** ₹15,240: no paise in running text from a thousand rupees up. */
export function formatMoneyInProse(rupees: number): string {
  return Math.abs(rupees) >= 1000 ? wholeRupees.format(roundRupees(rupees)) : formatMoney(rupees)
}

/** ₹1.5L from a lakh up, full below. */
export function formatMoneyCompact(rupees: number): string {
  if (Math.abs(rupees) < 100_000) return formatMoneyInProse(rupees)
  const sign = rupees < 0 ? '-' : ''
  return `${sign}₹${formatCompact(Math.abs(rupees))}`
}

/** +₹5,000.00 for incoming amounts; outgoing ones have a minus sign. */
export function formatCredit(rupees: number): string {
  return rupees > 0 ? `+${formatMoney(rupees)}` : formatMoney(rupees)
}

const wholeRupees = new Intl.NumberFormat(locale, { style: 'currency', currency: 'INR', maximumFractionDigits: 0 })

/** 94.3% of a share between 0 and 1. */
export function formatPercent(share: number): string {
  return `${oneDecimal.format(share * 100)}%`
}

/** Progress in percent: 100 % only when finished. */
export function formatProgress(percent: number): string {
  return `${Math.floor(percent)}%`
}

/** A part of a total; missing if the total is 0. */
export function formatShare(part: number, total: number): string {
  return total > 0 ? formatPercent(part / total) : missing
}

/** A given share; missing if undefined. */
export function formatKnownShare(share: number | undefined): string {
  return share === undefined ? missing : formatPercent(share)
}

/** +1.2 pts between two shares. */
export function formatPoints(change: number): string {
  const points = change * 100
  return `${points > 0 ? '+' : ''}${oneDecimal.format(points)} pts`
}

type Instant = string | number | Date

/** 3 Nov 2025, 1:35 pm */
export function formatDateTime(at: Instant, timeZone = accountZone()): string {
  return `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)}`
}

/** 3 Nov 2025 */
export function formatDate(at: Instant, timeZone = accountZone()): string {
  const { day, month, year } = dateParts(at, timeZone)
  return `${day} ${month} ${year}`
}

/** 3 Nov */
export function formatDay(at: Instant, timeZone = accountZone()): string {
  const { day, month } = dateParts(at, timeZone)
  return `${day} ${month}`
}

/** The date in the account's time zone, or the given one: `2025-11-03`. */
export function calendarDay(at: Instant, timeZone = accountZone()): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(at))
}

/** A day of the calendar, `2025-11-03`, whatever the zone: 3 Nov */
export function formatCalendarDay(day: string): string {
  return formatDay(`${day}T12:00:00Z`, 'UTC')
}

/** 23 Oct – 21 Nov 2025 */
export function formatCalendarDays({ from, to }: { from: string; to: string }): string {
  const last = formatDate(`${to}T12:00:00Z`, 'UTC')
  if (from === to) return last
  const isSameYear = from.slice(0, 4) === to.slice(0, 4)
  return `${isSameYear ? formatCalendarDay(from) : formatDate(`${from}T12:00:00Z`, 'UTC')} – ${last}`
}

const calendarMonth = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** October 2026, of the first day of a month. */
export function formatMonth(month: string): string {
  return calendarMonth.format(new Date(`${month.slice(0, 10)}T12:00:00Z`))
}

/** Whether both instants are on the same day in the account's time zone. */
export function isToday(at: Instant, timeZone = accountZone()): boolean {
  return calendarDay(at, timeZone) === calendarDay(Date.now(), timeZone)
}

/** 1:35 pm */
export function formatTime(at: Instant, timeZone = accountZone()): string {
  const { hour, minute, dayPeriod } = dateParts(at, timeZone)
  return `${hour}:${minute} ${dayPeriod}`
}

/** 10:00 am IST (11:30 pm EST, 2 Nov): a schedule names its zone, and the reader's own when it differs. */
export function formatSchedule(at: Instant, timeZone: string, readerZone = localZone()): string {
  const theirs = `${formatTime(at, timeZone)} ${zoneName(at, timeZone)}`
  if (formatDateTime(at, timeZone) === formatDateTime(at, readerZone)) return theirs
  const otherDay = formatDay(at, readerZone) === formatDay(at, timeZone) ? '' : `, ${formatDay(at, readerZone)}`
  return `${theirs} (${formatTime(at, readerZone)} ${zoneName(at, readerZone)}${otherDay})`
}

/** 3 Nov, 10:00 am IST: a schedule in one line. */
export function formatScheduleDay(at: Instant, timeZone: string, readerZone = localZone()): string {
  return `${formatDay(at, timeZone)}, ${formatSchedule(at, timeZone, readerZone)}`
}

const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

function dateParts(at: Instant, timeZone: string) {
  const parts = new Map(
    partsFormat(timeZone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  )
  return {
    day: parts.get('day') ?? '',
    // Some runtimes write 'Sept'; three letters keep columns even.
    month: names[Number(parts.get('month')) - 1] ?? '',
    year: parts.get('year') ?? '',
    hour: parts.get('hour') ?? '',
    minute: parts.get('minute') ?? '',
    dayPeriod: (parts.get('dayPeriod') ?? '').toLowerCase(),
  }
}

const partsFormats = new Map<string, Intl.DateTimeFormat>()

function partsFormat(timeZone: string): Intl.DateTimeFormat {
  const known = partsFormats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
  })
  partsFormats.set(timeZone, made)
  return made
}

function zoneName(at: Instant, timeZone: string): string {
  if (timeZone === 'Asia/Kolkata' || timeZone === 'Asia/Calcutta') return 'IST'
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(new Date(at))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

let zone = 'Asia/Kolkata'

/** The time zone of the signed-in account, used for all dates without a zone of their own. */
export function setAccountZone(timeZone: string) {
  zone = timeZone
}

export function accountZone(): string {
  return zone
}

export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** 5 min ago, within a week; the date after that. */
export function formatRelative(at: Instant, now = Date.now()): string {
  const passed = now - new Date(at).getTime()
  const size = Math.abs(passed)
  if (size >= 7 * day) return formatDate(at)
  if (size < minute) return 'just now'
  const [amount, unit] =
    size < hour ? [size / minute, 'min'] : size < day ? [size / hour, 'h'] : ([size / day, 'd'] as const)
  return passed > 0 ? `${Math.floor(amount)} ${unit} ago` : `in ${Math.floor(amount)} ${unit}`
}

/** 2 m 05 s · 1 h 04 m · 3 d 2 h */
export function formatDuration(seconds: number): string {
  const total = Math.max(0, Math.round(seconds))
  if (total < 60) return `${total} s`
  if (total < 3600) return `${Math.floor(total / 60)} m ${pad(total % 60)} s`
  if (total < 86_400) return `${Math.floor(total / 3600)} h ${pad(Math.floor((total % 3600) / 60))} m`
  return `${Math.floor(total / 86_400)} d ${Math.floor((total % 86_400) / 3600)} h`
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

/** 1.4 MB */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'] as const
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? value : trimZero(value)} ${units[unit]}`
}

/** +91 98765 43210 of E.164; other countries in groups from the right. */
export function formatPhone(phoneNumber: string): string {
  const digits = phoneNumber.replace(/\D/g, '')
  if (/^91\d{10}$/.test(digits)) return `+91 ${digits.slice(2, 7)} ${digits.slice(7)}`
  if (/^1\d{10}$/.test(digits)) return `+1 ${digits.slice(1, 4)} ${digits.slice(4, 7)} ${digits.slice(7)}`
  return phoneNumber.startsWith('+') ? `+${digits}` : phoneNumber
}

/** A name; a number in its place as it is written. */
export function formatNumberName(name: string): string {
  return /^\+\d{7,15}$/.test(name) ? formatPhone(name) : name
}

/** '1 part', '2 parts' */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}

/** AR of Acme Retail or acme.retail. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const letters =
    words.length > 1 ? [words[0], words[1]].map((word) => firstGraphemes(word ?? '', 1)) : [firstGraphemes(name, 2)]
  return letters.join('').toUpperCase()
}

/** Roles in words. */
export const roleNames = {
  admin: 'admin',
  reseller: 'reseller',
  manager: 'manager',
  user: 'user',
  department_head: 'department head',
} as const
