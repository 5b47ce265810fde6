import { formatDay, formatTime } from '../../../lib/format.ts'

/** Converts between local times of a zone, such as 2026-11-04T10:00, and instants. */

/** The local time of a zone at an instant. */
export function toWallTime(at: string | Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(at))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/** The instant of a local time; undefined if invalid. An hour skipped by daylight saving time is moved forward. */
export function toInstant(wall: string, timeZone: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall)) return undefined
  const wanted = Date.parse(`${wall}:00Z`)
  if (Number.isNaN(wanted)) return undefined
  let guess = wanted
  // The offset of a zone is known only for an instant; a second iteration handles changes of the offset.
  for (let look = 0; look < 2; look += 1) guess += wanted - Date.parse(`${toWallTime(new Date(guess), timeZone)}:00Z`)
  return new Date(guess).toISOString()
}

/** The next occurrence of this hour in the zone, today if it is still to come. */
export function nextAt(hour: string, timeZone: string, now = new Date()): string | undefined {
  const days = [0, 86_400_000].map((ms) => toWallTime(new Date(now.getTime() + ms), timeZone).slice(0, 10))
  return days.map((day) => toInstant(`${day}T${hour}`, timeZone)).find((at) => at && Date.parse(at) > now.getTime())
}

/** today 10:00 am, tomorrow 10:00 am, or 5 Nov, 10:00 am, in the time of the zone. */
export function soonLabel(at: string, timeZone: string, now = new Date()): string {
  const dayOf = (ms: number) => toWallTime(new Date(ms), timeZone).slice(0, 10)
  const day = dayOf(Date.parse(at))
  const time = formatTime(at, timeZone)
  if (day === dayOf(now.getTime())) return `today ${time}`
  return day === dayOf(now.getTime() + 86_400_000) ? `tomorrow ${time}` : `${formatDay(at, timeZone)}, ${time}`
}
