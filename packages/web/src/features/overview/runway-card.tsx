import { countOf, formatDay, formatMoney, formatMoneyInProse } from '../../lib/format.ts'
import type { useApi } from '../../lib/use-api.ts'
import { Card } from '../../ui/card.tsx'
import { LazyAreaChart } from '../../ui/charts/lazy-area-chart.tsx'
import { Region } from '../../ui/region.tsx'

type RunwayCardProps = {
  balance: ReturnType<typeof useApi<'balance.get'>>
  counts: ReturnType<typeof useApi<'dashboard.statusCounts'>>
  days: number
}

const dayMs = 86_400_000
const furthest = 60
const topUps = [50_000, 100_000, 250_000] as const

/** How long the balance lasts at the customers' current spend, and the effect of a top-up. */
export function RunwayCard({ balance, counts, days }: RunwayCardProps) {
  return (
    <Card title="Balance runway" caption="At your customers’ current spend">
      <Region read={balance} label="the runway" lines={5}>
        {({ balance: left }) => (
          <Runway left={left} perDay={(counts.data?.total.cost ?? 0) / days} now={balance.dataUpdatedAt} />
        )}
      </Region>
    </Card>
  )
}

function Runway({ left, perDay, now }: { left: number; perDay: number; now: number }) {
  if (perDay <= 0)
    return <p className="px-4 pb-4 text-muted-foreground">Your customers spent nothing in this period.</p>
  if (left <= 0)
    return (
      <p className="px-4 pb-4 text-warning-text">No balance left. Your accounts can still spend their own balances.</p>
    )
  const zero = left / perDay
  const length = Math.max(7, Math.min(furthest, Math.ceil(zero) + 2))
  const days = Array.from({ length }, (_, index) => now + index * dayMs)
  return (
    <div className="flex flex-col gap-3 px-4 pb-4">
      <p className="text-dense text-muted-foreground">
        {zero > 365
          ? `Over a year at ${formatMoneyInProse(perDay)} a day`
          : `${countOf(Math.floor(zero), 'day')} at ${formatMoneyInProse(perDay)} a day: until ${formatDay(now + zero * dayMs)}`}
      </p>
      <LazyAreaChart
        summary={`${formatMoney(left)} lasts ${Math.floor(zero)} days at ${formatMoney(perDay)} a day`}
        points={days.map((day) => formatDay(day))}
        series={[
          {
            id: 'balance',
            label: '₹ left',
            color: 'var(--brand)',
            dash: '5 4',
            values: days.map((_, index) => Math.max(0, left - index * perDay)),
          },
        ]}
        height={160}
        sharesWhole={false}
      />
      <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-dense tabular-nums">
        {topUps.map((amount) => (
          <div key={amount} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-muted-foreground">With {formatMoneyInProse(amount)} more</dt>
            <dd>+{countOf(Math.floor(amount / perDay), 'day')}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
