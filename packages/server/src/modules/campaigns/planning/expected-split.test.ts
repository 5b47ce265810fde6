import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBitmap, setBit } from '../../../lib/bitmap.ts'
import { allDelivered, expectSplit, type ExpectedResults, type SplitTerms } from './expected-split.ts'

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

function build({ people, starts, legs }: Drawn) {
  const members = createBitmap(people)
  for (const [seq, start] of starts.entries()) if (start < 0) setBit(members, seq)
  const terms: SplitTerms[] = legs.map(({ cells, ...leg }, index) => ({
    ...leg,
    costOf: (seq) => cells[seq],
    isStart: (seq) => starts[seq] === index,
  }))
  return { terms, known: { people, skipped: [{ leg: 0, reason: 'opted_out' as const, members }] } }
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
  const follows = () => false
  const ends = [
    { reason: 'expired', share: 0.3 },
    { reason: 'number_unreachable', share: 0.1 },
  ]
  const { legs, range } = expectSplit(
    [
      {
        costOf: every(2, false),
        isStart: () => true,
        enterReasons: [],
        results: { accepted: 1, notFailed: 0.6, delivered: 0.6, ends },
      },
      { costOf: every(10, true), isStart: follows, enterReasons: ['number_unreachable'], results: allDelivered },
      {
        costOf: every(5, true),
        isStart: follows,
        enterReasons: ['number_unreachable', 'expired'],
        results: allDelivered,
      },
    ],
    { people: 100, skipped: [] },
  )
  expect(legs).toEqual([
    { starters: 100, people: 100, delivered: 60, cost: 120 },
    { starters: 0, people: 10, delivered: 10, cost: 100 },
    { starters: 0, people: 30, delivered: 30, cost: 150 },
  ])
  // One message each: the cheapest is the first; the most expensive is the third after the second failed at its cost.
  expect(range).toEqual({ minimum: 0, reachedFrom: 200, reachedTo: 1500, expected: 370, maximum: 1700 })
})
