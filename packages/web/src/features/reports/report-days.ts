import type { ReportDetails } from '@carillon/contract/report-file-records'
import { daysBetween } from '../../lib/days.ts'
import {
  calendarDay,
  countOf,
  formatCalendarDay,
  formatCalendarDays,
  formatCount,
  formatShare,
} from '../../lib/format.ts'

export type ReportDay = ReportDetails['daily'][number]

/** Every day of a report, with zeros where nothing was sent. */
export function daysOf({ from, to, daily }: Pick<ReportDetails, 'from' | 'to' | 'daily'>): ReportDay[] {
  const known = new Map(daily.map((day) => [day.day.slice(0, 10), day]))
  return daysBetween({ from, to }).map((day) => known.get(day) ?? { day, submitted: 0, delivered: 0, failed: 0 })
}

/** The peak, for a title: 'Peak: 44,913 on 20 Nov'. */
export function findingOf(days: readonly ReportDay[]): string {
  const peak = days.reduce((most, day) => (day.submitted > most.submitted ? day : most))
  return peak.submitted === 0 ? 'No messages' : `Peak: ${formatCount(peak.submitted)} on ${formatCalendarDay(peak.day)}`
}

/** The chart in a sentence. */
export function summaryOf(days: readonly ReportDay[]): string {
  const sum = (key: 'submitted' | 'delivered' | 'failed') => days.reduce((total, day) => total + day[key], 0)
  const submitted = sum('submitted')
  const span = formatCalendarDays({ from: days[0]?.day ?? '', to: days.at(-1)?.day ?? '' })
  const shares = `${formatShare(sum('delivered'), submitted)} delivered, ${formatShare(sum('failed'), submitted)} failed`
  const peak = findingOf(days).replace('Peak:', 'The peak was')
  return submitted === 0 ? `No messages, ${span}` : `${countOf(submitted, 'message')}, ${span}: ${shares}. ${peak}.`
}

/** Whether the last day is not over, so that its figures still grow. */
export function endsToday({ to, timezone }: Pick<ReportDetails, 'to' | 'timezone'>, now = Date.now()): boolean {
  return to === calendarDay(now, timezone)
}
