import type { SendWindow } from '@carillon/contract/campaign-records'
import { hoursIn } from '../checks/send-window.ts'
import type { PlannedLeg } from './campaign-plan.ts'
import type { CountryPrices } from '../checks/country-prices.ts'

type LegOfAll = Omit<PlannedLeg, 'country' | 'range' | 'price' | 'billableOn' | 'estimated' | 'starters' | 'window'> & {
  window: SendWindow | undefined
}

/** One leg per country, with its price and its hours; an audience of a single country needs no range. */
export function legsByCountry({ window, ...leg }: LegOfAll, { countries }: CountryPrices): PlannedLeg[] {
  return countries.map(({ country, people, lo, hi, rate, cost }) => ({
    ...leg,
    starters: leg.entrance ? 0 : people,
    country,
    ...(countries.length > 1 ? { range: { lo, hi } } : {}),
    window: window && hoursIn(country, window),
    price: rate?.price ?? 0,
    billableOn: rate?.billableOn ?? 'sent',
    estimated: cost,
  }))
}
