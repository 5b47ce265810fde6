import { channelTraits } from '@carillon/contract/channels/table'
import { mayCreateCampaign, wizardOf } from '../../../channels/campaign-wizards.ts'
import { CampaignWizardPage } from './campaign-wizard-page.tsx'
import { blankDraft } from './draft-legs.ts'
import type { EditedChannels } from './use-legs.ts'
import { channelKind } from './wizard-steps.ts'

/** The wizard for campaigns that begin on the first of the channels. */
export function ChannelWizard({ edited }: { edited: EditedChannels }) {
  const [first] = edited
  const { channel } = first
  return (
    <CampaignWizardPage
      kind={channelKind(channel, wizardOf(channel))}
      edited={edited}
      title={`New ${channelTraits[channel].label} campaign`}
      mayCreate={mayCreateCampaign(channel)}
      begin={(templateId, wizard) =>
        wizard({ blank: () => blankDraft(first), preselected: templateId ? { [channel]: templateId } : {} })
      }
    />
  )
}
