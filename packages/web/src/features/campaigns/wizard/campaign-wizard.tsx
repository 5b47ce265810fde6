import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { useState, type ReactNode } from 'react'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { asRequest } from './as-request.ts'
import { stringifySearch } from '../../../lib/search.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useScreenName } from '../../../lib/title.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ShowAsApi } from '../../../ui/show-as-api.tsx'
import { WizardFrame } from '../../../ui/wizard-frame.tsx'
import { isTesting } from '../ab-tests/ab-draft.ts'
import { peopleToSend } from '../dialogs/recipients-to-send.ts'
import { isOvertaken } from './use-draft.ts'
import type { EditedChannels, PreselectedTemplates } from './use-legs.ts'
import { useSend } from './use-send.ts'
import { useWizard, type WizardState } from './use-wizard.ts'
import { WizardFoot } from './wizard-foot.tsx'
import { railCaption, WizardRail } from './wizard-rail.tsx'
import { OpenStep } from './open-step.tsx'
import type { WizardKind, WizardStepIds, WizardSteps } from './wizard-steps.ts'
import { wizardView } from './wizard-view.ts'

type CampaignWizardProps = {
  kind: WizardKind
  edited: EditedChannels
  saved: SavedDraft | undefined
  blank: () => CampaignDraft
  preselected: PreselectedTemplates
  step: WizardStep
  onStep: (step: WizardStep) => void
  onCreated: (id: string) => void
}

/** The campaign wizard, with a recipient's phone next to every step. */
export function CampaignWizard({ step, onStep: onOwnStep, ...opened }: CampaignWizardProps) {
  const onStep = (next: WizardStep) => onOwnStep(opened.kind.stepFor(next))
  const wizard = useWizard(opened)
  const { handle, steps, counted } = wizard
  const [focused, setFocused] = useState<string>()
  const go = useGo()
  const sending = useSend({ handle, people: counted ? peopleToSend(counted) : 0 })
  const isReview = step === 'review'
  const { campaignName } = handle.draft
  useScreenName(campaignName)

  return (
    <WizardFrame
      name={campaignName}
      onRename={(name) => handle.change({ campaignName: name })}
      save={handle.save}
      onExit={() => go('campaigns')}
      headActions={isReview && handle.id ? <AsApi wizard={wizard} /> : null}
      steps={steps.ids.map((id) => ({
        id,
        label: steps.labels[id],
        ...progressOf(id, steps),
        href: hrefOf(steps.ids, { step: id, draftId: handle.id }),
      }))}
      current={step}
      onStep={onStep}
      railLabel={`Preview · ${wizard.recipientName ?? wizard.first.template?.name ?? 'nothing yet'}`}
      railCaption={railCaption(wizard)}
      rail={<WizardRail wizard={wizard} focused={focused} />}
      foot={<WizardFoot wizard={wizard} step={step} onStep={onStep} sending={sending} />}
    >
      <Problem
        message={handle.error?.message}
        actions={
          isOvertaken(handle.error) ? (
            <Button size="sm" onClick={() => location.reload()}>
              Load it again
            </Button>
          ) : null
        }
      />
      <Problem message={isReview ? sending.problem : undefined} />
      <OpenStep step={step} wizard={wizard} onStep={onStep} onFocus={setFocused} />
    </WizardFrame>
  )
}

/** The API request of the same campaign. */
function AsApi({ wizard: { kind, handle, first, audience } }: { wizard: WizardState }) {
  // The specification's calls have no test.
  if (kind.isUnified || isTesting(handle.draft)) return <ShowAsApi compact call="drafts.create" body={handle.draft} />
  const { call, body } = first.request(handle.draft)
  return <ShowAsApi compact call={call} {...asRequest(body, audience)} />
}

function Problem({ message, actions }: { message: string | undefined; actions?: ReactNode }) {
  if (!message) return null
  return (
    <div className="mb-4">
      <Notice tone="bad" actions={actions}>
        {message}
      </Notice>
    </div>
  )
}

function progressOf(id: WizardStep, { open, judged }: WizardSteps): { done?: boolean; problems?: number } {
  if (!judged[id]) return {}
  return open[id] > 0 ? { problems: open[id] } : { done: true }
}

/** The relative URL of a step; a bare `?` resets to the first one. */
function hrefOf(steps: WizardStepIds, state: { step: WizardStep; draftId: string | undefined }): string {
  return stringifySearch(writeView(wizardView(steps), state)) || '?'
}
