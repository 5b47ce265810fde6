import { expect, test } from 'vitest'
import { isBest } from './compared-figures.ts'

test.each([
  ['highest', [0.2, 0.5, undefined], [false, true, false]],
  ['lowest', [3, 1, 1], [false, true, true]],
  ['highest', [0.4, 0.4], [false, false]],
  ['lowest', [7, undefined], [false, false]],
  ['lowest', [0.12511, 0.12512, 0.3], [true, true, false]],
  [undefined, [1, 2], [false, false]],
] as const)('the %s of %j is marked', (best, values, marked) => {
  expect(values.map((value) => isBest({ format: 'unitPrice', ...(best ? { best } : {}) }, value, values))).toEqual(
    marked,
  )
})
