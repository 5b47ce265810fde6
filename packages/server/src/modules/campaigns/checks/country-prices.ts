import type { Channel } from '@carillon/contract/channels'
import type { CountryPrice } from '@carillon/contract/campaign-drafts'
import type { Db } from '../../../db/pool.ts'
import type { CountryRange } from '../../audience/index.ts'
import { findRate, toRupees, type Rate } from '../../balance/index.ts'

/** The cost of a leg's messages in one country; `people` are its recipients. */
export type CountryCount = CountryRange & { people: number; parts: number }

export type PricedCountry = CountryCount & { rate: Rate | undefined; cost: number }

/** The totals of all countries. */
export type CountryPrices = {
  countries: PricedCountry[]
  cost: number
  /** Countries without a price. */
  unpriced: string[]
  /** The price in the country with most recipients; undefined if it has none. */
  rate: Rate | undefined
}

/** Counts by country while rows are read in the audience's order. */
export function createTally(ranges: readonly CountryRange[]): {
  add(seq: number, parts: number): void
  counts(): CountryCount[]
} {
  const counts = ranges.map((range) => ({ ...range, people: 0, parts: 0 }))
  let at = 0
  return {
    add(seq, parts) {
      while (at < counts.length - 1 && seq >= (counts[at]?.hi ?? 0)) at += 1
      const count = counts[at]
      if (!count) return
      count.people += 1
      count.parts += parts
    },
    counts: () => counts,
  }
}

/** Prices every country by the rate card in force for it. */
export async function priceCountries(
  db: Db,
  key: { organizationId: string; channel: Channel; category: string },
  counts: readonly CountryCount[],
): Promise<CountryPrices> {
  const countries: PricedCountry[] = []
  for (const count of counts) {
    const rate = await findRate(db, { ...key, country: count.country })
    countries.push({ ...count, rate, cost: count.parts * (rate?.price ?? 0) })
  }
  const [largest] = countries.toSorted((one, other) => other.hi - other.lo - (one.hi - one.lo))
  return {
    countries,
    cost: countries.reduce((sum, { cost }) => sum + cost, 0),
    unpriced: countries.flatMap(({ country, rate }) => (rate ? [] : [country])),
    rate: largest?.rate,
  }
}

export function presentPrices({ countries }: CountryPrices): CountryPrice[] {
  return countries.map(({ country, people, parts, rate, cost }) => ({
    country,
    people,
    parts,
    price: rate ? toRupees(rate.price) : null,
    cost: toRupees(cost),
  }))
}
