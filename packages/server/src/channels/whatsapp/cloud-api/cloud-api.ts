import type { Provider } from '../../provider.ts'
import type { WhatsappMessage } from '../message.ts'
import { CloudApiConfig } from './config.ts'
import { openManagement } from './management.ts'
import { openSession } from './session.ts'
import { openSignUp } from './sign-up.ts'
import { readWebhook } from './webhook.ts'

/** Meta's own API for WhatsApp: one account is a WhatsApp business account, each line one of its numbers. */
export const cloudApi: Provider<CloudApiConfig, WhatsappMessage> = {
  channel: 'whatsapp',
  name: 'cloud-api',
  label: 'WhatsApp Cloud API',
  description: 'Direct connection to Meta',
  config: CloudApiConfig,
  presets: [],
  // Meta accepts no idempotency key: a repeat is a second message.
  idempotent: () => false,
  connect: openSession,
  manage: openManagement,
  signUp: openSignUp,
  webhook: readWebhook,
}
