import type { Channel } from '@carillon/contract/channels'
import type { ComponentType } from 'react'
import { unifiedChannels } from '../../../channels/campaign-wizards.ts'
import { channels } from '../../../channels/index.ts'
import { usualOrder } from '../unified-wizard/leg-order.ts'
import type { EditedChannel } from './use-legs.ts'
import { failoverChannels } from './wizard-steps.ts'

/** Loads the wizard for a channel, with the editors of all legs that its campaigns can have. */
export async function loadWizard(channel: Channel): Promise<{ Wizard: ComponentType }> {
  const [{ ChannelWizard }, first, ...others] = await Promise.all([
    import('./channel-wizard.tsx'),
    loadChannel(channel),
    ...failoverChannels(channel).map(loadChannel),
  ])
  return { Wizard: () => <ChannelWizard edited={[first, ...others]} /> }
}

/** Loads the wizard for campaigns over several channels, with the editors of all of them. */
export async function loadUnifiedWizard(): Promise<{ Wizard: ComponentType }> {
  const [{ UnifiedWizard }, ...loaded] = await Promise.all([
    import('../unified-wizard/unified-wizard.tsx'),
    ...unifiedChannels.map(loadChannel),
  ])
  const [first, ...others] = usualOrder(loaded)
  if (!first) throw new Error('Campaigns cannot be sent over any channel')
  return { Wizard: () => <UnifiedWizard edited={[first, ...others]} /> }
}

async function loadChannel(channel: Channel): Promise<EditedChannel> {
  const { campaigns } = channels[channel]
  if (!campaigns) throw new Error(`Campaigns cannot be sent over ${channel}`)
  return { channel, editor: await campaigns.loadEditor() }
}
