import { figuresOf, sharesOf, sumFates } from '@carillon/contract/figures'
import { Channel } from '@carillon/contract/channels'
import { defaultChannels } from '@carillon/contract/constants'
import { spreadPaise } from '@carillon/contract/money'
import type { AccountUsage, StatusCounts } from '@carillon/contract/reports'
import type { z } from 'zod'
import type { CallData } from '../../lib/call.ts'
import type { Cell } from '../../lib/csv.ts'
import { daysBetween } from '../../lib/days.ts'
import {
  formatCount,
  formatCalendarDay,
  formatKnownShare,
  formatMoney,
  formatShare,
  roundRupees,
} from '../../lib/format.ts'
import type { DayRange } from '../../lib/url-state.ts'
import { channelLabel } from '../../channels/channel-mark.tsx'

export type Usage = CallData<'reports.teamUsage'>
export type Counts = z.infer<typeof StatusCounts>

/** Maximum number of bars; in longer ranges each covers several days. */
const mostBars = 62

const nothing: Counts = {
  submitted: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  unconfirmed: 0,
  pending: 0,
  replied: 0,
  optedOut: 0,
  cost: 0,
}

/** The channels to show: the selected one, else those with messages and the default one. */
export function channelsOf(usage: Usage, chosen: Channel | 'any'): Channel[] {
  if (chosen !== 'any') return [chosen]
  const used = new Set(usage.daily.filter(({ submitted }) => submitted > 0).map(({ channel }) => channel))
  return Channel.options.filter((channel) => channel === defaultChannels.campaigns || used.has(channel))
}

export type UsageRow = Omit<AccountUsage, 'channels' | 'total'> & { cells: Counts[]; total: Counts }

/** A row per account with one cell per channel; shares refer to what is shown. */
export function rowsOf(usage: Usage, channels: readonly Channel[]): { rows: UsageRow[]; sum: UsageRow } {
  const rows = usage.accounts.map(({ channels: counted, ...account }) => {
    const cells = channels.map((channel) => counted[channel] ?? nothing)
    return { ...account, cells, total: cells.reduce(add, nothing) }
  })
  const wholes = channels.map((channel) =>
    usage.daily.filter((day) => day.channel === channel).reduce((sum, day) => addDay(sum, day), nothing),
  )
  const exact = wholes.reduce(add, nothing)
  const total = { ...exact, cost: roundRupees(exact.cost) }
  const costs = shownCosts(
    rows.map((row) => row.total.cost),
    exact.cost,
  )
  const withShares = rows.map((row, index) => ({
    ...row,
    total: { ...row.total, cost: costs[index] ?? 0 },
    share: total.submitted === 0 ? 0 : row.total.submitted / total.submitted,
  }))
  return {
    rows: withShares.toSorted((a, b) => b.total.submitted - a.total.submitted),
    sum: { userId: 'sum', name: 'All', username: '', type: 'manager', share: 1, daily: [], cells: wholes, total },
  }
}

const unitsPerRupee = 10_000

/** In whole paise that add up to the displayed total. */
function shownCosts(costs: readonly number[], total: number): number[] {
  const units = costs.map((cost) => Math.round(cost * unitsPerRupee))
  const isWhole = units.reduce((sum, cost) => sum + cost, 0) === Math.round(total * unitsPerRupee)
  return isWhole ? spreadPaise(units).map((cost) => cost / unitsPerRupee) : costs.map(roundRupees)
}

function add(a: Counts, b: Counts): Counts {
  return {
    ...sumFates([a, b]),
    pending: a.pending + b.pending,
    replied: a.replied + b.replied,
    optedOut: a.optedOut + b.optedOut,
    cost: a.cost + b.cost,
  }
}

function addDay(sum: Counts, day: Usage['daily'][number]): Counts {
  return add(sum, {
    ...nothing,
    submitted: day.submitted,
    sent: day.sent,
    delivered: day.delivered,
    failed: day.failed,
    unconfirmed: day.unconfirmed,
    cost: day.cost,
  })
}

export type UsageBar = DayRange & { label: string; values: number[] }

/** The days of a range as bars without gaps, a value for each channel. */
export function barsOf(
  usage: Usage,
  { range, channels }: { range: DayRange; channels: readonly Channel[] },
): UsageBar[] {
  const days = daysBetween(range)
  const perBar = Math.ceil(days.length / mostBars)
  const byDay = Map.groupBy(usage.daily, ({ day }) => day.slice(0, 10))
  const bars: UsageBar[] = []
  for (let first = 0; first < days.length; first += perBar) {
    const group = days.slice(first, first + perBar)
    const [from = '', to = from] = [group[0], group.at(-1)]
    const entries = group.flatMap((day) => byDay.get(day) ?? [])
    bars.push({
      from,
      to,
      label: formatCalendarDay(from),
      values: channels.map((channel) =>
        entries.reduce((sum, entry) => sum + (entry.channel === channel ? entry.submitted : 0), 0),
      ),
    })
  }
  return bars
}

/** The table as shown, as CSV. */
export function usageCsv(usage: Usage, { channels, who }: { channels: readonly Channel[]; who: string }): Cell[][] {
  const { rows, sum } = rowsOf(usage, channels)
  const heads = channels.flatMap((channel) =>
    ['messages', 'delivered', 'failed'].map((name) => `${channelLabel(channel)} ${name}`),
  )
  const lineOf = (row: UsageRow): Cell[] => [
    row.name,
    row.username,
    ...row.cells.flatMap((cell) => [cell.submitted, figuresOf(cell).delivered, cell.failed]),
    row.total.submitted,
    { value: row.total.cost, decimals: 2 },
    Math.round(row.share * 1000) / 10,
  ]
  return [[who, 'Username', ...heads, 'Messages', 'Spend (₹)', 'Share (%)'], ...rows.map(lineOf), lineOf(sum)]
}

/** A row as a sentence. */
export function explain({ name, total, share, daily }: UsageRow, whole: Counts): string {
  if (total.submitted === 0) return `${name} sent nothing.`
  const busiest = daily.reduce((most, day) => (day.submitted > most.submitted ? day : most), { day: '', submitted: 0 })
  const isMost = busiest.submitted > total.submitted / 2
  const when = busiest.day === '' ? '' : `, ${isMost ? 'mostly' : 'the most'} on ${formatCalendarDay(busiest.day)}`
  const failing = sharesOf(total)?.failed ?? 0
  const failed = failing > 0.1 ? ` ${formatKnownShare(failing)} failed.` : ''
  const part = whole.submitted === total.submitted ? 'everything' : formatShare(share, 1)
  return `${name} sent ${part}: ${formatCount(total.submitted)} for ${formatMoney(total.cost)}${when}.${failed}`
}
