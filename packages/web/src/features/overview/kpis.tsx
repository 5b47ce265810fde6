import type { useApi } from '../../lib/use-api.ts'
import { formatCompact, formatCount, formatMoney, formatMoneyCompact, formatShare } from '../../lib/format.ts'
import { Failure } from '../../ui/failure.tsx'
import { Growth, KpiStrip, Points, type Kpi } from '../../ui/kpi-strip.tsx'
import { sharesOf, sumsOf, type Counts } from './daily.ts'

type CountsRead = ReturnType<typeof useApi<'dashboard.statusCounts'>>

/** One framed strip, split by hairlines. */
export function Kpis({ counts }: { counts: CountsRead }) {
  if (counts.error && !counts.data) {
    return <Failure error={counts.error} onRetry={() => void counts.refetch()} />
  }
  return <KpiStrip count={6} kpis={counts.data ? kpisOf(counts.data) : undefined} />
}

function kpisOf({ total, previous, daily }: Counts): Kpi[] {
  const share = (part: number, of: number) => (of > 0 ? part / of : undefined)
  const delivered = share(total.delivered + total.read, total.submitted)
  const deliveredBefore = share(previous.delivered + previous.read, previous.submitted)
  const failed = share(total.failed, total.submitted)
  const failedBefore = share(previous.failed, previous.submitted)
  return [
    {
      label: 'Sent',
      value: formatCompact(total.submitted),
      full: formatCount(total.submitted),
      change: <Growth now={total.submitted} before={previous.submitted} />,
      line: sumsOf(daily, 'submitted'),
    },
    {
      label: 'Delivered',
      value: formatShare(total.delivered + total.read, total.submitted),
      full: formatCount(total.delivered + total.read),
      change: <Points now={delivered} before={deliveredBefore} good="up" />,
      line: sharesOf(daily, 'delivered'),
    },
    {
      label: 'Failed',
      value: formatShare(total.failed, total.submitted),
      full: formatCount(total.failed),
      change: <Points now={failed} before={failedBefore} good="down" />,
      line: sharesOf(daily, 'failed'),
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
