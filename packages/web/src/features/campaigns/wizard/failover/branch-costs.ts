import { roundRupees } from '@carillon/contract/money'

export type BranchCosts = {
  /** Everyone is reached over WhatsApp. */
  least: number
  /** What the SMS add if everyone falls back. */
  more: number
  most: number
}

/** The costs of a campaign with fallback, rounded so that they add up to the paisa. */
export function branchCosts({ cost, failoverCost }: { cost: number; failoverCost: number }): BranchCosts {
  const least = roundRupees(cost - failoverCost)
  const most = roundRupees(cost)
  return { least, more: roundRupees(most - least), most }
}
