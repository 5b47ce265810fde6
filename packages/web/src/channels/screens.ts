import type { Channel } from '@carillon/contract/channels'
import type { ChannelScreens } from './channel-screens.ts'
import { smsScreens } from './sms/screens.ts'
import { whatsappScreens } from './whatsapp/screens.ts'

/** The screens of every channel. */
export const channelScreens: Record<Channel, ChannelScreens> = {
  sms: smsScreens,
  rcs: {},
  whatsapp: whatsappScreens,
  voice: {},
  email: {},
}
