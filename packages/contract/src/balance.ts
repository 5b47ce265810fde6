import { z } from 'zod'
import { Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'

export const balanceEndpoints = defineEndpoints({
  'balance.get': {
    route: 'GET /api/v1/balance/getBalance',
    summary: 'What the account can still spend, in rupees; amounts on hold are already taken off',
    roles: anyRole,
    data: z.object({ balance: Rupees, held: Rupees }),
    fallback: 'Failed to fetch balance.',
  },
})
