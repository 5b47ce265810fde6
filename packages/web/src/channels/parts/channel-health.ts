import type { Channel } from '@carillon/contract/channels'
import { fatesOfSpan, sharesOf, sumFates } from '@carillon/contract/figures'
import type { CallData } from '../../lib/call.ts'
import { calendarDay, countOf, formatCalendarDay, formatCount, formatPercent } from '../../lib/format.ts'
import type { TrackerBar } from '../../ui/charts/tracker.tsx'

type Daily = CallData<'dashboard.statusCounts'>['daily']

/** Shares of failed messages from which a day counts as a warning, or as bad. */
export const notable = 0.05
const bad = 0.2
export const healthDays = 30

export type ChannelHealth = {
  days: readonly TrackerBar[]
  sent: number
  /** Share of the messages sent in these days; undefined if there were none. */
  delivered: number | undefined
  failed: number | undefined
  summary: string
}

/** Results of one channel's last days, in the account's time zone. */
export function healthOf(daily: Daily, { channel, now = new Date() }: { channel: Channel; now?: Date }): ChannelHealth {
  const byDay = new Map(daily.filter((one) => one.channel === channel).map((one) => [one.day.slice(0, 10), one]))
  const days = lastDays(now).map((day) => {
    const counts = byDay.get(day)
    const shares = counts && sharesOf(fatesOfSpan(counts))
    return { ...describe(day, counts?.submitted ?? 0, shares?.failed), failed: shares?.failed }
  })
  const shares = sharesOf(sumFates([...byDay.values()].map(fatesOfSpan)))
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

/** By the share of failed messages; undefined without messages. */
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
