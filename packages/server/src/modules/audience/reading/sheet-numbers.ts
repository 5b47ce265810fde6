import { months, weekdays } from '@carillon/contract/cell-formats'

/** Date or percentage format by cell style; undefined for other styles. */
export type NumberStyles = (string | undefined)[]

/** Built-in formats, which Excel stores by number. 14 depends on the locale; ours is day, month, year. */
const builtIn: Record<string, string> = {
  9: '0%',
  10: '0.00%',
  14: 'dd-mm-yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'dd-mm-yyyy h:mm',
  45: 'mm:ss',
}

/** Reads the date and percentage formats of cell styles from xl/styles.xml, by style index. */
export function readNumberStyles(xml: string): NumberStyles {
  const custom = new Map<string, string>()
  for (const [tag] of xml.matchAll(/<(?:\w+:)?numFmt\s[^>]*>/g)) {
    const id = /numFmtId="(\d+)"/.exec(tag)?.[1]
    const code = /formatCode="([^"]*)"/.exec(tag)?.[1]
    if (id !== undefined && code !== undefined) custom.set(id, plainFormat(code))
  }
  const styles = /<(?:\w+:)?cellXfs\b[\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(xml)?.[0] ?? ''
  return Array.from(styles.matchAll(/<(?:\w+:)?xf\s[^>]*>/g), ([tag]) => {
    const id = /numFmtId="(\d+)"/.exec(tag)?.[1] ?? '0'
    const format = custom.get(id) ?? builtIn[id] ?? ''
    return isDateFormat(format) || isPercentFormat(format) ? format : undefined
  })
}

/** The first section of a format, without colours, locales and padding. Empty for durations such as [h]:mm. */
function plainFormat(code: string): string {
  if (/\[[hms]+\]/i.test(code)) return ''
  const text = code.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  return (text.split(';')[0] ?? '').replaceAll(/\[[^\]]*\]|[_*]./g, '').replaceAll(/\\(.)/g, '"$1"')
}

function isDateFormat(format: string): boolean {
  const letters = format.replaceAll(/"[^"]*"/g, '')
  return /[dmyhs]/i.test(letters) && !/[#0?]|general/i.test(letters.replaceAll(/[.,]0+/g, ''))
}

function isPercentFormat(format: string): boolean {
  return /^[#0,. ]+%$/.test(format)
}

/** Formats a number as the cell shows it; undefined if it cannot be formatted. */
export function formatSheetNumber(value: number, format: string, startsIn1904: boolean): string | undefined {
  return isPercentFormat(format) ? formatPercent(value, format) : formatSheetDate(value, format, startsIn1904)
}

function formatPercent(value: number, format: string): string | undefined {
  const decimals = /\.([#0]+)/.exec(format)?.[1]?.length ?? 0
  return Number.isFinite(value) ? `${(value * 100).toFixed(Math.min(decimals, 20))}%` : undefined
}

const dayMs = 86_400_000
const token = /"([^"]*)"|AM\/PM|A\/P|y+|m+|d+|h+|s+|\.0+/gi

/** Formats a date serial number as the cell shows it; undefined outside the supported range. */
function formatSheetDate(serial: number, format: string, startsIn1904: boolean): string | undefined {
  if (!(serial >= 0 && serial < 2_958_466)) return undefined
  // Excel counts a nonexistent 29 February 1900 as day 60; earlier days are off by one.
  const days = startsIn1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  const date = new Date(Date.UTC(1899, 11, 30) + Math.round((days * dayMs) / 1000) * 1000)
  const isTwelveHours = /am\/pm|a\/p/i.test(format)
  let before = ''
  return format
    .replaceAll(token, (part: string, literal: string | undefined, at: number) => {
      if (literal !== undefined) return literal
      const letter = part.charAt(0).toLowerCase()
      const isMinutes = letter === 'm' && (before === 'h' || /^[^a-z"]*s/i.test(format.slice(at + part.length)))
      before = letter
      return formatPart(date, { part: isMinutes ? part.replaceAll(/m/gi, 'n') : part, isTwelveHours })
    })
    .trim()
}

function formatPart(date: Date, { part, isTwelveHours }: { part: string; isTwelveHours: boolean }): string {
  const isLong = part.length > 1
  const padded = (value: number) => String(value).padStart(isLong ? 2 : 1, '0')
  const hours = date.getUTCHours()
  const byLetter: Record<string, () => string> = {
    y: () => (part.length > 2 ? String(date.getUTCFullYear()) : String(date.getUTCFullYear() % 100).padStart(2, '0')),
    m: () => nameOrNumber(months[date.getUTCMonth()] ?? '', part, padded(date.getUTCMonth() + 1)),
    d: () => nameOrNumber(weekdays[date.getUTCDay()] ?? '', part, padded(date.getUTCDate())),
    h: () => padded(isTwelveHours ? hours % 12 || 12 : hours),
    n: () => padded(date.getUTCMinutes()),
    s: () => padded(date.getUTCSeconds()),
    a: () => (hours < 12 ? 'AM' : 'PM'),
  }
  return byLetter[part.charAt(0).toLowerCase()]?.() ?? ''
}

/** mmm and ddd are short names, longer patterns full names. */
function nameOrNumber(name: string, part: string, number: string): string {
  if (part.length < 3) return number
  return part.length === 3 ? name.slice(0, 3) : name
}
