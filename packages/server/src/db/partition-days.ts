import { sql, type RawBuilder } from 'kysely'
import { dayOfId } from '../lib/ids.ts'

const dayMs = 86_400_000

/**
 * The days on which rows with these ids may be stored. Ids contain their day in UTC, but rows are stored on days of the database's
 * time zone.
 */
export function daysOfIds(ids: readonly string[]): string[] {
  const days = new Set(ids.flatMap((id) => dayOfId(id) ?? []))
  return [...new Set([...days].flatMap((day) => [-1, 0, 1].map((beside) => moveDay(day, beside))))]
}

/** The same for all ids between these two. */
export function daysBetweenIds(first: string, last: string): string[] {
  const [begin, end] = [dayOfId(first), dayOfId(last)]
  if (begin === undefined || end === undefined) return []
  const count = Math.round((Date.parse(end) - Date.parse(begin)) / dayMs)
  return Array.from({ length: count + 3 }, (_, index) => moveDay(begin, index - 1))
}

/** The last days until tomorrow, which it may be already in the database's time zone. */
export function recentDays(count: number): string[] {
  const today = new Date().toISOString().slice(0, 10)
  return Array.from({ length: count + 3 }, (_, index) => moveDay(today, 1 - index))
}

function moveDay(day: string, by: number): string {
  return new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10)
}

/** Marks a statement that is planned at each execution, for the days of its parameters. */
export const planAnew = '/* planned anew */'

/** Marks a statement that is planned once, for any days: planning for many takes longer than finding them at each execution. */
export const planOnce = '/* planned once */'

/** Up to so many days, planning for them is faster. */
const fewDays = 3

/**
 * Whether a row is stored on one of these days: the statement reads only the partitions of these days. Of many days, those between
 * them are read as well.
 */
export function onDays(column: string, days: readonly string[]): RawBuilder<boolean> {
  if (days.length <= fewDays) return sql<boolean>`(${sql.ref(column)} = any(${days}::date[]) ${sql.raw(planAnew)})`
  const [first, last] = [
    days.reduce((one, day) => (day < one ? day : one)),
    days.reduce((one, day) => (day > one ? day : one)),
  ]
  return sql<boolean>`(${sql.ref(column)} between ${first}::date and ${last}::date ${sql.raw(planOnce)})`
}
