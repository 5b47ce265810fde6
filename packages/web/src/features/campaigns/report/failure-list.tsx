import type { Channel } from '@carillon/contract/channels'
import { CircleCheck } from 'lucide-react'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { Empty } from '../../../ui/empty.tsx'

type Failure = {
  reason: string
  channel?: Channel
  title: string
  advice: string
  count: number
  /** Share of all failures. */
  share: number
  /** The operator's code, if the reader may see it. */
  codes?: readonly { code: string; count: number }[]
}

/** Failure reasons with advice, most frequent first. */
export function FailureList({ failures }: { failures: readonly Failure[] }) {
  if (failures.length === 0) return <Empty icon={CircleCheck} title="No failures" />
  return (
    <ul className="flex flex-col divide-y divide-line">
      {failures.map((group) => (
        <li key={`${group.channel} ${group.reason}`} className="flex flex-col gap-1 py-3">
          <div className="flex items-baseline gap-3">
            <h3 className="min-w-0 flex-1 font-medium">{group.title}</h3>
            <span className="font-medium tabular-nums">{formatCount(group.count)}</span>
            <span className="w-14 text-right text-muted-foreground tabular-nums">{formatPercent(group.share)}</span>
          </div>
          <p className="text-dense text-muted-foreground">{group.advice}</p>
          <p className="flex flex-wrap gap-x-3 text-caption text-muted-foreground">
            {(group.codes ?? []).map(({ code, count }) => (
              <span key={code} className="font-mono tracking-normal">
                {code} × {formatCount(count)}
              </span>
            ))}
          </p>
        </li>
      ))}
    </ul>
  )
}
