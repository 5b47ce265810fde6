import { calendarDay } from '../../../lib/format.ts'
import { instantIn } from '../../../lib/local-time.ts'

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

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * 24 * hour).toISOString().slice(0, 10)
}

/** 1 on Monday to 7 on Sunday. */
function weekdayOf(day: string): number {
  return new Date(`${day}T12:00:00Z`).getUTCDay() || 7
}
