import { expect, test } from 'vitest'
import { countByCategory, daysBack, everyDay, formatCost, totalsOf } from './analytics-sums.ts'

const prices = [
  { category: 'MARKETING', type: 'REGULAR', volume: 100, cost: 78.46 },
  { category: 'UTILITY', type: 'REGULAR', volume: 20, cost: 2.3 },
  { category: 'UTILITY', type: 'FREE_CUSTOMER_SERVICE', volume: 40, cost: 0 },
]

test('what was free is counted as sent, not as charged', () => {
  const points = [
    { at: '2025-11-01', sent: 100, delivered: 96 },
    { at: '2025-11-02', sent: 60, delivered: 58 },
  ]
  const totals = totalsOf({ points, prices, currency: 'INR' })
  expect(totals).toEqual({ sent: 160, delivered: 154, charged: 120, cost: expect.closeTo(80.76) })
})

test('a category is summed over its kinds of price', () => {
  expect(countByCategory(prices, 'volume')).toEqual([
    { category: 'Marketing', value: 100 },
    { category: 'Utility', value: 60 },
  ])
})

test('costs stand in the currency of the account', () => {
  expect(formatCost(80.76, 'INR')).toBe('₹80.76')
  expect(formatCost(80.76, 'USD')).toBe('$80.76')
  expect(formatCost(80.76, '')).toBe('80.76')
})

test('seven days end today', () => {
  expect(daysBack(new Date('2025-11-07T12:00:00Z'), 7)).toEqual({ from: '2025-11-01', to: '2025-11-07' })
})

test('a day without messages is a day, wherever the account begins its days', () => {
  const points = [
    { at: '2025-11-03T18:30:00.000Z', sent: 5, delivered: 4 },
    { at: '2025-11-05T18:30:00.000Z', sent: 2, delivered: 2 },
  ]
  const days = everyDay(points, { from: '2025-11-02', to: '2025-11-06' })
  expect(days.map(({ at, sent }) => [at.slice(0, 10), sent])).toEqual([
    ['2025-11-02', 0],
    ['2025-11-03', 5],
    ['2025-11-04', 0],
    ['2025-11-05', 2],
  ])
  expect(everyDay([], { from: '2025-11-02', to: '2025-11-06' })).toEqual([])
})
