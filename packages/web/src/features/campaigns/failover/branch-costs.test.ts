import { expect, test } from 'vitest'
import { branchCosts } from './branch-costs.ts'

test('the costs of both channels add up to the shown total', () => {
  const legs = [{ cost: 4.825 }, { cost: 3.125 }]
  expect(branchCosts({ cost: 7.95, legs })).toEqual({ least: 4.83, later: [3.12], most: 7.95 })
})

test('with three channels the last one takes up what rounding left', () => {
  const legs = [{ cost: 4.825 }, { cost: 3.125 }, { cost: 1.005 }]
  const { least, later, most } = branchCosts({ cost: 8.955, legs })
  expect(later).toHaveLength(2)
  expect(least + later.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(most, 9)
})
