import type { ExpectedSplit } from '@carillon/contract/campaign-drafts'
import type { SendWindow } from '@carillon/contract/campaign-records'
import type { AudienceCount } from '../checks/count-audience.ts'
import type { CountryPrices } from '../checks/country-prices.ts'
import type { SharedLimit } from '../checks/daily-limit.ts'
import type { Skipped } from './assign-recipients.ts'
import type { Choices, ChosenLeg } from './load-draft.ts'
import type { LegShare } from './split-leg.ts'
import type { SendingDay } from './split-days.ts'

export type PricedLeg = ChosenLeg & {
  count: AudienceCount
  /** Its sender's provider told who can be reached. */
  isReachKnown: boolean
  /** Of all shares. */
  prices: CountryPrices
  /** Its recipients by rate category, and by how they get it. */
  shares: PricedShare[]
  /** Hours in which it sends: its own, or those of the campaign. */
  window: SendWindow | undefined
}

export type PricedShare = Omit<LegShare, 'countries'> & { prices: CountryPrices }

/** A draft counted over its audience and priced, with its times. */
export type PricedCampaign = {
  choices: Choices
  legs: [PricedLeg, ...PricedLeg[]]
  /** Messages skipped at the start; `leg` is an index of `legs`. */
  skipped: Skipped[]
  /** Ledger units: the maximum that all legs together can cost. */
  cost: number
  split: ExpectedSplit
  available: number
  /** How many people the first leg's sender may message; undefined for no limit. */
  daily: SharedLimit | undefined
  /** Its daily parts, if it is split over several days. */
  days: readonly SendingDay[]
  /** When it would start. */
  now: Date
  beginsAt: Date
  endsAt: Date
  durationSeconds: number
}
