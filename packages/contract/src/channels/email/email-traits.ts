import type { ChannelTraits } from '../traits.ts'

export const emailTraits: ChannelTraits = {
  label: 'Email',
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
