/** The counters of a leg: by current status; everything the provider ever accepted; parts; money in ledger units. */
export const counterColumns = [
  'submitted',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'unknown',
  'unconfirmed',
  'replied',
  'parts',
  'cost',
  'refunded',
] as const
