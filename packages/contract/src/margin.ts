import { z } from 'zod'
import { Day, Id, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'

/** What messages of accounts below earned a reseller: `charged - cost` is `margin`, in whole paise. */
const earned = {
  /** What those below were charged, by the reseller's prices; refunds taken off. */
  charged: Rupees,
  /** What the reseller was charged for the same messages. */
  cost: Rupees,
  margin: Rupees,
}

export const CustomerMargin = z.object({
  /** Absent for messages of accounts that are below the reseller no more. */
  userId: Id.optional(),
  name: z.string(),
  ...earned,
})
export type CustomerMargin = z.infer<typeof CustomerMargin>

/** Whatever changed the balance in these days: `opening` and all of it add up to `closing`. */
export const MarginTotals = z.object({
  opening: Rupees,
  /** From the account above, what it took back taken off. */
  received: Rupees,
  /** To accounts below, what was taken back taken off. */
  given: Rupees,
  ...earned,
  /** Of messages that the reseller itself sent. */
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
