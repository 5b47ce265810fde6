import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { mayCall } from '../lib/call.ts'
import { currentUser } from '../lib/session.ts'
import type { WizardScreen } from './channel-screens.ts'
import { channelScreens } from './screens.ts'

/** The wizards of every channel, for any role. */
export function campaignWizards(): readonly WizardScreen[] {
  return Object.values(channelScreens).flatMap(({ newCampaign }) => newCampaign ?? [])
}

/** The wizards that the signed-in user may use. */
export function ownWizards(): readonly WizardScreen[] {
  return campaignWizards().filter(({ channel }) => mayCreateCampaign(channel))
}

/** Path of the wizard for campaigns over several channels. */
export const unifiedCampaignPath = 'campaigns/unified/creation'

/** The channels that a campaign over several can have. */
export const unifiedChannels: readonly Channel[] = campaignWizards().map(({ channel }) => channel)

/** A campaign over several channels needs at least two that the role may use. */
export function mayCreateUnified(): boolean {
  return unifiedChannels.filter(mayCreateCampaign).length >= 2
}

/** Each channel has its own roles. */
export function mayCreateCampaign(channel: Channel): boolean {
  const user = currentUser()
  return user !== null && mayCall('drafts.create') && channelTraits[channel].campaignRoles.includes(user.type)
}

/** The path of a channel's wizard. */
export function wizardOf(channel: Channel): string {
  return channelScreens[channel].newCampaign?.path ?? 'campaigns'
}
