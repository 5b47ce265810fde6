import type { LegResult } from '@carillon/contract/campaign-records'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import { channelTraits } from '@carillon/contract/channels/table'
import { letterOfLeg, withoutVariants } from '../ab-tests/variant-legs.ts'

/** Recipients counted by one number of a campaign's report. */
export type ShownRecipients = { leg?: number; result: LegResult } | { both: true } | { leg?: number; clicked: true }

const ofLeg: Record<LegResult, string> = {
  starters: 'Began with',
  entered: 'Fell back to',
  sent: 'Sent by',
  delivered: 'Delivered by',
  read: 'Read on',
  failed: 'Failed on',
  expired: 'Expired on',
  skipped: 'Skipped on',
}
const ofAll: Record<LegResult, string> = {
  starters: 'Began',
  entered: 'Fell back',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
  expired: 'Expired',
  skipped: 'Skipped',
}

/** Names the recipients by result and message. Legs of the same channel are distinguished by their position. */
export function describeShown(shown: ShownRecipients, legs: CampaignDetail['legs']): string {
  if ('both' in shown) return 'Delivered twice or more'
  if ('clicked' in shown) return ['Clicked', letterTextOf(shown.leg, legs)].filter(Boolean).join(', ')
  const { leg, result } = shown
  if (leg === undefined) return ofAll[result]
  const found = legs.find((each) => each.leg === leg)
  if (!found) return `${ofLeg[result]} message ${leg + 1}`
  const letter = letterOfLeg(leg, legs)
  if (letter) return result === 'starters' ? `Began with message ${letter}` : `${ofAll[result]}, message ${letter}`
  const own = withoutVariants(legs)
  const isOnly = own.filter(({ channel }) => channel === found.channel).length === 1
  return `${ofLeg[result]} ${channelTraits[found.channel].label}${isOnly ? '' : `, message ${own.indexOf(found) + 1}`}`
}

/** 'message B' of a test. */
function letterTextOf(leg: number | undefined, legs: CampaignDetail['legs']): string | undefined {
  const letter = leg === undefined ? undefined : letterOfLeg(leg, legs)
  return letter && `message ${letter}`
}

/** As a query of the list and of its file. */
export function queryOf(shown: ShownRecipients | undefined) {
  if (!shown) return {}
  if ('both' in shown) return { both: 'true' as const }
  const { leg } = shown
  return 'clicked' in shown ? { clicked: 'true' as const, ...(leg === undefined ? {} : { leg }) } : shown
}
