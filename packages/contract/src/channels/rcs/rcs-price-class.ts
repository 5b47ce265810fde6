import { rcsLimits } from './rcs-limits.ts'

/** Classes by which operators bill RCS messages; the categories of its rate cards. `conversation`: a person for 24 hours, once. */
export const rcsPriceClasses = ['basic', 'single', 'conversation'] as const
export type RcsPriceClass = (typeof rcsPriceClasses)[number]

/** A text alone of at most 160 UTF-8 bytes is a basic message; anything else is a single message. */
export function priceClassOf(message: { text: string } | undefined): 'basic' | 'single' {
  return message !== undefined && utf8Length(message.text) <= rcsLimits.basicTextBytes ? 'basic' : 'single'
}

const encoder = new TextEncoder()

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length
}
