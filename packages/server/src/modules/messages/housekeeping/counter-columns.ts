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

/** The counters that follow from the messages of a day. Replies belong to people. */
export const reportColumns = counterColumns.filter((name) => name !== 'replied')
