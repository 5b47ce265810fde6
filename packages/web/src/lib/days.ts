import { accountZone } from './format.ts'
import type { DayRange } from './url-state.ts'

const dayMs = 86_400_000

/** The last days up to today, in the account's own zone. */
export function lastDays(days: number): DayRange {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: accountZone() })
  const now = Date.now()
  return { from: day.format(now - (days - 1) * dayMs), to: day.format(now) }
}

/** Every day of a range, as ISO dates. */
export function daysBetween({ from, to }: DayRange): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    new Date(Date.parse(from) + index * dayMs).toISOString().slice(0, 10),
  )
}
