import { letterOfVariant, variantAt } from '@carillon/contract/variant-positions'

/** The legs of an estimate or report without the further messages of a test: the first one, and those it fails over to. */
export function withoutVariants<Leg extends { leg: number }>(legs: readonly Leg[]): Leg[] {
  return legs.filter(({ leg }) => leg === 0 || variantAt(leg) === undefined)
}

/** Whether there are messages of a test besides the first. */
export function hasVariants(legs: readonly { leg: number }[]): boolean {
  return withoutVariants(legs).length < legs.length
}

/** Its letter, if the campaign compares variants; undefined for failover legs. */
export function letterOfLeg(leg: number, legs: readonly { leg: number }[]): string | undefined {
  const variant = hasVariants(legs) ? variantAt(leg) : undefined
  return variant === undefined ? undefined : letterOfVariant(variant)
}
