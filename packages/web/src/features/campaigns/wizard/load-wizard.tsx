import type { Channel } from '@carillon/contract/channels'
import type { ComponentType } from 'react'
import { channels } from '../../../channels/index.ts'
import type { EditedChannel } from './use-legs.ts'
import { failoverChannels } from './wizard-steps.ts'

/** Loads the wizard for a channel, with the editors of all legs that its campaigns can have. */
export async function loadWizard(channel: Channel): Promise<{ Wizard: ComponentType }> {
  const [{ CampaignWizardPage }, first, ...others] = await Promise.all([
    import('./campaign-wizard-page.tsx'),
    loadChannel(channel),
    ...failoverChannels(channel).map(loadChannel),
  ])
  return { Wizard: () => <CampaignWizardPage channels={{ first, others }} /> }
}

async function loadChannel(channel: Channel): Promise<EditedChannel> {
  const { campaigns } = channels[channel]
  if (!campaigns) throw new Error(`Campaigns cannot be sent over ${channel}`)
  return { channel, editor: await campaigns.loadEditor() }
}
