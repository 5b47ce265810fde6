import type { ChannelTraits } from '../traits.ts'

export const rcsOptOutScopes = [
  { scope: 'rcs_marketing', label: 'RCS marketing', isMarketingOnly: true },
  { scope: 'rcs', label: 'RCS', isMarketingOnly: false },
] as const

export const rcsTraits: ChannelTraits = {
  label: 'RCS',
  isSupported: false,
  unit: 'message',
  hasReadReceipts: true,
  reachesLandlines: false,
  hasServiceWindow: false,
  optOutScopes: rcsOptOutScopes,
  columnNames: ['rcs'],
  campaignRoles: ['user', 'manager'],
  failoverTo: [],
}
