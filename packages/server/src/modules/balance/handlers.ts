import type { balanceEndpoints } from '@carillon/contract/balance'
import type { Handlers } from '../../http/handlers.ts'
import { getBalance } from './get-balance.ts'
import { toRupees } from './rupees.ts'

export const balanceHandlers: Handlers<typeof balanceEndpoints> = {
  'balance.get': async ({ db, actor }) => {
    const { available, held } = await getBalance(db, {
      organizationId: actor.organizationId,
      accountId: actor.accountId,
    })
    return { balance: toRupees(available), held: toRupees(held) }
  },
}
