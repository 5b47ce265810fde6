import { z } from 'zod'
import { Day, Id, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'

/** A reseller's margin on messages of accounts below, in whole paise: `charged - cost = margin`. */
const earned = {
  /** Charged to accounts below at the reseller's prices, minus refunds. */
  charged: Rupees,
  /** Charged to the reseller for the same messages. */
  cost: Rupees,
  margin: Rupees,
}

export const CustomerMargin = z.object({
  /** Absent for messages of accounts no longer below the reseller. */
  userId: Id.optional(),
  name: z.string(),
  ...earned,
})
export type CustomerMargin = z.infer<typeof CustomerMargin>

/** All balance changes of the period; `opening` plus their sum is `closing`. */
export const MarginTotals = z.object({
  opening: Rupees,
  /** From the account above, minus deductions. */
  received: Rupees,
  /** To accounts below, minus deductions. */
  given: Rupees,
  ...earned,
  /** Cost of the reseller's own messages. */
  ownUse: Rupees,
  adjustments: Rupees,
  closing: Rupees,
})
export type MarginTotals = z.infer<typeof MarginTotals>

const days = z.object({ from: Day.optional(), to: Day.optional() })

export const marginEndpoints = defineEndpoints({
  'margin.list': {
    route: 'GET /api/balance/margin',
    summary: 'A reseller’s margin on messages of accounts below, by customer, and other balance changes',
    roles: ['reseller'],
    query: PageQuery.extend(days.shape),
    data: z.object({
      totals: MarginTotals,
      customers: z.array(CustomerMargin),
      total: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
    fallback: 'Failed to fetch balance.',
    addition: true,
  },
  'margin.csv': {
    route: 'GET /api/balance/margin/csv',
    summary: 'The margin by customer as CSV',
    roles: ['reseller'],
    query: days,
    data: 'file',
    fallback: 'Failed to download report',
    addition: true,
  },
})
