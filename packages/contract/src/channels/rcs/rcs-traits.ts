import type { RcsPriceClass } from './rcs-price-class.ts'
import type { ChannelTraits } from '../traits.ts'

export const rcsOptOutScopes = [
  { scope: 'rcs_marketing', label: 'RCS marketing', isMarketingOnly: true },
  { scope: 'rcs', label: 'RCS', isMarketingOnly: false },
] as const

/** The limit on bots with its providers. */
export const rcsBotsLimit = { key: 'rcs_bots', noun: 'RCS bots' } as const

export const rcsTraits: ChannelTraits = {
  label: 'RCS',
  isSupported: true,
  unit: 'message',
  conversationCategory: 'conversation' satisfies RcsPriceClass,
  hasReadReceipts: true,
  reachesLandlines: false,
  hasServiceWindow: false,
  optOutScopes: rcsOptOutScopes,
  columnNames: ['rcs'],
  campaignRoles: ['user', 'manager'],
  failoverTo: ['whatsapp', 'sms'],
}
