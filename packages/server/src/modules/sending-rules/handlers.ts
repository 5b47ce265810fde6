import type { sendingRulesEndpoints } from '@carillon/contract/sending-rules'
import type { Handlers } from '../../http/handlers.ts'
import { getSendingRules, updateSendingRules } from './sending-rules.ts'

export const sendingRulesHandlers: Handlers<typeof sendingRulesEndpoints> = {
  'sendingRules.get': ({ db, actor }) => getSendingRules(db, actor),
  'sendingRules.update': ({ db, actor, input }) => updateSendingRules(db, actor, input.body),
}
