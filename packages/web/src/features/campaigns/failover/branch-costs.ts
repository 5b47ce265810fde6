import type { Estimate } from '@carillon/contract/campaign-drafts'
import { roundRupees } from '@carillon/contract/money'

export type BranchCosts = {
  /** If no message fails over. */
  least: number
  /** The additional cost if every message fails over. */
  more: number
  most: number
}

/** The costs of a campaign with failover, rounded so that they add up to the paisa. */
export function branchCosts({
  cost,
  legs,
}: {
  cost: number
  legs: readonly Pick<Estimate['legs'][number], 'cost'>[]
}): BranchCosts {
  const least = roundRupees(legs[0]?.cost ?? cost)
  const most = roundRupees(cost)
  return { least, more: roundRupees(most - least), most }
}
