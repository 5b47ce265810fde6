import type { Channel } from '@carillon/contract/channels'
import type { WebChannel } from './channel.ts'
import { emailChannel } from './email/index.ts'
import { rcsChannel } from './rcs/index.ts'
import { smsChannel } from './sms/index.ts'
import { voiceChannel } from './voice/index.ts'
import { whatsappChannel } from './whatsapp/index.ts'

/** The browser's entry of every channel. */
export const channels: Record<Channel, WebChannel> = {
  sms: smsChannel,
  rcs: rcsChannel,
  whatsapp: whatsappChannel,
  voice: voiceChannel,
  email: emailChannel,
}

/** In the order of lists and charts. */
export const channelList: readonly WebChannel[] = Object.values(channels)
