import type { Channel } from '@carillon/contract/channels'
import type { Db } from '../../../db/pool.ts'
import { priceCountries, type CountryPrices, type PricedCountry } from '../checks/country-prices.ts'
import type { PricedShare } from './priced-campaign.ts'
import type { LegShare } from './split-leg.ts'

/** Prices each share of a leg by its own category, and all of them together. */
export async function priceShares(
  db: Db,
  { organizationId, channel }: { organizationId: string; channel: Channel },
  shares: readonly LegShare[],
): Promise<{ shares: PricedShare[]; prices: CountryPrices }> {
  const priced: PricedShare[] = []
  for (const { category, role, members, countries } of shares)
    priced.push({
      category,
      role,
      members,
      prices: await priceCountries(db, { organizationId, channel, category }, countries),
    })
  return { shares: priced, prices: sumPrices(priced.map(({ prices }) => prices)) }
}

/** The rate of a country is that of its largest share. */
function sumPrices(all: readonly CountryPrices[]): CountryPrices {
  const [largest] = all.toSorted((one, other) => peopleIn(other) - peopleIn(one))
  const byCountry = Map.groupBy(
    all.flatMap(({ countries }) => countries),
    ({ country }) => country,
  )
  return {
    countries: [...byCountry.values()].flatMap((ofCountry) => sumCountries(ofCountry) ?? []),
    cost: all.reduce((sum, { cost }) => sum + cost, 0),
    unpriced: [...new Set(all.flatMap(({ unpriced }) => unpriced))],
    rate: largest?.rate,
  }
}

function peopleIn({ countries }: CountryPrices): number {
  return countries.reduce((sum, { people }) => sum + people, 0)
}

function sumCountries(shares: readonly PricedCountry[]): PricedCountry | undefined {
  const [largest] = shares.toSorted((one, other) => other.people - one.people)
  return (
    largest && {
      ...largest,
      people: shares.reduce((sum, { people }) => sum + people, 0),
      parts: shares.reduce((sum, { parts }) => sum + parts, 0),
      cost: shares.reduce((sum, { cost }) => sum + cost, 0),
    }
  )
}
