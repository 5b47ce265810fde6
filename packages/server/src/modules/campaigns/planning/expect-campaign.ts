import type { ExpectedSplit } from '@carillon/contract/campaign-drafts'
import type { Db } from '../../../db/pool.ts'
import { hasBit } from '../../../lib/bitmap.ts'
import { toRupees } from '../../balance/index.ts'
import { restGroup, type Groups } from '../ab-tests/draw-groups.ts'
import type { BeginningAt } from './beginnings.ts'
import type { Entrance } from './campaign-plan.ts'
import { expectResults, type Expectation } from './expected-results.ts'
import { expectSplit, type RecipientCost, type Split, type SplitTerms } from './expected-split.ts'
import type { PricedLeg, PricedShare } from './priced-campaign.ts'
import type { LegRole } from './split-leg.ts'

type Counted = {
  organizationId: string
  legs: readonly PricedLeg[]
  beginningAt: BeginningAt
  people: number
  hold: number
  /** Of a test. */
  groups: Groups | undefined
}

type ExpectedPricedLeg = Expectation & { priced: PricedLeg }

/** The expected people and cost of each leg, from the results of earlier messages where there are enough. */
export async function expectCampaign(
  db: Db,
  { organizationId, legs, beginningAt, people, hold, groups }: Counted,
): Promise<ExpectedSplit> {
  const expected: ExpectedPricedLeg[] = []
  for (const [index, priced] of legs.entries()) {
    const later = legs.slice(index + 1)
    expected.push({ priced, ...(await expectResults(db, { leg: priced, later, organizationId })) })
  }
  const tested = groups
    ? expectTest(expected, { people, beginningAt, groups })
    : { ...expectLegs(expected, { people, beginningAt }), rest: 0 }
  return {
    legs: expected.map(({ priced, basis }, index) => ({
      leg: priced.position,
      ...presentLeg(tested.legs[index]),
      basis,
    })),
    range: presentRange({ ...tested.range, maximum: hold }),
    excluded: tested.excluded,
    rest: tested.rest,
  }
}

function expectLegs(expected: readonly ExpectedPricedLeg[], { people, beginningAt }: Omit<Tested, 'groups'>): Split {
  const [only, ...others] = expected
  const whole = only && others.length === 0 ? splitWhole(only, people) : undefined
  return (
    whole ??
    expectSplit(
      expected.map(({ priced, results }) => termsOf(priced, results)),
      { people, beginningAt },
    )
  )
}

type Tested = Pick<Counted, 'people' | 'beginningAt'> & { groups: Groups }

/**
 * Recipients who get the winner of the test count beside the legs, as if the first variant won. The range covers the other ones.
 */
function expectTest(
  expected: readonly ExpectedPricedLeg[],
  { people, beginningAt, groups }: Tested,
): Split & { rest: number } {
  const terms = expected.map(({ priced, results }) => termsOf(priced, results))
  const [first] = expected
  if (!first) throw new Error('A test has variants')
  const { legs, range, excluded } = expectSplit([termsOf(first.priced, first.results, 'rest'), ...terms], {
    people,
    beginningAt(seq) {
      const beginning = beginningAt(seq)
      if (beginning < 0) return beginning
      return beginning === 0 && groups.groupAt(seq) === restGroup ? 0 : beginning + 1
    },
  })
  const [rest, ...own] = legs
  const [cost = 0, ...others] = restCosts(expected.map(({ priced }) => priced))
  return {
    legs: own,
    excluded,
    rest: rest?.starters ?? 0,
    range: {
      ...range,
      reachedFrom: range.reachedFrom + Math.min(0, ...others.map((other) => other - cost)),
      reachedTo: range.reachedTo + Math.max(0, ...others.map((other) => other - cost)),
    },
  }
}

/** The cost of each variant of a test if it is sent to the recipients who get the winner; empty without a test. */
export function restCosts(legs: readonly Pick<PricedLeg, 'shares'>[]): number[] {
  return legs
    .map(({ shares }) => shares.filter(({ role }) => role === 'rest'))
    .filter((shares) => shares.length > 0)
    .map((shares) => shares.reduce((sum, { prices }) => sum + prices.cost, 0))
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

/** Of the recipients who get the winner of a test, or of all others. */
function termsOf(
  { count, shares, entrance }: PricedLeg,
  results: SplitTerms['results'],
  role: LegRole = 'start',
): SplitTerms {
  const { parts, category, categories } = count.rows
  const own = shares.filter((share) => (share.role === 'rest') === (role === 'rest'))
  const priced = own.map((share) => ({ ...share, rateAt: rateFinder(share) }))
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
