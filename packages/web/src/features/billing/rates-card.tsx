import { formatDate, formatUnitPrice } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { rateName, rateUnit } from '../../ui/rate-name.ts'
import { Region } from '../../ui/region.tsx'
import type { RatesRead } from './reads.ts'

/** Current prices, and since when they apply. */
export function RatesCard({ rates }: { rates: RatesRead }) {
  const since = rates.data?.rates
    .map(({ asOf }) => asOf)
    .toSorted()
    .at(-1)
  return (
    <Card title="Rate card" caption={since ? `as of ${formatDate(since)}` : undefined}>
      <Region read={rates} label="the rate card" lines={8}>
        {(data) =>
          data.rates.length === 0 ? (
            <p className="px-4 pb-4 text-muted-foreground">No prices are set. Ask your account manager.</p>
          ) : (
            <dl className="px-4 pb-4">
              {data.rates.map((rate) => (
                <div
                  key={`${rate.channel} ${rate.category} ${rate.country}`}
                  className="flex min-h-9 items-center gap-3 border-t border-line py-1.5 first:border-0"
                >
                  <dt className="min-w-0 flex-1">{rateName(rate)}</dt>
                  <dd className="whitespace-nowrap tabular-nums">
                    <b className="font-medium">{formatUnitPrice(rate.price)}</b>{' '}
                    <span className="text-dense text-muted-foreground">{rateUnit(rate)}</span>
                  </dd>
                </div>
              ))}
            </dl>
          )
        }
      </Region>
    </Card>
  )
}
