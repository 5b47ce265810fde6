import type { Channel } from '@carillon/contract/channels'
import type { Provider } from './provider.ts'
import { httpGateway } from './sms/http-gateway/http-gateway.ts'
import { smpp } from './sms/smpp/smpp.ts'

/** Who can carry messages: one line a provider. */
const providers = [erase(smpp), erase(httpGateway)]

export function listProviders(channel: Channel): Provider<unknown>[] {
  return providers.filter((provider) => provider.channel === channel)
}

export function findProvider(name: string): Provider<unknown> | undefined {
  return providers.find((provider) => provider.name === name)
}

/**
 * Forgets a provider's own config type. Sound because a config reaches `connect` and `webhook` only after the same
 * provider's schema has parsed it.
 */
function erase<Config>(provider: Provider<Config>): Provider<unknown> {
  return provider as unknown as Provider<unknown>
}
