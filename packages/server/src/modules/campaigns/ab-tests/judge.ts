import type { AbMetric } from '@carillon/contract/ab-tests'

/** The results of a variant among its people in the test. */
export type Measured = {
  people: number
  /** Includes read ones. */
  delivered: number
  read: number
  clicked: number
  replied: number
  /** Rupees. */
  cost: number
}

export type Verdict = {
  /** Index of the variant with the best value; null if none has a value above zero. */
  leader: number | null
  /** Whether it is better than every other one with a confidence of 95 %. */
  isCertain: boolean
}

/** A share of the people in the test, or rupees per reply; null without people or replies. */
export function valueOf(metric: AbMetric, { people, replied, cost, ...counts }: Measured): number | null {
  if (metric === 'cost_per_reply') return replied === 0 ? null : cost / replied
  if (people === 0) return null
  return (metric === 'replied' ? replied : counts[metric]) / people
}

/**
 * Compares the best variant with each other one by a test of two proportions with the adjustment of Agresti and Caffo (2000), and costs
 * per reply by the logarithm of their ratio. The level of significance is divided by the number of comparisons (Bonferroni), so that more
 * variants do not make a chance result certain.
 */
export function judge(metric: AbMetric, variants: readonly Measured[]): Verdict {
  const leader = leaderOf(metric, variants)
  const best = leader === null ? undefined : variants[leader]
  if (leader === null || !best) return { leader: null, isCertain: false }
  const others = variants.filter((_, index) => index !== leader)
  const limit = criticalValues[others.length - 1] ?? Infinity
  return { leader, isCertain: others.every((other) => distance(metric, best, other) > limit) }
}

/** Two-sided quantiles of the normal distribution for 5 % divided by one, two and three. */
const criticalValues = [1.96, 2.241, 2.394]

function leaderOf(metric: AbMetric, variants: readonly Measured[]): number | null {
  let [leader, best]: [number | null, number] = [null, 0]
  for (const [index, variant] of variants.entries()) {
    const value = valueOf(metric, variant)
    if (value === null) continue
    const isBetter = metric === 'cost_per_reply' ? leader === null || value < best : value > best
    if (isBetter) [leader, best] = [index, value]
  }
  return leader
}

/** In standard errors. */
function distance(metric: AbMetric, best: Measured, other: Measured): number {
  return metric === 'cost_per_reply' ? costDistance(best, other) : shareDistance(metric, best, other)
}

function shareDistance(metric: Exclude<AbMetric, 'cost_per_reply'>, best: Measured, other: Measured): number {
  const [one, two] = [adjusted(best.people, best[metric]), adjusted(other.people, other[metric])]
  return (one.share - two.share) / Math.sqrt(one.variance + two.variance)
}

function adjusted(people: number, count: number) {
  const share = (count + 1) / (people + 2)
  return { share, variance: (share * (1 - share)) / (people + 2) }
}

/** Half a reply is added to each, so that a variant without any can be compared. */
function costDistance(best: Measured, other: Measured): number {
  if (other.cost === 0) return 0
  const [one, two] = [logCost(best), logCost(other)]
  return (two.log - one.log) / Math.sqrt(one.variance + two.variance)
}

function logCost({ people, replied, cost }: Measured) {
  return { log: Math.log(cost / (replied + 0.5)), variance: Math.max(0, 1 / (replied + 0.5) - 1 / (people + 1)) }
}
