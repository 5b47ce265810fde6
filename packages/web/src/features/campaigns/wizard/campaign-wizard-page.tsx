import { channelTraits } from '@carillon/contract/channels/table'
import { useState } from 'react'
import { mayCreateCampaign, wizardOf } from '../../../channels/campaign-wizards.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { Denied } from '../../../ui/denied.tsx'
import { Page } from '../../../ui/page.tsx'
import { CampaignWizard } from './campaign-wizard.tsx'
import { OpenedDraft } from './opened-draft.tsx'
import type { WizardChannels } from './use-legs.ts'
import { useWizardSession } from './use-wizard-session.ts'
import { stepsOf } from './wizard-steps.ts'
import { wizardView } from './wizard-view.ts'

/** The wizard for a new campaign, or for the draft in the URL. */
export function CampaignWizardPage({ channels }: { channels: WizardChannels }) {
  const { channel } = channels.first
  const [view] = useState(() => wizardView(stepsOf(channel)))
  const [{ step, draftId, templateId }, setView] = useView(view)
  const { number, opened, created } = useWizardSession(draftId, (id) => setView({ draftId: id }, { replace: true }))
  const read = useApi(
    'drafts.get',
    { path: { id: opened ?? '' } },
    { enabled: opened !== undefined, staleTime: Infinity },
  )
  if (!mayCreateCampaign(channel)) {
    return (
      <Page title={`New ${channelTraits[channel].label} campaign`}>
        <Denied />
      </Page>
    )
  }
  return (
    <OpenedDraft key={number} id={opened} read={read} wizard={wizardOf(channel)}>
      {(saved) => (
        <CampaignWizard
          channels={channels}
          saved={saved}
          templateId={saved ? undefined : templateId}
          step={step}
          onStep={(next) => setView({ step: next })}
          onCreated={created}
        />
      )}
    </OpenedDraft>
  )
}
