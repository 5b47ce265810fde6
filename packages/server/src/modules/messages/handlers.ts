import type { messageEndpoints } from '@carillon/contract/messages'
import type { Handlers } from '../../http/handlers.ts'
import { getSingle, messagesByNumber } from './reads/messages-by-number.ts'

const ninetyDaysMs = 90 * 86_400_000

export const messageHandlers: Handlers<typeof messageEndpoints> = {
  'messages.byNumber': ({ db, actor, input }) => {
    const { from, limit } = input.query
    const since = from ? new Date(from) : new Date(Date.now() - ninetyDaysMs)
    return messagesByNumber(db, { scope: actor.scope, phone: Number(input.path.number), from: since, limit })
  },
  'messages.get': ({ db, actor, input }) => getSingle(db, { scope: actor.scope, id: input.path.id }),
}
