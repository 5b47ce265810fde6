import type { ChannelTraits } from '../traits.ts'

export const voiceTraits: ChannelTraits = {
  label: 'Voice',
  isSupported: false,
  unit: 'message',
  hasReadReceipts: false,
  reachesLandlines: true,
  campaignRoles: ['user', 'manager'],
  failoverTo: [],
}
