import { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { ChannelTraits } from '@carillon/contract/channels/traits'
import type { ServerChannel } from './channel.ts'
import type { OutboundMessage, Provider } from './provider.ts'
import { httpGateway } from './sms/http-gateway/http-gateway.ts'
import { smsChannel } from './sms/sms-channel.ts'
import { smpp } from './sms/smpp/smpp.ts'
import { cloudApi } from './whatsapp/cloud-api/cloud-api.ts'
import { whatsappChannel } from './whatsapp/whatsapp-channel.ts'

/** Undefined: the channel has no rules yet, and nothing is sent over it. */
const channels: Record<Channel, ServerChannel | undefined> = {
  sms: smsChannel,
  rcs: undefined,
  whatsapp: whatsappChannel,
  voice: undefined,
  email: undefined,
}

export function channelsWith(has: (traits: ChannelTraits) => boolean): Channel[] {
  return Channel.options.filter((channel) => has(channelTraits[channel]))
}

/** The channels whose recipients see a name from the template. */
export function channelsWithHeaderInTemplate(): Channel[] {
  return Channel.options.filter((channel) => channels[channel]?.isHeaderOfTemplate)
}

export function getChannel(channel: Channel): ServerChannel {
  const found = channels[channel]
  if (!found) throw new Error(`Sending over ${channel} is not supported`)
  return found
}

/** Who can carry messages: one line a provider. */
const providers = [erase(smpp), erase(httpGateway), erase(cloudApi)]

export function listProviders(channel: Channel): Provider<unknown>[] {
  return providers.filter((provider) => provider.channel === channel)
}

export function findProvider(name: string): Provider<unknown> | undefined {
  return providers.find((provider) => provider.name === name)
}

/**
 * Forgets a provider's own types. Sound because a config reaches `connect` and `webhook` only after the same provider's
 * schema has parsed it, and messages reach its session only from its own channel.
 */
function erase<Config, Message extends OutboundMessage>(provider: Provider<Config, Message>): Provider<unknown> {
  return provider as unknown as Provider<unknown>
}
