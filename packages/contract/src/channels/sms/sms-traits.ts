import type { ChannelTraits } from '../traits.ts'

export const smsOptOutScopes = [{ scope: 'sms', label: 'SMS', isMarketingOnly: false }] as const

/** The limit on accounts with its providers. */
export const smsAccountsLimit = { key: 'sms_accounts', noun: 'SMS accounts' } as const

export const smsTraits: ChannelTraits = {
  label: 'SMS',
  isSupported: true,
  unit: 'part',
  hasReadReceipts: false,
  reachesLandlines: false,
  hasServiceWindow: false,
  optOutScopes: smsOptOutScopes,
  columnNames: [],
  campaignRoles: ['user', 'manager', 'department_head'],
  failoverTo: [],
}
