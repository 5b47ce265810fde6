import { formatDay, formatMoney } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { LazyAreaChart } from '../../ui/charts/lazy-area-chart.tsx'
import { Region } from '../../ui/region.tsx'
import type { OverviewRead } from './reads.ts'

/** Spend of thirty days; today is marked as incomplete. */
export function SpendChart({ overview }: { overview: OverviewRead }) {
  const spent = overview.data?.spent
  return (
    <Card title="Spend" caption={spent === undefined ? undefined : `${formatMoney(spent)} in the last 30 days`}>
      <Region read={overview} label="the spend" lines={9}>
        {({ daily }) =>
          daily.every((day) => day.spent === 0) ? (
            <p className="px-4 pb-4 text-muted-foreground">Nothing spent yet.</p>
          ) : (
            <div className="px-2 pb-3">
              <LazyAreaChart
                summary={`Spend by day, ${formatMoney(daily.reduce((sum, day) => sum + day.spent, 0))} in all`}
                points={daily.map(({ day }) => formatDay(`${day}T12:00:00Z`))}
                series={[
                  { id: 'spent', label: '₹ spent', color: 'var(--brand)', values: daily.map((day) => day.spent) },
                ]}
                partial="today so far"
              />
            </div>
          )
        }
      </Region>
    </Card>
  )
}
