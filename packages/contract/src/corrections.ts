import type { RejectReason } from './audience.ts'

/** Reasons for which another number can be entered in place of the cell. */
export const correctableReasons: ReadonlySet<RejectReason> = new Set<RejectReason>([
  'empty',
  'not_a_number',
  'too_short',
  'too_long',
  'invalid_country',
  'impossible',
  'scientific_notation',
])
