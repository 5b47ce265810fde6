import type { Channel } from '../channels.ts'
import { emailTraits } from './email/email-traits.ts'
import { rcsTraits } from './rcs/rcs-traits.ts'
import { smsTraits } from './sms/sms-traits.ts'
import type { ChannelTraits } from './traits.ts'
import { voiceTraits } from './voice/voice-traits.ts'
import { whatsappTraits } from './whatsapp/whatsapp-traits.ts'

/** The contract's entry of every channel. */
export const channelTraits: Record<Channel, ChannelTraits> = {
  sms: smsTraits,
  rcs: rcsTraits,
  whatsapp: whatsappTraits,
  voice: voiceTraits,
  email: emailTraits,
}
