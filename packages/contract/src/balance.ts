import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'

/** What one part (SMS) or message costs an account today. */
export const EffectiveRate = z.object({
  channel: Channel,
  /** `*`: every category that has no price of its own. */
  category: z.string(),
  /** ISO 3166 two letters; `*`: every country that has no price of its own. */
  country: z.string(),
  price: Rupees,
  billableOn: z.enum(['sent', 'delivered']),
  /** Since when the card that says so is in force. */
  asOf: z.string(),
})
export type EffectiveRate = z.infer<typeof EffectiveRate>

export const balanceEndpoints = defineEndpoints({
  'balance.get': {
    route: 'GET /api/v1/balance/getBalance',
    summary: 'The available balance in rupees, excluding holds',
    roles: anyRole,
    data: z.object({ balance: Rupees, held: Rupees }),
    fallback: 'Failed to fetch balance.',
  },
  'rates.list': {
    route: 'GET /api/balance/rates',
    summary: 'The prices an account pays now: its organisation’s rate card, else the nearest one above it',
    roles: anyRole,
    query: z.object({ channel: Channel.optional(), userId: Id.optional() }),
    data: z.object({ rates: z.array(EffectiveRate) }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
