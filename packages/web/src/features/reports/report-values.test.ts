import { expect, test } from 'vitest'
import { formatCell, presentSum } from './report-values.ts'

test.each([
  [1234567, 'count', '12,34,567'],
  [0.1325, 'rupees', '0.1325'],
  [1234.5, 'rupees', '1,234.50'],
  [95.83, 'percent', '95.83'],
  ['2026-11-20', 'day', '2026-11-20'],
  ['919876543210', 'phone', '+91 98765 43210'],
] as const)('%s as %s', (value, unit, text) => {
  expect(formatCell(value, unit)).toBe(text)
})

test('a sum has its unit, and its label not', () => {
  expect(presentSum({ label: 'Cost (₹)', value: 1234.5, unit: 'rupees' })).toEqual({
    label: 'Cost',
    value: '₹1,234.50',
  })
  expect(presentSum({ label: 'Rows', value: 12480, unit: 'count' })).toEqual({ label: 'Rows', value: '12,480' })
})
