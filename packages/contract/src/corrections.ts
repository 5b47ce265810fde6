import type { RejectReason } from './audience.ts'

/** Reasons for which a corrected number can be entered. */
export const correctableReasons: ReadonlySet<RejectReason> = new Set<RejectReason>([
  'empty',
  'not_a_number',
  'too_short',
  'too_long',
  'invalid_country',
  'impossible',
  'scientific_notation',
])
