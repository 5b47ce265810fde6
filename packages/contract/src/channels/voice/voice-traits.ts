import type { ChannelTraits } from '../traits.ts'

export const voiceTraits: ChannelTraits = {
  label: 'Voice',
  isSupported: false,
  unit: 'message',
  hasReadReceipts: false,
  reachesLandlines: true,
  hasServiceWindow: false,
  optOutScopes: [],
  columnNames: [],
  campaignRoles: ['user', 'manager'],
  failoverTo: [],
}
