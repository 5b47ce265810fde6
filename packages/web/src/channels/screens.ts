import type { Channel } from '@carillon/contract/channels'
import type { ChannelScreens } from './channel-screens.ts'
import { rcsScreens } from './rcs/screens.ts'
import { smsScreens } from './sms/screens.ts'
import { whatsappScreens } from './whatsapp/screens.ts'

/** The screens of every channel. */
export const channelScreens: Record<Channel, ChannelScreens> = {
  sms: smsScreens,
  rcs: rcsScreens,
  whatsapp: whatsappScreens,
  voice: {},
  email: {},
}
