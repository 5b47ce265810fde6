import { expect, test } from 'vitest'
import { formatShortage } from './rupees.ts'

const units = (rupees: number) => Math.round(rupees * 10_000)

test.each([
  ['reads as on screens', 30_000, 24_078.375, { short: '5,921.62', needed: '30,000.00', available: '24,078.38' }],
  ['is never rounded up to enough', 100, 99.996, { short: '0.01', needed: '100.00', available: '99.99' }],
])('what is available of a balance that is short %s', (_, needed, available, expected) => {
  expect(formatShortage(units(needed), units(available))).toEqual(expected)
})
