import type { Availability } from '@carillon/contract/live-agents'
import { formatTime } from '../../lib/format.ts'
import { availabilityLabels } from '../../ui/availability.tsx'

type Span = { availability: Availability; from: string; to: string }

/** How many seconds each availability lasted. */
export function secondsBy(spans: readonly Span[]): Record<Availability, number> {
  const totals = { online: 0, busy: 0, away: 0, offline: 0 }
  for (const { availability, from, to } of spans) totals[availability] += (Date.parse(to) - Date.parse(from)) / 1000
  return totals
}

type Segment = Span & {
  /** In percent of the day. */
  left: number
  width: number
  label: string
}

/** The spans as parts of their day. A day with a change of the clock is drawn as 24 hours. */
export function segmentsOf({ spans, timezone }: { spans: readonly Span[]; timezone: string }): Segment[] {
  return spans.map((span) => {
    const left = shareOf(span.from, timezone)
    const end = shareOf(span.to, timezone)
    const width = Math.max(0.2, (end <= left && span.to > span.from ? 100 : end) - left)
    const label = `${availabilityLabels[span.availability]}, ${formatTime(span.from, timezone)} – ${formatTime(span.to, timezone)}`
    return { ...span, left, width: Math.min(width, 100 - left), label }
  })
}

/** The time of day in percent; midnight is 0. */
function shareOf(at: string, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(at))
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return ((of('hour') * 3600 + of('minute') * 60 + of('second')) / 86_400) * 100
}
