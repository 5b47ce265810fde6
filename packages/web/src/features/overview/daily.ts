import { fatesOfSpan, sharesOf, sumFates, type Fates } from '@carillon/contract/figures'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { channelList } from '../../channels/index.ts'
import type { CallData } from '../../lib/call.ts'
import { calendarDay } from '../../lib/format.ts'

export type Counts = CallData<'dashboard.statusCounts'>
type Daily = Counts['daily']

export type ChartDay = { day: string; byChannel: ReadonlyMap<Channel, number> }

/** One entry per day without gaps, from the first day of the range to today in the account's time zone. */
export function daysOf(daily: Daily, { days, now = new Date() }: { days: number; now?: Date }): ChartDay[] {
  const byDay = Map.groupBy(daily, ({ day }) => day.slice(0, 10))
  const today = calendarDay(now)
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(today)
    date.setUTCDate(date.getUTCDate() - (days - 1 - index))
    const day = date.toISOString().slice(0, 10)
    const counts = new Map<Channel, number>()
    for (const { channel, submitted } of byDay.get(day) ?? [])
      counts.set(channel, (counts.get(channel) ?? 0) + submitted)
    return { day, byChannel: counts }
  })
}

/** The sum over all channels for each day, for sparklines. */
export function sumsOf(daily: Daily, field: 'submitted' | 'cost'): number[] {
  const byDay = new Map<string, number>()
  for (const entry of daily) byDay.set(entry.day, (byDay.get(entry.day) ?? 0) + entry[field])
  return [...byDay].sort(([a], [b]) => a.localeCompare(b)).map(([, sum]) => sum)
}

/** The share of delivered or failed messages of each day; undefined for days without messages. */
export function sharesByDay(daily: Daily, field: 'delivered' | 'failed'): number[] {
  const days = Map.groupBy(daily, ({ day }) => day)
  return [...days.entries()]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .flatMap(([, entries]) => sharesOf(sumFates(entries.map(fatesOfSpan)))?.[field] ?? [])
}

/** Messages of channels without read receipts would lower the read rate. */
export function readable(channels: Counts['channels']): Fates | undefined {
  const counted = channelList.flatMap(({ channel }) => {
    const counts = channels[channel]
    return counts && counts.submitted > 0 && channelTraits[channel].hasReadReceipts ? [counts] : []
  })
  return counted.length === 0 ? undefined : sumFates(counted)
}

/** The daily read rate on channels with read receipts. */
export function readByDay(daily: Daily): number[] {
  const days = Map.groupBy(
    daily.filter(({ channel }) => channelTraits[channel].hasReadReceipts),
    ({ day }) => day,
  )
  return [...days.entries()]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .flatMap(([, entries]) => {
      const sum = sumFates(entries.map((day) => ({ ...day, delivered: day.delivered - day.read })))
      return sharesOf(sum)?.read ?? []
    })
}

/** The chart's title: its peak. */
export function findingOf(days: readonly ChartDay[]): { day: string; count: number } | undefined {
  const sums = days.map(({ day, byChannel }) => ({
    day,
    count: [...byChannel.values()].reduce((sum, count) => sum + count, 0),
  }))
  const most = sums.reduce((best, one) => (one.count > best.count ? one : best), { day: '', count: 0 })
  return most.count > 0 ? most : undefined
}

/** How long the balance lasts at the spend of these days. */
export function runwayDays({
  balance,
  spent,
  days,
}: {
  balance: number
  spent: number
  days: number
}): number | undefined {
  if (spent <= 0) return undefined
  return Math.floor(balance / (spent / days))
}
