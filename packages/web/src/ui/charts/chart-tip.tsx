import { formatCount, formatShare } from '../../lib/format.ts'

type ChartTipProps = {
  title: string
  at: number
  series: readonly { id: string; label: string; color: string; values: readonly number[] }[]
  left: number
  /** Show on the left if there is no room on the right. */
  flip: boolean
  /** Each has a share of a whole. */
  sharesWhole: boolean
}

/** Tooltip with the values of a point. */
export function ChartTip({ title, at, series, left, flip, sharesWhole }: ChartTipProps) {
  const total = series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)
  return (
    <div
      role="status"
      className="pointer-events-none absolute top-2 z-5 min-w-40 rounded-lg bg-popover p-2.5 text-dense text-popover-foreground shadow-2"
      style={{ left, transform: flip ? 'translateX(calc(-100% - 12px))' : 'translateX(12px)' }}
    >
      <b className="mb-1 block">{title}</b>
      {series.map(({ id, label, color, values }) => (
        <p key={id} className="flex items-center gap-2 tabular-nums">
          <span className="size-2 rounded-full" style={{ background: color }} />
          <span className="flex-1 text-muted-foreground">{label}</span>
          <b>{formatCount(values[at] ?? 0)}</b>
          {sharesWhole ? (
            <span className="w-11 text-right text-muted-foreground">{formatShare(values[at] ?? 0, total)}</span>
          ) : null}
        </p>
      ))}
    </div>
  )
}
