import clsx from 'clsx'
import { Fragment, type ReactNode } from 'react'
import { formatCount, formatPercent, formatShare } from '../../lib/format.ts'
import { Missing } from '../text.tsx'

export type Stage = {
  label: string
  /** Undefined if the channel does not report it, such as Read where there are no read receipts. */
  count: number | undefined
  /** Share of the total, 0 to 1, if rounded together with others; default: computed from the count. */
  share?: number | undefined
  tone: 1 | 2 | 3 | 4 | 'failed'
}

const fills = { 1: 'bg-seq-2', 2: 'bg-seq-3', 3: 'bg-seq-4', 4: 'bg-seq-5', failed: 'bg-destructive' } as const

type FunnelProps = {
  stages: readonly Stage[]
  total: number
  withCounts?: boolean
  /** Makes a count a link. */
  wrapCount?: (stage: Stage, text: string) => ReactNode
}

/** Horizontal rows: label, bar, count, share of the whole. */
export function Funnel({ stages, total, withCounts = true, wrapCount = (_, text) => text }: FunnelProps) {
  return (
    <dl
      className={clsx(
        'grid items-center gap-x-3 tabular-nums',
        withCounts ? 'grid-cols-[auto_minmax(0,1fr)_auto_auto]' : 'grid-cols-[auto_minmax(0,1fr)_auto]',
      )}
    >
      {stages.map((stage) => {
        const { label, count, share, tone } = stage
        return (
          <Fragment key={label}>
            <dt className="flex h-7 items-center text-muted-foreground">{label}</dt>
            <dd aria-hidden className="h-4">
              {count === undefined ? (
                <span className="block h-full w-full rounded-[3px] bg-track hatch" />
              ) : (
                <span
                  className={clsx(
                    'block h-full min-w-0.5 rounded-[3px]',
                    fills[tone],
                    tone === 1 && 'inset-ring inset-ring-foreground/20',
                  )}
                  style={{ width: `${total > 0 ? Math.min(100, (count / total) * 100) : 0}%` }}
                />
              )}
            </dd>
            {withCounts ? (
              <dd className="text-right font-medium">
                {count === undefined ? '' : wrapCount(stage, formatCount(count))}
              </dd>
            ) : null}
            <dd className="min-w-12 text-right text-muted-foreground">
              {count === undefined ? (
                <Missing why="this channel has no read receipts" />
              ) : (
                shareText({ count, share }, total)
              )}
            </dd>
          </Fragment>
        )
      })}
    </dl>
  )
}

/** No share if the total is 0. */
function shareText({ count, share }: { count: number; share: number | undefined }, total: number): string {
  return share === undefined ? formatShare(Math.min(count, total), total) : formatPercent(share)
}
