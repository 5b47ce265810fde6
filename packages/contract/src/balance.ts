import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'

/** The current price of one part or message. */
export const EffectiveRate = z.object({
  channel: Channel,
  /** `*`: every category without its own price. */
  category: z.string(),
  /** ISO 3166 two letters; `*`: every country without its own price. */
  country: z.string(),
  price: Rupees,
  billableOn: z.enum(['sent', 'delivered']),
  /** First day of the rate card. */
  asOf: z.string(),
})
export type EffectiveRate = z.infer<typeof EffectiveRate>

export const balanceEndpoints = defineEndpoints({
  'balance.get': {
    route: 'GET /api/v1/balance/getBalance',
    summary: 'The available balance in rupees, excluding holds',
    roles: anyRole,
    scope: 'balance:read',
    data: z.object({ balance: Rupees, held: Rupees }),
    fallback: 'Failed to fetch balance.',
  },
  'rates.list': {
    route: 'GET /api/balance/rates',
    summary: 'The prices an account pays now: its organisation’s rate card, else the nearest one above it',
    roles: anyRole,
    scope: 'balance:read',
    query: z.object({ channel: Channel.optional(), userId: Id.optional() }),
    data: z.object({ rates: z.array(EffectiveRate) }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
