import type { ChannelTraits } from '../traits.ts'

export const rcsTraits: ChannelTraits = {
  label: 'RCS',
  isSupported: false,
  unit: 'message',
  hasReadReceipts: true,
  reachesLandlines: false,
  hasServiceWindow: false,
  optOutScopes: [],
  columnNames: [],
  campaignRoles: ['user', 'manager'],
  failoverTo: [],
}
