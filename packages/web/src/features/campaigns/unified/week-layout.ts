import type { SendWindow } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import type { PlannedCampaign } from '@carillon/contract/unified-campaigns'
import { daysBetween } from '../../../lib/days.ts'
import type { DayRange } from '../../../lib/url-state.ts'
import { toInstant } from '../wizard/zoned-time.ts'

const dayMs = 86_400_000

/** The week of a day, from Monday to Sunday. */
export function weekOf(day: string): DayRange {
  const date = Date.parse(day)
  const sinceMonday = (new Date(date).getUTCDay() + 6) % 7
  return { from: isoDay(date - sinceMonday * dayMs), to: isoDay(date + (6 - sinceMonday) * dayMs) }
}

export function movedWeek({ from }: DayRange, weeks: number): DayRange {
  return weekOf(isoDay(Date.parse(from) + weeks * 7 * dayMs))
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** A span of time in milliseconds since the epoch. */
export type Span = { from: number; to: number }

/** From the start of the first day to the end of the last one in a zone. */
export function spanOfDays({ from, to }: DayRange, timeZone: string): Span {
  return { from: startOf(from, timeZone), to: startOf(isoDay(Date.parse(to) + dayMs), timeZone) }
}

function startOf(day: string, timeZone: string): number {
  return Date.parse(toInstant(`${day}T00:00`, timeZone) ?? `${day}T00:00:00Z`)
}

/** A campaign in the lane of one of its channels; positions are shares of the week, 0 to 1. */
export type Bar = {
  campaign: PlannedCampaign
  /** Its row in the lane. */
  row: number
  left: number
  width: number
  /** The time in which it has been or was sent; narrower bars are drawn wider. */
  sent: { left: number; width: number }
  /** Times outside its sending hours. */
  closed: { left: number; width: number }[]
}

type Week = {
  span: Span
  /** The ends of its days. */
  dayEnds: readonly number[]
  now: number
  /** The share of the week that a bar's text needs. */
  narrowest: number
}

/** The ends of days in a zone. */
export function endsOfDays(days: readonly string[], timeZone: string): number[] {
  return days.map((day) => spanOfDays({ from: day, to: day }, timeZone).to)
}

/** Bars of a channel's lane, in as few rows as possible without overlap. */
export function laneOf(campaigns: readonly PlannedCampaign[], channel: Channel, week: Week): Bar[] {
  const ends: number[] = []
  return campaigns
    .filter(({ channels }) => channels.includes(channel))
    .map((campaign) => barOf(campaign, week))
    .toSorted((a, b) => a.left - b.left)
    .map((bar) => {
      const free = ends.findIndex((end) => end <= bar.left)
      const row = free === -1 ? ends.length : free
      ends[row] = bar.left + bar.width
      return { ...bar, row }
    })
}

function barOf(campaign: PlannedCampaign, { span, dayEnds, now, narrowest }: Week): Omit<Bar, 'row'> {
  const length = span.to - span.from
  const shareOf = (at: number) => Math.min(1, Math.max(0, (at - span.from) / length))
  const sent = sentSpan(campaign, now)
  const [from, to] = [shareOf(sent.from), shareOf(sent.to)]
  // A bar that is widened stays in the day in which it ends: one of an evening is widened to the left.
  const day = dayEnds.findIndex((end) => (to > from ? to <= shareOf(end) : to < shareOf(end)))
  const [dayStart, dayEnd] = [shareOf(dayEnds[day - 1] ?? span.from), shareOf(dayEnds[day] ?? span.to)]
  const width = Math.max(to - from, Math.min(narrowest, dayEnd - dayStart))
  return {
    campaign,
    left: Math.min(from, dayEnd - width),
    width,
    sent: { left: from, width: to - from },
    closed: closedSpans(campaign.sendWindow, {
      from: Math.max(sent.from, span.from),
      to: Math.min(sent.to, span.to),
    }).map((closed) => ({ left: shareOf(closed.from), width: shareOf(closed.to) - shareOf(closed.from) })),
  }
}

/** One that has not ended lasts until now; a scheduled one has no length yet. */
function sentSpan({ beginsAt, endsAt, status }: PlannedCampaign, now: number): Span {
  const from = Date.parse(beginsAt)
  const to = endsAt ? Date.parse(endsAt) : status === 'scheduled' ? from : now
  return { from, to: Math.max(from, to) }
}

/** The parts of a span outside the hours of a window. */
export function closedSpans(window: SendWindow | undefined, span: Span): Span[] {
  if (!window || span.to <= span.from) return []
  const { start, end, timezone } = window
  const days = daysBetween({ from: isoDay(span.from - dayMs), to: isoDay(span.to + dayMs) })
  const at = (day: string, time: string) => Date.parse(toInstant(`${day}T${time}`, timezone) ?? `${day}T${time}:00Z`)
  const isOvernight = end <= start
  const open = days.map((day) => ({
    from: at(day, start),
    to: at(isOvernight ? isoDay(Date.parse(day) + dayMs) : day, end),
  }))
  const closed: Span[] = []
  let from = span.from
  for (const hours of open) {
    if (hours.to <= from) continue
    if (hours.from > from) closed.push({ from, to: Math.min(hours.from, span.to) })
    from = Math.max(from, hours.to)
    if (from >= span.to) break
  }
  if (from < span.to) closed.push({ from, to: span.to })
  return closed.filter((one) => one.to > one.from)
}

/** The parts of a span in which no campaign of these windows is sent; none if one of them has no hours. */
export function closedForAll(windows: readonly (SendWindow | undefined)[], span: Span): Span[] {
  if (windows.length === 0 || windows.includes(undefined)) return []
  return windows
    .map((window) => closedSpans(window, span))
    .reduce((common, closed) =>
      common.flatMap((one) =>
        closed
          .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
          .filter(({ from, to }) => from < to),
      ),
    )
}

/** Campaigns of each day of a week, by the day they begin on or the first day of the week. */
export function byDay(
  campaigns: readonly PlannedCampaign[],
  range: DayRange,
  dayOf: (at: string) => string,
): { day: string; campaigns: PlannedCampaign[] }[] {
  return daysBetween(range).map((day) => ({
    day,
    campaigns: campaigns.filter(({ beginsAt }) => {
      const own = dayOf(beginsAt)
      return own === day || (day === range.from && own < day)
    }),
  }))
}
