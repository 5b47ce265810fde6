import type { CampaignStats } from '@carillon/contract/campaign-records'
import clsx from 'clsx'
import { formatCount, formatShare } from '../../lib/format.ts'
import { Missing } from '../../ui/text.tsx'

type Stage = { label: string; count: number; fill: string; hatch?: boolean }

/** How far the messages came: each stage as a share of what the provider took. SMS knows no reading. */
export function Funnel({ stats }: { stats: CampaignStats }) {
  const stages: Stage[] = [
    { label: 'Sent', count: stats.submitted, fill: 'bg-seq-2 ring-1 ring-foreground/20 ring-inset' },
    { label: 'Delivered', count: stats.delivered + stats.read, fill: 'bg-seq-3' },
    { label: 'Replied', count: stats.replied, fill: 'bg-seq-5' },
    { label: 'Failed', count: stats.failed, fill: 'bg-destructive', hatch: true },
  ]
  return (
    <ul className="grid grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-3 tabular-nums">
      {stages.map(({ label, count, fill, hatch }) => (
        <li key={label} className="contents">
          <span className="flex h-7 items-center">{label}</span>
          <span aria-hidden className="h-4">
            <span
              className={clsx('block h-full rounded-[3px]', fill, hatch && 'hatch')}
              style={{
                width: `${stats.submitted > 0 ? Math.min(100, (count / Math.max(1, stats.submitted)) * 100) : 0}%`,
                minWidth: count > 0 ? 2 : 0,
              }}
            />
          </span>
          <span className="text-right font-medium">{formatCount(count)}</span>
          <span className="min-w-12 text-right text-muted-foreground">{formatShare(count, stats.submitted)}</span>
        </li>
      ))}
      <li className="contents">
        <span className="flex h-7 items-center">Read</span>
        <span aria-hidden className="h-4 rounded-[3px] hatch" />
        <span className="text-right">
          <Missing why="SMS has no read receipts" />
        </span>
        <span />
      </li>
    </ul>
  )
}
