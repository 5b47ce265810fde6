import { expect, test } from 'vitest'
import { splitLines } from './country-split.ts'

const india = { country: 'IN', parts: 900, price: 0.88 }
const america = { country: 'US', parts: 100, price: 2.1 }
const nowhere = { country: '001', parts: 3, price: null }

test.each([
  [
    [america, india],
    ['India 900 × ₹0.88', 'United States 100 × ₹2.10'],
  ],
  [
    [america, india, nowhere],
    ['India 900 × ₹0.88', 'and 2 more countries'],
  ],
  [[nowhere], ['International numbers 3 × no price']],
])('the countries of an audience stand in two lines', (prices, lines) => {
  expect(splitLines(prices, 2)).toEqual(lines)
})
