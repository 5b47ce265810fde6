import type { balanceEndpoints } from '@carillon/contract/balance'
import type { Handlers } from '../../http/handlers.ts'
import { getBalance } from './get-balance.ts'
import { listRates } from './list-rates.ts'
import { inPaise, toRupees } from './rupees.ts'

export const balanceHandlers: Handlers<typeof balanceEndpoints> = {
  'balance.get': async ({ db, actor }) => {
    const balance = await getBalance(db, { organizationId: actor.organizationId, accountId: actor.accountId })
    return { balance: toRupees(balance.available), held: toRupees(inPaise(balance).held) }
  },
  'rates.list': async ({ db, actor, input }) => {
    const { userId, channel } = input.query
    const rates = await listRates(db, { scope: actor.scope, accountId: userId, channel })
    return {
      rates: rates.map((rate) => ({ ...rate, price: toRupees(rate.price), asOf: rate.asOf.toISOString() })),
    }
  },
}
