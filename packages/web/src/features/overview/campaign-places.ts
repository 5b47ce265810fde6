import type { Channel } from '@carillon/contract/channels'
import { defaultChannels } from '@carillon/contract/constants'
import { mayCall } from '../../lib/call.ts'

/** Where a campaign of a channel is written. */
export function wizardOf(channel: Channel): string {
  return channel === 'whatsapp' ? 'campaigns/whatsapp-campaign-creation' : 'campaigns/sms-campaign-creation'
}

/** Narrows the list of all channels for those who work with SMS alone. */
export function shownChannels(): { channel?: Channel } {
  return mayCall('waCampaigns.list') ? {} : { channel: defaultChannels.campaigns }
}
