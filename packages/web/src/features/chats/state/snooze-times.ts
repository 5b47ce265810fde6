import { calendarDay } from '../../../lib/format.ts'

type Preset = { label: string; at: Date | undefined }

const hour = 60 * 60_000

/** Times to choose from for a snooze or a later reply; those in the past are left out. */
export function timePresets(now: number, timeZone: string): Preset[] {
  const today = calendarDay(now, timeZone)
  const tomorrow = dayAfter(today, 1)
  const monday = dayAfter(today, (8 - weekdayOf(today)) % 7 || 7)
  const presets = [
    { label: 'In 1 hour', at: new Date(now + hour) },
    { label: 'In 3 hours', at: new Date(now + 3 * hour) },
    { label: 'This evening, 6:00 pm', at: instantIn(`${today}T18:00`, timeZone) },
    { label: 'Tomorrow, 9:00 am', at: instantIn(`${tomorrow}T09:00`, timeZone) },
    { label: 'Monday, 9:00 am', at: instantIn(`${monday}T09:00`, timeZone) },
  ]
  const last = presets.filter(({ at }) => at.getTime() > now + 5 * 60_000)
  return monday === tomorrow ? last.filter(({ label }) => !label.startsWith('Monday')) : last
}

/** The instant of a date and time of day, `2025-11-03T09:00`, in a time zone. */
export function instantIn(local: string, timeZone: string): Date {
  const asUtc = Date.parse(`${local}:00Z`)
  const first = asUtc - offsetOf(asUtc, timeZone)
  // The offset may differ at the instant itself, on days on which clocks change.
  return new Date(asUtc - offsetOf(first, timeZone))
}

/** The date and time of day of an instant, for a field of the type `datetime-local`. */
export function localIn(at: number, timeZone: string): string {
  return new Date(at + offsetOf(at, timeZone)).toISOString().slice(0, 16)
}

function offsetOf(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(new Date(at))
  return Date.parse(`${parts.replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * 24 * hour).toISOString().slice(0, 10)
}

/** 1 on Monday to 7 on Sunday. */
function weekdayOf(day: string): number {
  return new Date(`${day}T12:00:00Z`).getUTCDay() || 7
}
