import { expect, test } from 'vitest'
import {
  formatAmount,
  formatMoney,
  formatUnitPrice,
  plainAmount,
  roundToPaise,
  spreadPaise,
  spreadRupees,
} from './money.ts'

test.each([
  ['an amount with four decimals', formatMoney(636.125), '₹636.13'],
  ['a large amount', formatMoney(47_755.035), '₹47,755.04'],
  ['half a paisa of a debit', formatMoney(-0.125), '-₹0.13'],
  ['less than half a paisa of a debit', formatMoney(-0.004), '₹0.00'],
  ['what a float cannot hold exactly', formatMoney(1.005), '₹1.01'],
  ['an amount without its sign', formatAmount(150_000.5), '1,50,000.50'],
  ['a price of four decimals', formatUnitPrice(0.1105), '₹0.1105'],
  ['a price of a whole rupee', formatUnitPrice(1), '₹1.00'],
  ['an amount for a program', plainAmount(-1234.5), '-1234.50'],
])('%s', (_, shown, expected) => {
  expect(shown).toBe(expected)
})

test.each([
  [
    [1250, 1250, 1250],
    [1300, 1300, 1200],
  ],
  [
    [49, 49, 49],
    [100, 0, 0],
  ],
  [
    [-1250, 2500],
    [-1200, 2500],
  ],
  [[], []],
])('rows of %j add up to their rounded sum', (units, expected) => {
  const spread = spreadPaise(units)
  expect(spread).toEqual(expected)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  expect(sum(spread)).toBe(roundToPaise(sum(units)))
})

test('in rupees: ₹2.50 and ₹0.625 become ₹3.12 or ₹3.13, as the total says', () => {
  expect(spreadRupees([2.5, 0.625])).toEqual([2.5, 0.63])
  expect(spreadRupees([2.5, 0.625], 3.12)).toEqual([2.5, 0.62])
})

test('rows add up to a total that differs by a paisa or more', () => {
  expect(spreadPaise([1250, 1250], 2700)).toEqual([1400, 1300])
  expect(spreadPaise([1250, 1250], 2300)).toEqual([1200, 1100])
})
