import { expect, test } from 'vitest'
import { branchCosts } from './branch-costs.ts'

test('the costs of both channels add up to the shown total', () => {
  const legs = [{ cost: 4.825 }, { cost: 3.125 }]
  expect(branchCosts({ cost: 7.95, legs })).toEqual({ least: 4.83, more: 3.12, most: 7.95 })
})
