import { expect, test } from 'vitest'
import { branchCosts } from './branch-costs.ts'

test('the costs of both channels add up to the shown total', () => {
  expect(branchCosts({ cost: 7.95, failoverCost: 3.125 })).toEqual({ least: 4.83, more: 3.12, most: 7.95 })
})
