import { roundRupees } from '@carillon/contract/money'

/** The cost without fallback, with fallback for everyone, and the difference; rounded so that they add up to the paisa. */
export function branchCosts({ cost, failoverCost }: { cost: number; failoverCost: number }) {
  const least = roundRupees(cost - failoverCost)
  const most = roundRupees(cost)
  return { least, more: roundRupees(most - least), most }
}
