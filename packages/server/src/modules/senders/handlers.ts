import type { senderEndpoints } from '@carillon/contract/senders'
import type { Handlers } from '../../http/handlers.ts'
import { getChannelFlags, updateChannelFlags } from './channel-flags.ts'
import { listOwnFailedConnections } from './connection-failures.ts'

export const senderHandlers: Handlers<typeof senderEndpoints> = {
  'channels.get': ({ db, actor }) => getChannelFlags(db, actor),
  'channels.update': ({ db, actor, input }) => updateChannelFlags(db, actor, input.body),
  'channels.failedConnections': ({ db, actor }) => listOwnFailedConnections(db, actor.organizationId),
}
