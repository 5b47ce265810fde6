import clsx from 'clsx'
import { countOf, formatMoney } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { Card } from '../../ui/card.tsx'
import { Region } from '../../ui/region.tsx'

const few = 5

/** What is left, and how long it lasts at the pace of the last week. */
export function BalanceCard() {
  const overview = useApi('balance.overview', { query: { days: 7 } }, { refetchInterval: 60_000 })
  return (
    <Card title="Balance" caption={overview.data?.isOwn === false ? 'Shared with your organisation' : undefined}>
      <Region read={overview} label="the balance" lines={2}>
        {({ balance, held, isOwn, runwayDays }) => (
          <div className="px-4 pb-4">
            <div className="flex items-baseline justify-between gap-3">
              <span className="text-title font-semibold tabular-nums">{formatMoney(balance)}</span>
              {isOwn ? <Runway left={runwayDays} /> : null}
            </div>
            {held > 0 ? (
              <p className="mt-1 text-dense text-muted-foreground tabular-nums">
                {formatMoney(held)} more is on hold for campaigns that run
              </p>
            ) : null}
          </div>
        )}
      </Region>
    </Card>
  )
}

/** Only of a balance of one's own: others spend a shared one as well. */
function Runway({ left }: { left: number | undefined }) {
  if (left === undefined) return null
  const days = left < 1 ? 'less than a day' : left > 365 ? 'over a year' : countOf(Math.floor(left), 'day')
  return (
    <span className={clsx('text-dense', left < few ? 'text-warning-text' : 'text-muted-foreground')}>
      {days} at this week’s pace
    </span>
  )
}
