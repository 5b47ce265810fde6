import type { Estimate } from '@carillon/contract/campaign-drafts'
import { roundRupees } from '@carillon/contract/money'

export type BranchCosts = {
  /** If no message fails over. */
  least: number
  /** The additional cost of each later leg, if every message fails over to it. */
  later: readonly number[]
  most: number
}

/** Whether some recipients begin with a later leg, so that the first one is not for everyone. */
export function isDivided({
  legs: [, ...later],
}: {
  legs: readonly Pick<Estimate['legs'][number], 'starters'>[]
}): boolean {
  return later.some(({ starters }) => starters > 0)
}

/** The costs of a campaign with failover, rounded so that they add up to the paisa. */
export function branchCosts({
  cost,
  legs,
}: {
  cost: number
  legs: readonly Pick<Estimate['legs'][number], 'cost'>[]
}): BranchCosts {
  const [first, ...others] = legs
  const least = roundRupees(first?.cost ?? cost)
  const most = roundRupees(cost)
  let left = roundRupees(most - least)
  const later = others.map((leg, index) => {
    const own = index === others.length - 1 ? left : Math.min(left, roundRupees(leg.cost))
    left = roundRupees(left - own)
    return own
  })
  return { least, later, most }
}
