import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { currentUser } from '../lib/session.ts'
import type { ChannelCampaigns } from './campaigns.ts'
import { channels } from './index.ts'

export type CampaignChannel = ChannelCampaigns & { channel: Channel; label: string }

/** The channels of campaigns, whoever may create them. */
export function allCampaignChannels(): readonly CampaignChannel[] {
  return Object.values(channels).flatMap(({ channel, campaigns }) => {
    const { isSupported, label } = channelTraits[channel]
    return campaigns && isSupported ? [{ ...campaigns, channel, label }] : []
  })
}

/** The channels on which the signed-in user may create campaigns. */
export function campaignChannels(): readonly CampaignChannel[] {
  return allCampaignChannels().filter(({ channel }) => mayCreateCampaign(channel))
}

/** Each channel has its own roles. */
export function mayCreateCampaign(channel: Channel): boolean {
  const user = currentUser()
  return user !== null && channelTraits[channel].campaignRoles.includes(user.type)
}

/** Where a campaign of a channel is written. */
export function wizardOf(channel: Channel): string {
  return channels[channel].campaigns?.wizard ?? 'campaigns'
}

/** Narrows a list of all channels for those who work with a single one. */
export function shownChannels(): { channel?: Channel } {
  const [first, ...others] = campaignChannels()
  return first && others.length === 0 ? { channel: first.channel } : {}
}
