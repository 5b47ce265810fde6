import type { Channel } from '@carillon/contract/channels'
import type { ChannelTemplates } from './channel-templates.ts'
import { rcsTemplates } from './rcs/templates/library.ts'
import { smsTemplates } from './sms/templates/library.ts'
import { whatsappTemplates } from './whatsapp/templates/library.ts'

/**
 * The templates of every channel that has them; separate from its entry, so that screens without templates do not load them.
 */
export const channelTemplates: Record<Channel, ChannelTemplates | undefined> = {
  sms: smsTemplates,
  rcs: rcsTemplates,
  whatsapp: whatsappTemplates,
  voice: undefined,
  email: undefined,
}
