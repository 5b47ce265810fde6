import clsx from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatPercent, formatPoints } from '../lib/format.ts'
import { Sparkline } from './charts/sparkline.tsx'
import { Skeleton } from './skeleton.tsx'

export type Kpi = {
  label: string
  value: ReactNode
  /** The exact value, as a tooltip. */
  full?: string | undefined
  /** Change from the previous period, or other text. */
  change?: ReactNode
  line?: number[]
}

const columns = {
  4: 'md:grid-cols-4',
  5: 'md:grid-cols-3 xl:grid-cols-5',
  6: 'md:grid-cols-3 xl:grid-cols-6',
} as const

/** A strip of numbers; placeholders while loading. */
export function KpiStrip({ kpis, count }: { kpis: readonly Kpi[] | undefined; count: keyof typeof columns }) {
  return (
    <dl
      aria-busy={!kpis}
      className={clsx(
        'grid grid-cols-2 overflow-hidden rounded-lg border border-border bg-card [&>div]:-mt-px [&>div]:-ml-px [&>div]:border-t [&>div]:border-l [&>div]:border-line',
        columns[count],
      )}
    >
      {kpis
        ? kpis.map((kpi) => <KpiTile key={kpi.label} {...kpi} />)
        : Array.from({ length: count }, (_, index) => (
            <div key={index} className="flex flex-col gap-2.5 px-4 pt-4 pb-3.5">
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
      <dd className="mt-1 truncate text-metric font-semibold tabular-nums" title={full}>
        {value}
      </dd>
      <dd className="mt-0.5 flex h-5 items-center justify-between gap-2">
        {change}
        {line ? <Sparkline values={line} /> : null}
      </dd>
    </div>
  )
}

/** Relative change from the previous period. */
export function Growth({ now, before }: { now: number; before: number }) {
  if (before <= 0) return <Delta>{now > 0 ? 'none before' : ''}</Delta>
  const change = now / before - 1
  return (
    <Delta up={change > 0} down={change < 0}>
      {formatPercent(Math.abs(change))}
    </Delta>
  )
}

type PointsProps = { now: number | undefined; before: number | undefined; good: 'up' | 'down' }

/** Change of a share in points, and whether it is good. */
export function Points({ now, before, good }: PointsProps) {
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
