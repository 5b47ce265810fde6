import type { CampaignStatus } from '@carillon/contract/campaign-records'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { choiceParam, defineView, idParam } from '../../../lib/url-state.ts'
import { useView } from '../../../lib/use-view.ts'
import { Denied } from '../../../ui/denied.tsx'
import { Page } from '../../../ui/page.tsx'
import { OpenedDraft } from './opened-draft.tsx'
import { useWizardSession } from './use-wizard-session.ts'

/** What the wizard of every channel is opened with. */
export type WizardProps<Saved, Step> = {
  saved: Saved | undefined
  /** A template chosen elsewhere, for a new campaign. */
  templateId: string | undefined
  step: Step
  onStep: (step: Step) => void
  onCreated: (id: string) => void
}

/** URL state of a wizard: step, draft, and a template chosen elsewhere (`?m=`). */
export function defineWizardView<const Step extends string>(steps: readonly [Step, ...Step[]]) {
  return defineView({ t: choiceParam<Step>(steps, steps[0]), c: idParam(), m: idParam() })
}

/** Which step and which draft the address names. */
export function useWizardPlace<Step extends string>(view: ReturnType<typeof defineWizardView<Step>>) {
  const [{ t: step, c: id, m: templateId }, setView] = useView(view)
  const { number, opened, created } = useWizardSession(id, (c) => setView({ c }, { replace: true }))
  return { number, opened, templateId, wizard: { step, onStep: (t: Step) => setView({ t }), onCreated: created } }
}

type WizardPageProps<Saved, Step extends string> = {
  title: string
  /** Its path in the area. */
  path: string
  mayCreate: boolean
  place: ReturnType<typeof useWizardPlace<Step>>
  /** The draft that the place names, once it is read. */
  read: UseQueryResult<Saved>
  children: (props: WizardProps<Saved, Step>) => ReactNode
}

/** The wizard for a new campaign, or for the draft that the address names. */
export function WizardPage<Saved extends { status: CampaignStatus }, Step extends string>(
  props: WizardPageProps<Saved, Step>,
) {
  const { title, path, mayCreate, place, read, children } = props
  if (!mayCreate)
    return (
      <Page title={title}>
        <Denied />
      </Page>
    )
  return (
    <OpenedDraft key={place.number} id={place.opened} read={read} wizard={path}>
      {(saved) => children({ ...place.wizard, saved, templateId: saved ? undefined : place.templateId })}
    </OpenedDraft>
  )
}
