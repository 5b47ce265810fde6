import type { SendWindow } from '@carillon/contract/campaign-records'
import type { AudienceCount } from '../checks/count-audience.ts'
import type { CountryPrices } from '../checks/country-prices.ts'
import type { SharedLimit } from '../checks/daily-limit.ts'
import type { Choices, ChosenLeg } from './load-draft.ts'
import type { SendingDay } from './split-days.ts'

export type PricedLeg = ChosenLeg & { count: AudienceCount; prices: CountryPrices }

/** A draft counted over every row of its audience and priced, with its times. */
export type PricedCampaign = {
  choices: Choices
  legs: [PricedLeg, ...PricedLeg[]]
  /** Ledger units: the most that all legs together can cost. */
  cost: number
  available: number
  /** How many people the first leg's sender may write to; undefined is no limit. */
  daily: SharedLimit | undefined
  /** Its parts, where it is split over days. */
  days: readonly SendingDay[]
  window: SendWindow | undefined
  /** When it would start. */
  now: Date
  beginsAt: Date
  endsAt: Date
  durationSeconds: number
}
