/** Position of a variant in lists of legs; the first variant is the first leg of the draft. */
export function positionOfVariant(variant: number): number {
  return variant === 0 ? 0 : firstVariantPosition + variant - 1
}

/** The variant at a position; undefined for legs of a campaign without a test, except the first, and for failover legs. */
export function variantAt(position: number): number | undefined {
  if (position === 0) return 0
  return position < firstVariantPosition ? undefined : position - firstVariantPosition + 1
}

/** Above the positions of all other legs. */
const firstVariantPosition = 10

/** The name of a variant: A is the first message of the campaign. */
export function letterOfVariant(variant: number): string {
  return 'ABCD'.charAt(variant)
}
