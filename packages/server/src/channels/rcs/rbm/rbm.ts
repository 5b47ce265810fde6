import type { Provider } from '../../provider.ts'
import type { RcsMessage } from '../message.ts'
import { RbmConfig } from './config.ts'
import { manageBot } from './manage.ts'
import { openPartner } from './manage-partner.ts'
import { messageIdOf } from '../message-id.ts'
import { probe } from './probe.ts'
import { openSession } from './session.ts'
import { readWebhook } from './webhook.ts'

/** Google's RCS Business Messaging: one account is one bot. The service account is the installation's, for all bots. */
export const rbm: Provider<RbmConfig, RcsMessage> = {
  channel: 'rcs',
  name: 'rbm',
  label: 'RCS Business Messaging',
  description: 'Direct connection to Google, as its partner',
  config: RbmConfig,
  presets: [],
  externalIdOf: ({ agentId }) => agentId,
  // A message whose id was used before is ignored.
  idempotent: () => true,
  messageIdOf,
  revokes: { graceSeconds: 15 },
  connect: openSession,
  probe,
  manage: manageBot,
  partner: openPartner,
  webhook: readWebhook,
}
