import { figuresOf, sharesOf } from '@carillon/contract/figures'
import type { useApi } from '../../lib/use-api.ts'
import { formatCompact, formatCount, formatMoney, formatMoneyCompact, formatKnownShare } from '../../lib/format.ts'
import { Failure } from '../../ui/failure.tsx'
import { Growth, KpiStrip, Points, type Kpi } from '../../ui/kpi-strip.tsx'
import { sharesByDay, sumsOf, type Counts } from './daily.ts'

type CountsRead = ReturnType<typeof useApi<'dashboard.statusCounts'>>

/** One framed strip, split by hairlines. */
export function Kpis({ counts }: { counts: CountsRead }) {
  if (counts.error && !counts.data) {
    return <Failure error={counts.error} onRetry={() => void counts.refetch()} />
  }
  return <KpiStrip count={6} kpis={counts.data ? kpisOf(counts.data) : undefined} />
}

function kpisOf({ total, previous, daily }: Counts): Kpi[] {
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
    {
      label: 'Failed',
      value: formatKnownShare(now?.failed),
      full: formatCount(figures.failed),
      change: <Points now={now?.failed} before={before?.failed} good="down" />,
      line: sharesByDay(daily, 'failed'),
    },
    {
      label: 'Replies',
      value: formatCompact(total.replied),
      full: formatCount(total.replied),
      change: <Growth now={total.replied} before={previous.replied} />,
    },
    {
      label: 'Opt-outs',
      value: formatCompact(total.optedOut),
      full: formatCount(total.optedOut),
      change: <Growth now={total.optedOut} before={previous.optedOut} />,
    },
    {
      label: 'Spend',
      value: formatMoneyCompact(total.cost),
      full: formatMoney(total.cost),
      change: <Growth now={total.cost} before={previous.cost} />,
      line: sumsOf(daily, 'cost'),
    },
  ]
}
