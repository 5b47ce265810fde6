import { calendarDay, formatDateTime, formatDay, formatTime, isToday } from '../../lib/format.ts'

/** '9:00 am' for today, '27 Nov, 9:00 am' within the year, else with the year. */
export function formatMoment(at: string): string {
  if (isToday(at)) return formatTime(at)
  const isThisYear = calendarDay(at).slice(0, 4) === calendarDay(Date.now()).slice(0, 4)
  return isThisYear ? `${formatDay(at)}, ${formatTime(at)}` : formatDateTime(at)
}
