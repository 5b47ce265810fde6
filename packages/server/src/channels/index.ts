import { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { ChannelTraits } from '@carillon/contract/channels/traits'
import type { LineRules } from './account-rules.ts'
import type { ServerChannel } from './channel.ts'
import type { OutboundMessage, Provider } from './provider.ts'
import type { ReviewRules } from './review-rules.ts'
import { dotgo } from './rcs/dotgo/dotgo.ts'
import { rbm } from './rcs/rbm/rbm.ts'
import { rcsChannel } from './rcs/rcs-channel.ts'
import { httpGateway } from './sms/http-gateway/http-gateway.ts'
import { smsChannel } from './sms/sms-channel.ts'
import { smpp } from './sms/smpp/smpp.ts'
import { decodeText } from './sms/smpp/text.ts'
import { cloudApi } from './whatsapp/cloud-api/cloud-api.ts'
import { whatsappChannel } from './whatsapp/whatsapp-channel.ts'

/** Undefined: the channel has no rules yet, and nothing can be sent on it. */
const channels: Record<Channel, ServerChannel | undefined> = {
  sms: smsChannel,
  rcs: rcsChannel,
  whatsapp: whatsappChannel,
  voice: undefined,
  email: undefined,
}

/** The channel on which customers send by SMPP, and its character sets. */
export const smppChannel = { channel: 'sms', decodeText } as const

export function channelsWith(has: (traits: ChannelTraits) => boolean): Channel[] {
  return Channel.options.filter((channel) => has(channelTraits[channel]))
}

/** The channels on which the name that recipients see is part of the template. */
export function channelsWithHeaderInTemplate(): Channel[] {
  return Channel.options.filter((channel) => channels[channel]?.isHeaderOfTemplate)
}

/** The channels on which messages can be sent. */
export function builtChannels(): Channel[] {
  return Channel.options.filter((channel) => channels[channel])
}

export function getChannel(channel: Channel): ServerChannel {
  const found = channels[channel]
  if (!found) throw new Error(`Sending over ${channel} is not supported`)
  return found
}

/** Whether templates of the channel can be compared with those of others, and so be in a family. */
export function canBeInFamily(channel: Channel): boolean {
  return channels[channel]?.summarize !== undefined
}

/** Whether the channel is on for organisations that have not configured it. */
export function isOnByDefault(channel: Channel): boolean {
  return channels[channel]?.isOnByDefault ?? false
}

export function getLineRules(channel: Channel): LineRules {
  const { lines } = getChannel(channel)
  if (!lines) throw new Error(`Accounts for ${channel} have no lines`)
  return lines
}

export function getReviewRules(channel: Channel): ReviewRules {
  const { review } = getChannel(channel)
  if (!review) throw new Error(`Templates for ${channel} are not reviewed`)
  return review
}

/** All providers, one per line. */
const providers = [erase(smpp), erase(httpGateway), erase(cloudApi), erase(rbm), erase(dotgo)]

export function listProviders(channel: Channel): Provider<unknown>[] {
  return providers.filter((provider) => provider.channel === channel)
}

/** The providers with management calls besides sending. */
export function listManagedProviders(): string[] {
  return providers.filter(({ manage }) => manage !== undefined).map(({ name }) => name)
}

/** The providers whose message ids follow from our references. */
export function listProvidersWithOurIds(): Provider<unknown>[] {
  return providers.filter(({ messageIdOf }) => messageIdOf !== undefined)
}

export function findProvider(name: string): Provider<unknown> | undefined {
  return providers.find((provider) => provider.name === name)
}

/**
 * Drops a provider's own types. Sound because a config reaches `connect` and `webhook` only after the same provider's schema
 * has parsed it, and a session gets messages of its own channel only.
 */
function erase<Config, Message extends OutboundMessage>(provider: Provider<Config, Message>): Provider<unknown> {
  return provider as unknown as Provider<unknown>
}
