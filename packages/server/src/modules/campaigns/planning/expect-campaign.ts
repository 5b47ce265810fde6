import type { ExpectedSplit } from '@carillon/contract/campaign-drafts'
import type { Db } from '../../../db/pool.ts'
import { hasBit } from '../../../lib/bitmap.ts'
import { toRupees } from '../../balance/index.ts'
import type { Skipped } from './assign-recipients.ts'
import {
  expectSplit,
  allDelivered,
  type ExpectedResults,
  type RecipientCost,
  type SplitTerms,
} from './expected-split.ts'
import type { PricedLeg, PricedShare } from './priced-campaign.ts'

type Counted = { legs: readonly PricedLeg[]; skipped: readonly Skipped[]; people: number; hold: number }

/** The expected people and cost of each leg, from the results of earlier messages where there are enough. */
export async function expectCampaign(_db: Db, { legs, skipped, people, hold }: Counted): Promise<ExpectedSplit> {
  const {
    legs: expected,
    range,
    excluded,
  } = expectSplit(
    legs.map((leg) => termsOf(leg, allDelivered)),
    { people, skipped },
  )
  return {
    legs: legs.map(({ position, isReachKnown }, index) => {
      const { starters = 0, people: sent = 0, delivered = 0, cost = 0 } = expected[index] ?? {}
      return {
        leg: position,
        starters,
        expectedPeople: Math.round(sent),
        expectedDelivered: Math.round(delivered),
        expectedCost: toRupees(Math.round(cost)),
        basis: isReachKnown ? 'reach' : 'assumed',
      }
    }),
    range: {
      minimum: toRupees(range.minimum),
      reachedFrom: toRupees(range.reachedFrom),
      reachedTo: toRupees(range.reachedTo),
      expected: toRupees(range.expected),
      maximum: toRupees(hold),
    },
    excluded,
  }
}

function termsOf({ count, shares, entrance }: PricedLeg, results: ExpectedResults): SplitTerms {
  const { parts, category, categories } = count.rows
  const priced = shares.map((share) => ({ ...share, rateAt: rateFinder(share) }))
  /** The share that a recipient belongs to; none if a variable has no value. */
  const find = (seq: number) => {
    if ((parts[seq] ?? 0) === 0) return undefined
    const own = categories[category[seq] ?? 0]
    return priced.find((share) => share.category === own && (!share.members || hasBit(share.members, seq)))
  }
  return {
    enterReasons: entrance?.reasons ?? [],
    results,
    isStart: (seq) => find(seq)?.isStart ?? false,
    costOf(seq): RecipientCost | undefined {
      const rate = find(seq)?.rateAt(seq)
      return rate && { cost: rate.price * (parts[seq] ?? 0), isBilledOnSending: rate.isBilledOnSending }
    },
  }
}

/** The rate of a recipient's country, for positions in ascending order. */
function rateFinder({ prices: { countries } }: PricedShare) {
  const rates = countries.map(({ lo, hi, rate }) => ({
    lo,
    hi,
    price: rate?.price ?? 0,
    isBilledOnSending: (rate?.billableOn ?? 'sent') === 'sent',
  }))
  let last = rates[0]
  return (seq: number) => {
    if (last && seq >= last.lo && seq < last.hi) return last
    last = rates.find(({ lo, hi }) => seq >= lo && seq < hi)
    return last
  }
}
