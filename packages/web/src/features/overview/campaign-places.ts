import type { Channel } from '@carillon/contract/channels'
import { channelScreens } from '../../channels/screens.ts'

/** Where a campaign of a channel is written. */
export function wizardOf(channel: Channel): string {
  return channelScreens[channel].newCampaign?.path ?? 'campaigns'
}
