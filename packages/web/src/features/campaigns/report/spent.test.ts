import { expect, test } from 'vitest'
import { reservedOf } from './spent.ts'

const detail = { held: 312.5, stats: { cost: 62.5 } }

test('what is charged after the detail was read is no longer reserved', () => {
  expect(reservedOf(detail, { status: 'running', stats: { cost: 62.5 } })).toBe(312.5)
  expect(reservedOf(detail, { status: 'running', stats: { cost: 92.4 } })).toBe(282.6)
  // ₹1.88 and ₹373.12, not ₹373.13.
  expect(reservedOf(detail, { status: 'running', stats: { cost: 1.875 } })).toBe(373.12)
  expect(reservedOf(detail, { status: 'paused', stats: { cost: 375 } })).toBe(0)
})

test('nothing is reserved for a campaign that has ended', () => {
  expect(reservedOf(detail, { status: 'completed', stats: { cost: 370 } })).toBe(0)
})
