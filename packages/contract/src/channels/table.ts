import type { Channel } from '../channels.ts'
import { emailTraits } from './email/email-traits.ts'
import { rcsBotsLimit, rcsOptOutScopes, rcsTraits } from './rcs/rcs-traits.ts'
import { smsAccountsLimit, smsOptOutScopes, smsTraits } from './sms/sms-traits.ts'
import type { ChannelTraits } from './traits.ts'
import { voiceTraits } from './voice/voice-traits.ts'
import { whatsappOptOutScopes, whatsappTraits } from './whatsapp/whatsapp-traits.ts'

/** The contract's entry of each channel. */
export const channelTraits: Record<Channel, ChannelTraits> = {
  sms: smsTraits,
  rcs: rcsTraits,
  whatsapp: whatsappTraits,
  voice: voiceTraits,
  email: emailTraits,
}

/** Opt-out scopes of all channels. */
export const optOutScopes = [...smsOptOutScopes, ...whatsappOptOutScopes, ...rcsOptOutScopes] as const

/** Limits that exist for one channel only. */
export const channelLimits = [smsAccountsLimit, rcsBotsLimit] as const

/** Default channel of each area. */
export const defaultChannels = {
  audience: 'sms',
  campaigns: 'sms',
  optOuts: 'sms',
  examples: 'whatsapp',
  quickstart: 'sms',
} as const satisfies Record<string, Channel>
