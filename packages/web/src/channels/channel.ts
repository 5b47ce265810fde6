import type { Channel } from '@carillon/contract/channels'
import type { ComponentType } from 'react'
import type { ChannelCampaigns } from './channel-campaigns.ts'
import type { ChannelAccounts } from './channel-accounts.ts'
import type { ChannelLook } from './channel-look.ts'
import type { ChannelPhone } from './channel-phone.ts'
import type { ChannelPrice } from './channel-price.ts'
import type { ChannelRecords } from './channel-records.ts'

/**
 * The browser's entry of a channel: all that features know about it, beside its screens. A channel that is not supported yet
 * has its look only. Heavy parts are loaded when they are shown.
 */
export type WebChannel = {
  channel: Channel
  mark: ChannelLook
  phone?: ChannelPhone
  /** Absent if no campaigns are sent over it. */
  campaigns?: ChannelCampaigns
  accounts?: ChannelAccounts
  price?: ChannelPrice
  records?: ChannelRecords
  /** Its phone on the login page. What is around it waits for its code, so that all phones appear at once. */
  LoginExample?: ComponentType
  /** What those who run the installation set for it, in their settings. What is around it waits for its code. */
  Settings?: ComponentType
}
