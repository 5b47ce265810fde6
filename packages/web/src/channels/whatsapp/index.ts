import type { WebChannel } from '../channel.ts'
import { whatsappCampaigns } from './campaigns/whatsapp-campaigns.ts'
import { HandsetIcon } from './handset-icon.tsx'

export const whatsappChannel: WebChannel = {
  channel: 'whatsapp',
  mark: { icon: HandsetIcon, tint: 'bg-whatsapp-muted text-whatsapp-text' },
  campaigns: whatsappCampaigns,
}
