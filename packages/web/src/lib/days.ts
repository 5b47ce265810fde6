import { calendarDay } from './format.ts'
import type { DayRange } from './url-state.ts'

const dayMs = 86_400_000

/** The last days up to today, in the account's time zone. */
export function lastDays(days: number, to = calendarDay(Date.now())): DayRange {
  return { from: new Date(Date.parse(to) - (days - 1) * dayMs).toISOString().slice(0, 10), to }
}

/** Every day of a range, as ISO dates. */
export function daysBetween({ from, to }: DayRange): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    new Date(Date.parse(from) + index * dayMs).toISOString().slice(0, 10),
  )
}
