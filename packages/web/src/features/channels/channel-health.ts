import type { Channel } from '@carillon/contract/channels'
import { sharesOf, type Fates } from '@carillon/contract/figures'
import type { CallData } from '../../lib/call.ts'
import { calendarDay, countOf, formatCalendarDay, formatCount, formatPercent } from '../../lib/format.ts'
import type { TrackerBar } from '../../ui/charts/tracker.tsx'

type Daily = CallData<'dashboard.statusCounts'>['daily']

/** From these shares of failed messages a day is worth a look, or bad. */
export const notable = 0.05
const bad = 0.2
export const healthDays = 30

export type ChannelHealth = {
  days: readonly TrackerBar[]
  sent: number
  /** Of what was sent in these days; undefined where nothing was. */
  delivered: number | undefined
  failed: number | undefined
  summary: string
}

/** How the last days of one channel went, in the days of the account. */
export function healthOf(daily: Daily, { channel, now = new Date() }: { channel: Channel; now?: Date }): ChannelHealth {
  const byDay = new Map(daily.filter((one) => one.channel === channel).map((one) => [one.day.slice(0, 10), one]))
  const days = lastDays(now).map((day) => {
    const counts = byDay.get(day)
    const shares = counts && sharesOf(fatesOf(counts))
    return { ...describe(day, counts?.submitted ?? 0, shares?.failed), failed: shares?.failed }
  })
  const shares = sharesOf([...byDay.values()].map(fatesOf).reduce(addUp, noFates))
  const sent = [...byDay.values()].reduce((sum, { submitted }) => sum + submitted, 0)
  const bads = days.filter(({ tone }) => tone === 'bad' || tone === 'care').length
  return {
    days: days.map(({ key, tone, title }) => ({ key, tone, title })),
    sent,
    delivered: shares?.delivered,
    failed: shares?.failed,
    summary: `${formatCount(sent)} sent in ${healthDays} days; ${bads === 0 ? 'no day' : countOf(bads, 'day')} with more than ${formatPercent(notable)} failed`,
  }
}

function describe(day: string, sent: number, failed: number | undefined): TrackerBar {
  const name = formatCalendarDay(day)
  const tone = toneOf(failed)
  if (failed === undefined) return { key: day, tone, title: `${name}: nothing sent` }
  return { key: day, tone, title: `${name}: ${formatCount(sent)} sent, ${formatPercent(failed)} failed` }
}

/** By the share of messages that failed; undefined where there was none. */
export function toneOf(failed: number | undefined): TrackerBar['tone'] {
  if (failed === undefined) return 'none'
  if (failed > bad) return 'bad'
  return failed > notable ? 'care' : 'good'
}

function lastDays(now: Date): string[] {
  const today = calendarDay(now)
  return Array.from({ length: healthDays }, (_, index) => {
    const date = new Date(today)
    date.setUTCDate(date.getUTCDate() - (healthDays - 1 - index))
    return date.toISOString().slice(0, 10)
  })
}

export const noFates: Fates = { submitted: 0, sent: 0, delivered: 0, read: 0, failed: 0, unconfirmed: 0 }

/** `delivered` of a day has those that were read as well. */
function fatesOf({ submitted, sent, delivered, failed, unconfirmed }: Daily[number]): Fates {
  return { submitted, sent, delivered, read: 0, failed, unconfirmed }
}

export function addUp(sum: Fates, one: Fates): Fates {
  return {
    submitted: sum.submitted + one.submitted,
    sent: sum.sent + one.sent,
    delivered: sum.delivered + one.delivered,
    read: 0,
    failed: sum.failed + one.failed,
    unconfirmed: sum.unconfirmed + one.unconfirmed,
  }
}
