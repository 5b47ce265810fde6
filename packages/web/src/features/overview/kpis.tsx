import { figuresOf, sharesOf } from '@carillon/contract/figures'
import { useApi } from '../../lib/use-api.ts'
import { TriangleAlert } from 'lucide-react'
import {
  countOf,
  formatCompact,
  formatCount,
  formatMoney,
  formatMoneyCompact,
  formatKnownShare,
} from '../../lib/format.ts'
import { Failure } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Growth, KpiStrip, Points, type Kpi } from '../../ui/kpi-strip.tsx'
import { readable, readByDay, sharesByDay, sumsOf, type Counts } from './daily.ts'

type CountsRead = ReturnType<typeof useApi<'dashboard.statusCounts'>>

const few = 5

/** One framed strip with dividers. */
export function Kpis({ counts }: { counts: CountsRead }) {
  const balance = useApi('balance.overview', { query: { days: 7 } }, { refetchInterval: 60_000 })
  const daysLeft = balance.data?.isOwn ? balance.data.runwayDays : undefined
  if (counts.error && !counts.data) {
    return <Failure error={counts.error} onRetry={() => void counts.refetch()} />
  }
  return (
    <Loaded at={counts.dataUpdatedAt} isStale={counts.isError}>
      <KpiStrip count={6} kpis={counts.data ? kpisOf(counts.data, daysLeft) : undefined} />
    </Loaded>
  )
}

function kpisOf(counts: Counts, daysLeft: number | undefined): Kpi[] {
  const { total, previous, daily } = counts
  const figures = figuresOf(total)
  const [now, before] = [sharesOf(total), sharesOf(previous)]
  return [
    {
      label: 'Sent',
      value: formatCompact(figures.sent),
      full: formatCount(figures.sent),
      change: <Growth now={total.submitted} before={previous.submitted} />,
      line: sumsOf(daily, 'submitted'),
    },
    {
      label: 'Delivered',
      value: formatKnownShare(now?.delivered),
      full: formatCount(figures.delivered),
      change: <Points now={now?.delivered} before={before?.delivered} good="up" />,
      line: sharesByDay(daily, 'delivered'),
    },
    readOrOptOuts(counts),
    {
      label: 'Replies',
      value: formatCompact(total.replied),
      full: formatCount(total.replied),
      change: <Growth now={total.replied} before={previous.replied} />,
    },
    {
      label: 'Failed',
      value: formatKnownShare(now?.failed),
      full: formatCount(figures.failed),
      change: <Points now={now?.failed} before={before?.failed} good="down" />,
      line: sharesByDay(daily, 'failed'),
    },
    {
      label: 'Spend',
      value: formatMoneyCompact(total.cost),
      full: formatMoney(total.cost),
      change:
        daysLeft === undefined || daysLeft >= few ? (
          <Growth now={total.cost} before={previous.cost} />
        ) : (
          <DaysLeft days={daysLeft} />
        ),
      line: sumsOf(daily, 'cost'),
    },
  ]
}

/** The opt-out figure replaces the read figure if no message could have a read receipt. */
function readOrOptOuts({ channels, previousChannels, total, previous, daily }: Counts): Kpi {
  const now = readable(channels)
  if (!now) {
    return {
      label: 'Opt-outs',
      value: formatCompact(total.optedOut),
      full: formatCount(total.optedOut),
      change: <Growth now={total.optedOut} before={previous.optedOut} />,
    }
  }
  const before = readable(previousChannels)
  return {
    label: 'Read',
    value: formatKnownShare(sharesOf(now)?.read),
    full: formatCount(now.read),
    change: <Points now={sharesOf(now)?.read} before={before && sharesOf(before)?.read} good="up" />,
    line: readByDay(daily),
  }
}

/** More important than the change in spend. */
function DaysLeft({ days }: { days: number }) {
  return (
    <span className="inline-flex items-center gap-1 text-caption whitespace-nowrap text-warning-text">
      <TriangleAlert aria-hidden data-size className="size-3 stroke-2!" />
      {days < 1 ? 'Less than a day left' : `${countOf(Math.floor(days), 'day')} left`}
    </span>
  )
}
