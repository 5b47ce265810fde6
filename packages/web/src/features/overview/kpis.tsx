import clsx from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { useApi } from '../../lib/use-api.ts'
import {
  formatCompact,
  formatCount,
  formatMoney,
  formatMoneyCompact,
  formatPercent,
  formatPoints,
  formatShare,
} from '../../lib/format.ts'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { sharesOf, sumsOf, type Counts } from './daily.ts'

type CountsRead = ReturnType<typeof useApi<'dashboard.statusCounts'>>

type Kpi = { label: string; value: string; full?: string; change?: ReactNode; line?: number[] }

/** One framed strip, split by hairlines. */
export function Kpis({ counts }: { counts: CountsRead }) {
  if (counts.error && !counts.data) {
    return <Failure error={counts.error} onRetry={() => void counts.refetch()} />
  }
  const kpis = counts.data ? kpisOf(counts.data) : undefined
  return (
    <dl
      aria-busy={!kpis}
      className="grid grid-cols-2 overflow-hidden rounded-lg border border-border bg-card md:grid-cols-3 xl:grid-cols-6 [&>div]:-mt-px [&>div]:-ml-px [&>div]:border-t [&>div]:border-l [&>div]:border-line"
    >
      {kpis
        ? kpis.map((kpi) => <KpiTile key={kpi.label} {...kpi} />)
        : Array.from({ length: 6 }, (_, index) => (
            <div key={index} className="flex flex-col gap-3 px-4 py-4">
              <Skeleton className="w-14" />
              <Skeleton className="h-7 w-20" />
              <Skeleton className="w-12" />
            </div>
          ))}
    </dl>
  )
}

function KpiTile({ label, value, full, change, line }: Kpi) {
  return (
    <div className="min-w-0 px-4 pt-3.5 pb-3">
      <dt className="text-dense text-muted-foreground">{label}</dt>
      <dd className="mt-1 text-metric font-semibold tabular-nums" title={full}>
        {value}
      </dd>
      <dd className="mt-0.5 flex h-5 items-center justify-between gap-2">
        {change}
        {line ? <Sparkline values={line} /> : null}
      </dd>
    </div>
  )
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

function Growth({ now, before }: { now: number; before: number }) {
  if (before <= 0) return <Delta>{now > 0 ? 'none before' : ''}</Delta>
  const change = now / before - 1
  return (
    <Delta up={change > 0} down={change < 0}>
      {formatPercent(Math.abs(change))}
    </Delta>
  )
}

function Points({ now, before, good }: { now: number | undefined; before: number | undefined; good: 'up' | 'down' }) {
  if (now === undefined || before === undefined) return <Delta />
  const change = now - before
  if (Math.abs(change) < 0.0005) return <Delta>no change</Delta>
  const isGood = change > 0 === (good === 'up')
  return (
    <Delta up={change > 0} down={change < 0} tone={isGood ? 'text-success-text' : 'text-danger-text'}>
      {formatPoints(Math.abs(change)).replace('+', '')}
    </Delta>
  )
}

type DeltaProps = { up?: boolean; down?: boolean; tone?: string; children?: ReactNode }

function Delta({ up, down, tone = 'text-muted-foreground', children }: DeltaProps) {
  return (
    <span className={clsx('inline-flex items-center gap-1 text-caption whitespace-nowrap tabular-nums', tone)}>
      {up ? <ArrowUp aria-label="up" className="size-3 stroke-2!" /> : null}
      {down ? <ArrowDown aria-label="down" className="size-3 stroke-2!" /> : null}
      {children}
    </span>
  )
}
