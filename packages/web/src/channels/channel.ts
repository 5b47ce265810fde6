import type { Channel } from '@carillon/contract/channels'
import type { ComponentType, SVGProps } from 'react'
import type { ChannelCampaigns } from './campaigns.ts'

/** The browser's entry of a channel: all that features know about it. Heavy parts are loaded when they are shown. */
export type WebChannel = {
  channel: Channel
  /** Its icon, and the classes of the square behind it. */
  mark: { icon: ComponentType<SVGProps<SVGSVGElement>>; tint: string }
  /** Undefined if no campaigns are sent over it. */
  campaigns: ChannelCampaigns | undefined
}
