import type { CountryPrice } from '@carillon/contract/campaign-drafts'
import { spreadRupees } from '@carillon/contract/money'
import { countryName, partsLabel } from '../../../lib/country-split.ts'
import { formatMoney } from '../../../lib/format.ts'

type CountryLinesProps = {
  prices: readonly CountryPrice[]
  /** The displayed total, to which the lines add up. */
  total?: number
  shown?: boolean
}

/** Cost by country, highest first; empty for a single country. */
export function CountryLines({ prices, total, shown = true }: CountryLinesProps) {
  if (!shown || prices.length < 2) return null
  const sorted = prices.toSorted((one, other) => other.cost - one.cost)
  const costs = spreadRupees(
    sorted.map(({ cost }) => cost),
    total,
  )
  return sorted.map((price, index) => (
    <div
      key={price.country}
      className="flex min-h-8 items-center justify-between gap-3 border-b border-line pl-4 text-dense last:border-0"
    >
      <dt className="min-w-0 text-muted-foreground">{countryName(price.country)}</dt>
      <dd className="text-right">
        <span className="mr-3 text-muted-foreground">{partsLabel(price)}</span>
        {formatMoney(costs[index] ?? price.cost)}
      </dd>
    </div>
  ))
}

/** Cost by country, if there are several. */
export function CountryCosts({ prices }: { prices: readonly CountryPrice[] }) {
  if (prices.length < 2) return null
  return (
    <section aria-labelledby="countries-title">
      <h2 id="countries-title" className="mb-1 min-h-8 text-section font-semibold">
        Cost by country
      </h2>
      <dl className="max-w-140 border-y border-border tabular-nums">
        <CountryLines prices={prices} />
      </dl>
    </section>
  )
}
