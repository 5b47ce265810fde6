import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { useEffect, useState, type ReactNode } from 'react'
import { unifiedCampaignPath, wizardOf } from '../../../channels/campaign-wizards.ts'
import { wizardLink } from '../../../lib/links.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { Denied } from '../../../ui/denied.tsx'
import { Page } from '../../../ui/page.tsx'
import { CampaignWizard } from './campaign-wizard.tsx'
import { OpenedDraft } from './opened-draft.tsx'
import type { EditedChannels, PreselectedTemplates } from './use-legs.ts'
import { useWizardSession } from './use-wizard-session.ts'
import type { WizardKind } from './wizard-steps.ts'
import { wizardView } from './wizard-view.ts'

/** What a new campaign begins with. */
export type NewCampaign = { blank: () => CampaignDraft; preselected: PreselectedTemplates }

type CampaignWizardPageProps = {
  kind: WizardKind
  edited: EditedChannels
  title: string
  mayCreate: boolean
  /** Renders the wizard once what a new campaign begins with is known. */
  begin: (templateId: string | undefined, wizard: (created: NewCampaign) => ReactNode) => ReactNode
}

/** The wizard for a new campaign, or for the draft in the URL. */
export function CampaignWizardPage({ kind, edited, title, mayCreate, begin }: CampaignWizardPageProps) {
  const [view] = useState(() => wizardView(kind.ids))
  const [{ step, draftId, templateId }, setView] = useView(view)
  const { number, opened, created } = useWizardSession(draftId, (id) => setView({ draftId: id }, { replace: true }))
  const read = useApi(
    'drafts.get',
    { path: { id: opened ?? '' } },
    { enabled: opened !== undefined, staleTime: Infinity },
  )
  if (!mayCreate) {
    return (
      <Page title={title}>
        <Denied />
      </Page>
    )
  }
  const wizard = (saved: SavedDraft | undefined, { blank, preselected }: NewCampaign) => (
    <CampaignWizard
      kind={kind}
      edited={edited}
      saved={saved}
      blank={blank}
      preselected={preselected}
      step={step}
      onStep={(next) => setView({ step: next })}
      onCreated={created}
    />
  )
  return (
    <OpenedDraft key={number} id={opened} read={read} wizard={kind.path}>
      {(saved) => {
        if (!saved) return begin(templateId, (own) => wizard(undefined, own))
        if (saved.isUnified !== kind.isUnified) return <OtherWizard saved={saved} />
        return wizard(saved, { blank: () => saved, preselected: {} })
      }}
    </OpenedDraft>
  )
}

/** Links name the wizard of the first channel; the draft decides which one opens it. */
function OtherWizard({ saved: { _id, isUnified, legs } }: { saved: SavedDraft }) {
  const go = useGo()
  useEffect(() => {
    const path = isUnified ? unifiedCampaignPath : wizardOf(legs[0].channel)
    go(path, writeView(wizardLink, { draftId: _id }), { replace: true })
  })
  return null
}
