import type { ChannelTraits } from '../traits.ts'

export const whatsappOptOutScopes = [
  { scope: 'whatsapp_marketing', label: 'WhatsApp marketing', isMarketingOnly: true },
  { scope: 'whatsapp', label: 'WhatsApp', isMarketingOnly: false },
] as const

export const whatsappTraits: ChannelTraits = {
  label: 'WhatsApp',
  isSupported: true,
  unit: 'message',
  hasReadReceipts: true,
  reachesLandlines: true,
  hasServiceWindow: true,
  optOutScopes: whatsappOptOutScopes,
  columnNames: ['whatsapp', 'व्हाट्सएप'],
  campaignRoles: ['user', 'manager'],
  failoverTo: ['sms', 'rcs'],
}
