import type { ExpectedSplit } from '@carillon/contract/campaign-drafts'
import type { Db } from '../../../db/pool.ts'
import { hasBit } from '../../../lib/bitmap.ts'
import { toRupees } from '../../balance/index.ts'
import type { BeginningAt } from './beginnings.ts'
import type { Entrance } from './campaign-plan.ts'
import { expectResults, type Expectation } from './expected-results.ts'
import { expectSplit, type RecipientCost, type Split, type SplitTerms } from './expected-split.ts'
import type { PricedLeg, PricedShare } from './priced-campaign.ts'

type Counted = {
  organizationId: string
  legs: readonly PricedLeg[]
  beginningAt: BeginningAt
  people: number
  hold: number
}

/** The expected people and cost of each leg, from the results of earlier messages where there are enough. */
export async function expectCampaign(
  db: Db,
  { organizationId, legs, beginningAt, people, hold }: Counted,
): Promise<ExpectedSplit> {
  const expected: (Expectation & { priced: PricedLeg })[] = []
  for (const [index, priced] of legs.entries()) {
    const later = legs.slice(index + 1)
    expected.push({ priced, ...(await expectResults(db, { leg: priced, later, organizationId })) })
  }
  const [only] = expected
  const split =
    (expected.length === 1 && only && splitWhole(only, people)) ||
    expectSplit(
      expected.map(({ priced, results }) => termsOf(priced, results)),
      { people, beginningAt },
    )
  return {
    legs: expected.map(({ priced, basis }, index) => ({
      leg: priced.position,
      ...presentLeg(split.legs[index]),
      basis,
    })),
    range: presentRange({ ...split.range, maximum: hold }),
    excluded: split.excluded,
    rest: 0,
  }
}

/** A single message that everyone with its values gets. Recipients were counted as it was measured, and are not walked again. */
function splitWhole(
  { priced: { count, shares }, results }: Expectation & { priced: PricedLeg },
  people: number,
): Split | undefined {
  const [share, ...others] = shares
  if (!share || share.members || others.length > 0) return undefined
  const { countries, cost } = share.prices
  const starters = people - count.missing
  const expected = countries.reduce(
    (sum, part) => sum + part.cost * (part.rate?.billableOn === 'delivered' ? results.notFailed : results.accepted),
    0,
  )
  return {
    legs: [{ starters, people: starters, delivered: starters * results.delivered, cost: expected }],
    excluded: count.missing,
    range: {
      minimum: 0,
      reachedFrom: cost,
      reachedTo: cost,
      expected: Math.min(cost, Math.round(expected)),
      maximum: cost,
    },
  }
}

const nothing = { starters: 0, people: 0, delivered: 0, cost: 0 }

function presentLeg({ starters, people, delivered, cost } = nothing) {
  return {
    starters,
    expectedPeople: Math.round(people),
    expectedDelivered: Math.round(delivered),
    expectedCost: toRupees(Math.round(cost)),
  }
}

function presentRange({ minimum, reachedFrom, reachedTo, expected, maximum }: Split['range']): ExpectedSplit['range'] {
  return {
    minimum: toRupees(minimum),
    reachedFrom: toRupees(reachedFrom),
    reachedTo: toRupees(reachedTo),
    expected: toRupees(expected),
    maximum: toRupees(maximum),
  }
}

function termsOf({ count, shares, entrance }: PricedLeg, results: SplitTerms['results']): SplitTerms {
  const { parts, category, categories } = count.rows
  const priced = shares.map((share) => ({ ...share, rateAt: rateFinder(share) }))
  /** The share that a recipient belongs to; none if a variable has no value. */
  const find = (seq: number) => {
    if ((parts[seq] ?? 0) === 0) return undefined
    const own = categories[category[seq] ?? 0]
    return priced.find((share) => share.category === own && (!share.members || hasBit(share.members, seq)))
  }
  return {
    enterReasons: entrance ? reasonsOf(entrance) : [],
    results,
    costOf(seq): RecipientCost | undefined {
      const rate = find(seq)?.rateAt(seq)
      return rate && costOfParts(rate, parts[seq] ?? 0)
    },
  }
}

/** A message that is given up or revoked in time leads on as one that was not delivered in time. */
function reasonsOf({ reasons, afterSeconds }: Entrance): readonly string[] {
  return afterSeconds === null ? reasons : [...reasons, 'expired', 'revoked']
}

type Rate = { price: number; isBilledOnSending: boolean; byParts: RecipientCost[] }

/** The same object for the same number of parts: an audience may have a million recipients. */
function costOfParts({ price, isBilledOnSending, byParts }: Rate, parts: number): RecipientCost {
  return (byParts[parts] ??= { cost: price * parts, isBilledOnSending })
}

/** The rate of a recipient's country; recipients of a country follow each other. */
function rateFinder({ prices: { countries } }: PricedShare) {
  const rates = countries.map(({ lo, hi, rate }): Rate & { lo: number; hi: number } => ({
    lo,
    hi,
    price: rate?.price ?? 0,
    isBilledOnSending: (rate?.billableOn ?? 'sent') === 'sent',
    byParts: [],
  }))
  let last = rates[0]
  return (seq: number) => {
    if (last && seq >= last.lo && seq < last.hi) return last
    last = rates.find(({ lo, hi }) => seq >= lo && seq < hi)
    return last
  }
}
