import type { MessageStatus } from '@carillon/contract/campaign-records'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chargeOf, merge, type Evidence } from '../../messages/reports/evidence.ts'
import {
  allDelivered,
  expectSplit,
  type ExpectedResults,
  type RecipientCost,
  type SplitTerms,
} from './expected-split.ts'

const reasons = ['number_unreachable', 'expired', 'not_delivered_in_time', 'opted_out']

const share = fc.double({ min: 0, max: 1, noNaN: true })
const results: fc.Arbitrary<ExpectedResults> = fc
  .record({ accepted: share, delivered: share, weights: fc.tuple(share, share, share) })
  .map(({ accepted, delivered, weights }) => {
    const sum = Math.max(
      1,
      weights.reduce((total, weight) => total + weight, 0),
    )
    const ends = weights.map((weight, index) => ({ reason: reasons[index] ?? '', share: weight / sum }))
    return { accepted, notFailed: Math.min(accepted, delivered), delivered: Math.min(accepted, delivered) / 2, ends }
  })

const cell = fc.option(fc.record({ cost: fc.nat({ max: 50_000 }), isBilledOnSending: fc.boolean() }), {
  nil: undefined,
})
const campaign = fc.integer({ min: 1, max: 30 }).chain((people) =>
  fc.record({
    people: fc.constant(people),
    starts: fc.array(fc.integer({ min: -2, max: 3 }), { minLength: people, maxLength: people }),
    legs: fc.array(
      fc.record({
        cells: fc.array(cell, { minLength: people, maxLength: people }),
        enterReasons: fc.subarray(reasons),
        results,
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
)

type Drawn = typeof campaign extends fc.Arbitrary<infer Value> ? Value : never

function build(drawn: Drawn) {
  const terms: SplitTerms[] = drawn.legs.map(({ cells, ...leg }) => ({ ...leg, costOf: (seq) => cells[seq] }))
  return { terms, known: { people: drawn.people, beginningAt: (seq: number) => firstOf(drawn, seq) } }
}

/** Recipients who are skipped begin where opt-outs lead to. */
function firstOf({ starts, legs }: Drawn, seq: number): number {
  const start = starts[seq] ?? -1
  if (start >= 0) return legs[start]?.cells[seq] ? start : -1
  return legs.findIndex(({ cells, enterReasons }, leg) => leg > 0 && enterReasons.includes('opted_out') && cells[seq])
}

test('the amounts are in order, and every recipient begins with one leg or is left out', () => {
  fc.assert(
    fc.property(campaign, (drawn) => {
      const { terms, known } = build(drawn)
      const { legs, excluded, range } = expectSplit(terms, known)
      expect(range.minimum).toBeLessThanOrEqual(range.reachedFrom)
      expect(range.reachedFrom).toBeLessThanOrEqual(range.reachedTo)
      expect(range.reachedTo).toBeLessThanOrEqual(range.maximum)
      expect(range.minimum).toBeLessThanOrEqual(range.expected)
      expect(range.expected).toBeLessThanOrEqual(range.maximum)
      expect(legs.reduce((sum, { starters }) => sum + starters, 0) + excluded).toBe(drawn.people)
      for (const leg of legs) {
        expect(leg.people).toBeGreaterThanOrEqual(leg.starters - 1e-9)
        expect(leg.people).toBeLessThanOrEqual(drawn.people + 1e-9)
        expect(leg.delivered).toBeLessThanOrEqual(leg.people + 1e-9)
      }
    }),
  )
})

test('if every message is delivered, the expected cost is that of the legs with which recipients begin', () => {
  fc.assert(
    fc.property(campaign, (drawn) => {
      const { terms, known } = build(drawn)
      const sure = terms.map((leg) => ({ ...leg, results: allDelivered }))
      const { legs, range } = expectSplit(sure, known)
      for (const leg of legs) expect(leg.people).toBe(leg.starters)
      expect(range.expected).toBeGreaterThanOrEqual(range.reachedFrom)
      expect(range.expected).toBeLessThanOrEqual(range.reachedTo)
    }),
  )
})

test('recipients who fail over are sent to on the first later leg that accepts the end of their message', () => {
  const every = (cost: number, isBilledOnSending: boolean) => () => ({ cost, isBilledOnSending })
  const ends = [
    { reason: 'expired', share: 0.3 },
    { reason: 'number_unreachable', share: 0.1 },
  ]
  const { legs, range } = expectSplit(
    [
      {
        costOf: every(2, false),
        enterReasons: [],
        results: { accepted: 1, notFailed: 0.6, delivered: 0.6, ends },
      },
      { costOf: every(10, true), enterReasons: ['number_unreachable'], results: allDelivered },
      { costOf: every(5, true), enterReasons: ['number_unreachable', 'expired'], results: allDelivered },
    ],
    { people: 100, beginningAt: () => 0 },
  )
  expect(legs).toEqual([
    { starters: 100, people: 100, delivered: 60, cost: 120 },
    { starters: 0, people: 10, delivered: 10, cost: 100 },
    { starters: 0, people: 30, delivered: 30, cost: 150 },
  ])
  // One message each: the cheapest is the first; the most expensive is the third after the second failed at its cost.
  expect(range).toEqual({ minimum: 0, reachedFrom: 200, reachedTo: 1500, expected: 370, maximum: 1700 })
})

/** The messages that a recipient may get, in order. */
function costsOf(drawn: Drawn, seq: number): RecipientCost[] {
  const first = firstOf(drawn, seq)
  return first < 0 ? [] : drawn.legs.slice(first).flatMap(({ cells }) => cells[seq] ?? [])
}

/** Reports on one message in the order of their arrival, and whether its recipient gets the next one, for whatever reason. */
const events = fc.record({
  isRefused: fc.boolean(),
  reports: fc.shuffledSubarray<MessageStatus>(['sent', 'failed', 'delivered', 'read', 'sent', 'failed']),
  leadsOn: fc.boolean(),
})
type Events = typeof events extends fc.Arbitrary<infer Value> ? Value : never

function charged({ cost, isBilledOnSending }: RecipientCost, { isRefused, reports }: Omit<Events, 'leadsOn'>): number {
  if (isRefused) return 0
  const sent: Evidence = { status: 'sent', at: 0 }
  const { status } = reports.reduce<Evidence>((known, next, at) => merge(known, { status: next, at }), sent)
  return chargeOf(status, cost, isBilledOnSending ? 'sent' : 'delivered')
}

function chargedInAll(costs: readonly RecipientCost[], ofPerson: readonly Events[]): number {
  let sum = 0
  for (const [index, cost] of costs.entries()) {
    const ofMessage = ofPerson[index]
    if (!ofMessage) break
    sum += charged(cost, ofMessage)
    if (!ofMessage.leadsOn) break
  }
  return sum
}

const withEvents = campaign.chain((drawn) =>
  fc.record({
    drawn: fc.constant(drawn),
    happened: fc.array(fc.array(events, { minLength: 4, maxLength: 4 }), {
      minLength: drawn.people,
      maxLength: drawn.people,
    }),
  }),
)

test('the bill lies between minimum and maximum, whatever is reported and in whatever order', () => {
  fc.assert(
    fc.property(withEvents, ({ drawn, happened }) => {
      const { terms, known } = build(drawn)
      const { range } = expectSplit(terms, known)
      const bill = happened.reduce((sum, ofPerson, seq) => sum + chargedInAll(costsOf(drawn, seq), ofPerson), 0)
      expect(bill).toBeGreaterThanOrEqual(range.minimum)
      expect(bill).toBeLessThanOrEqual(range.maximum)
    }),
    { numRuns: 1000 },
  )
})

test('if each person is reached by one message, the bill lies in the narrower range; by the first one, it is the expected cost', () => {
  fc.assert(
    fc.property(withEvents, ({ drawn, happened }) => {
      const { terms, known } = build(drawn)
      const { range } = expectSplit(
        terms.map((leg) => ({ ...leg, results: allDelivered })),
        known,
      )
      let [bill, ofFirst] = [0, 0]
      for (const [seq, ofPerson] of happened.entries()) {
        const costs = costsOf(drawn, seq)
        // Messages before the one that arrives were refused, or failed after they were accepted.
        const last = Math.min(ofPerson.findIndex(({ leadsOn }) => !leadsOn) + 1, costs.length) - 1
        const arrives = costs.length === 0 ? undefined : Math.max(0, last)
        for (const [index, cost] of costs.entries()) {
          const isRefused = ofPerson[index]?.isRefused ?? true
          if (index === arrives) bill += charged(cost, { isRefused: false, reports: ['delivered'] })
          else if (index < (arrives ?? 0)) bill += charged(cost, { isRefused, reports: ['failed'] })
        }
        if (costs[0]) ofFirst += costs[0].cost
      }
      expect(bill).toBeGreaterThanOrEqual(range.reachedFrom)
      expect(bill).toBeLessThanOrEqual(range.reachedTo)
      expect(range.expected).toBe(ofFirst)
    }),
    { numRuns: 1000 },
  )
})
