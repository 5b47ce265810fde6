import type { ChannelTraits } from '../traits.ts'

export const whatsappTraits: ChannelTraits = {
  label: 'WhatsApp',
  isSupported: true,
  unit: 'message',
  hasReadReceipts: true,
  reachesLandlines: true,
  campaignRoles: ['user', 'manager'],
  failoverTo: ['sms'],
}
