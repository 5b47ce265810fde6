import { expect, test } from 'vitest'
import { typedAmount } from './typed-amount.ts'

test.each([
  ['₹1,23,456.50', 123_456.5],
  [' 500 ', 500],
  ['12.345', undefined],
  ['-5', undefined],
  ['', undefined],
  ['12345678901', undefined],
])('%s is read as %s', (typed, rupees) => {
  expect(typedAmount(typed)).toBe(rupees)
})
