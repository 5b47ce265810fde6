import type { ChannelTraits } from '../traits.ts'

export const smsTraits: ChannelTraits = {
  label: 'SMS',
  isSupported: true,
  unit: 'part',
  hasReadReceipts: false,
  reachesLandlines: false,
  campaignRoles: ['user', 'manager', 'department_head'],
  failoverTo: [],
}
