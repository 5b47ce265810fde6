import type { PlannedLeg } from './campaign-plan.ts'
import type { CountryPrices } from '../checks/country-prices.ts'

/** A leg for each country, at its price; people of a single country need no range. */
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
