import type { Channel } from '@carillon/contract/channels'
import type { ComponentType } from 'react'
import type { ChannelCampaigns } from './channel-campaigns.ts'
import type { ChannelAccounts } from './channel-accounts.ts'
import type { ChannelLook } from './channel-look.ts'
import type { ChannelPhone } from './channel-phone.ts'
import type { ChannelPrice } from './channel-price.ts'
import type { ChannelRecords } from './channel-records.ts'

/**
 * The browser's entry of a channel: everything features know about it besides its screens. A channel that is not supported yet
 * has only its look. Heavy parts are loaded when they are shown.
 */
export type WebChannel = {
  channel: Channel
  mark: ChannelLook
  phone?: ChannelPhone
  /** Absent if the channel has no campaigns. */
  campaigns?: ChannelCampaigns
  accounts?: ChannelAccounts
  price?: ChannelPrice
  records?: ChannelRecords
  /** Its phone on the login page. Suspends, so that all phones appear at the same time. */
  LoginExample?: ComponentType
  /** Its settings for admins and resellers. Suspends while it loads. */
  Settings?: ComponentType
}
