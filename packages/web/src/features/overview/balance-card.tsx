import clsx from 'clsx'
import { formatMoney } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { Card } from '../../ui/card.tsx'
import { countOf } from '../../lib/format.ts'
import { runwayDays } from './daily.ts'
import { Region } from '../../ui/region.tsx'

type CountsRead = ReturnType<typeof useApi<'dashboard.statusCounts'>>

/** What is left, and how long it lasts at the pace of the range. */
export function BalanceCard({ counts, days }: { counts: CountsRead; days: number }) {
  const balance = useApi('balance.get', {}, { refetchInterval: 60_000 })
  return (
    <Card title="Balance">
      <Region read={balance} label="the balance" lines={2}>
        {(data) => (
          <div className="px-4 pb-4">
            <div className="flex items-baseline justify-between gap-3">
              <span className="text-title font-semibold tabular-nums">{formatMoney(data.balance)}</span>
              <Runway
                left={
                  counts.data ? runwayDays({ balance: data.balance, spent: counts.data.total.cost, days }) : undefined
                }
              />
            </div>
            {data.held > 0 ? (
              <p className="mt-1 text-dense text-muted-foreground tabular-nums">
                {formatMoney(data.held)} more is on hold for campaigns that run
              </p>
            ) : null}
          </div>
        )}
      </Region>
    </Card>
  )
}

function Runway({ left }: { left: number | undefined }) {
  if (left === undefined) return null
  return (
    <span className={clsx('text-dense', left < 5 ? 'text-warning-text' : 'text-muted-foreground')}>
      {left > 365 ? 'over a year at this pace' : `${countOf(left, 'day')} at this pace`}
    </span>
  )
}
