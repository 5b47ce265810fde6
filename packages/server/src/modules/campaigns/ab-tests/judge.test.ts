import type { AbMetric } from '@carillon/contract/ab-tests'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judge, valueOf, type Measured } from './judge.ts'

const variant = (change: Partial<Measured>): Measured => ({
  people: 1000,
  delivered: 0,
  read: 0,
  clicked: 0,
  replied: 0,
  cost: 0,
  ...change,
})

test('a difference beyond chance is certain, and a small one is not', () => {
  const clicked = (...counts: number[]) =>
    judge(
      'clicked',
      counts.map((count) => variant({ clicked: count })),
    )
  expect(clicked(50, 90)).toEqual({ leader: 1, isCertain: true })
  expect(clicked(50, 60)).toEqual({ leader: 1, isCertain: false })
  expect(clicked(90, 50, 88)).toEqual({ leader: 0, isCertain: false })
  expect(clicked(90, 50, 55)).toEqual({ leader: 0, isCertain: true })
  expect(clicked(70, 70)).toEqual({ leader: 0, isCertain: false })
})

test('a result that two variants allow is not certain among four', () => {
  const counts = (...shown: number[]) =>
    judge(
      'read',
      shown.map((read) => variant({ read })),
    )
  expect(counts(500, 546)).toEqual({ leader: 1, isCertain: true })
  expect(counts(500, 546, 500, 500)).toEqual({ leader: 1, isCertain: false })
})

test('nothing measured names no leader', () => {
  for (const metric of ['delivered', 'read', 'clicked', 'replied', 'cost_per_reply'] as const)
    for (const people of [0, 1000])
      expect(judge(metric, [variant({ people }), variant({ people })])).toEqual({ leader: null, isCertain: false })
  expect(valueOf('delivered', variant({ people: 0 }))).toBeNull()
  expect(valueOf('cost_per_reply', variant({ cost: 5 }))).toBeNull()
})

test('the cheapest reply wins, also against a variant without replies', () => {
  const replies = (one: Partial<Measured>, two: Partial<Measured>) =>
    judge('cost_per_reply', [variant(one), variant(two)])
  expect(valueOf('cost_per_reply', variant({ cost: 150, replied: 60 }))).toBe(2.5)
  expect(replies({ cost: 150, replied: 60 }, { cost: 600, replied: 80 })).toEqual({ leader: 0, isCertain: true })
  expect(replies({ cost: 150, replied: 60 }, { cost: 160, replied: 66 })).toEqual({ leader: 1, isCertain: false })
  expect(replies({ cost: 150 }, { cost: 150, replied: 60 })).toEqual({ leader: 1, isCertain: true })
  expect(replies({ cost: 0, replied: 3 }, { cost: 0, replied: 2 })).toEqual({ leader: 0, isCertain: false })
})

test('the leader has the best value, and one variant alone is never certain against an equal one', () => {
  const measured = fc.nat(2000).chain((people) => {
    const part = fc.nat(people)
    return fc
      .record({ delivered: part, read: part, clicked: part, replied: part, cost: fc.nat(10_000) })
      .map((counts) => ({ people, ...counts }))
  })
  const metrics: AbMetric[] = ['delivered', 'read', 'clicked', 'replied', 'cost_per_reply']
  fc.assert(
    fc.property(fc.constantFrom(...metrics), fc.array(measured, { minLength: 2, maxLength: 4 }), (metric, variants) => {
      const { leader, isCertain } = judge(metric, variants)
      const values = variants.flatMap((one) => valueOf(metric, one) ?? [])
      if (leader === null) {
        expect(isCertain).toBe(false)
        return
      }
      const best = variants[leader]
      const value = best && valueOf(metric, best)
      expect(value).toBe(metric === 'cost_per_reply' ? Math.min(...values) : Math.max(...values))
      if (best) expect(judge(metric, [best, best]).isCertain).toBe(false)
    }),
  )
})
