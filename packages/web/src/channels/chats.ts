import type { Channel } from '@carillon/contract/channels'
import type { ChannelChat } from './channel-chat.ts'
import { rcsChat } from './rcs/chat.ts'
import { smsChat } from './sms/chat.ts'
import { whatsappChat } from './whatsapp/chat.ts'

/** Loaded with the conversations only. */
export const channelChats: Partial<Record<Channel, ChannelChat>> = {
  sms: smsChat,
  rcs: rcsChat,
  whatsapp: whatsappChat,
}
