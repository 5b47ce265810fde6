import type { Provider } from '../../provider.ts'
import { messageIdOf } from '../message-id.ts'
import type { RcsMessage } from '../message.ts'
import { credentialsOf } from './api.ts'
import { DotgoConfig } from './config.ts'
import { probe } from './probe.ts'
import { openSession } from './session.ts'
import { templateCalls } from './templates.ts'
import { getToken } from './tokens.ts'
import { readWebhook } from './webhook.ts'

/** The platform of Dotgo, which Vi uses: one account is one bot, and its templates are reviewed. */
export const dotgo: Provider<DotgoConfig, RcsMessage> = {
  channel: 'rcs',
  name: 'dotgo',
  label: 'Dotgo, Vi RBM',
  description: 'An operator’s platform with registered templates',
  config: DotgoConfig,
  presets: [
    { name: 'vi', label: 'Vi', config: { serverUrl: 'https://api.virbm.in/rcs' } },
    { name: 'dotgo', label: 'Dotgo', config: { serverUrl: 'https://developer-api.dotgo.com' } },
  ],
  externalIdOf: ({ botId }) => botId,
  reviewsTemplates: true,
  ignoresTtl: true,
  // A repeat with the same id is delivered again.
  idempotent: () => false,
  messageIdOf,
  connect: openSession,
  probe,
  manage: (config, io) => ({
    access: {
      async check() {
        await getToken(credentialsOf(config, 'bot'), io)
        return { missing: [], expiresAt: null }
      },
    },
    templateReview: templateCalls(config, io),
  }),
  webhook: readWebhook,
}
