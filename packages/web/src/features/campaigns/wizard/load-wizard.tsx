import type { Channel } from '@carillon/contract/channels'
import type { ComponentType } from 'react'
import { channels } from '../../../channels/index.ts'
import type { EditedChannel } from './use-legs.ts'
import { failoverOf } from './wizard-steps.ts'

/** Loads the wizard for a channel, with the editors of all legs that its campaigns can have. */
export async function loadWizard(channel: Channel): Promise<{ Wizard: ComponentType }> {
  const next = failoverOf(channel)
  const [{ CampaignWizardPage }, first, failover] = await Promise.all([
    import('./campaign-wizard-page.tsx'),
    loadChannel(channel),
    next && loadChannel(next),
  ])
  return { Wizard: () => <CampaignWizardPage channels={{ first, next: failover }} /> }
}

async function loadChannel(channel: Channel): Promise<EditedChannel> {
  const { campaigns } = channels[channel]
  if (!campaigns) throw new Error(`Campaigns cannot be sent over ${channel}`)
  return { channel, editor: await campaigns.loadEditor() }
}
