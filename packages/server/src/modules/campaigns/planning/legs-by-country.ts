import type { PlannedLeg } from './campaign-plan.ts'
import type { CountryPrices } from '../checks/country-prices.ts'

/** One leg per country, with its price; an audience of a single country needs no range. */
export function legsByCountry(
  leg: Omit<PlannedLeg, 'country' | 'range' | 'price' | 'billableOn' | 'estimated'>,
  { countries }: CountryPrices,
): PlannedLeg[] {
  return countries.map(({ country, lo, hi, rate, cost }) => ({
    ...leg,
    country,
    ...(countries.length > 1 ? { range: { lo, hi } } : {}),
    price: rate?.price ?? 0,
    billableOn: rate?.billableOn ?? 'sent',
    estimated: cost,
  }))
}
