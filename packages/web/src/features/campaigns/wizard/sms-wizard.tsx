import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import { useState } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { countOf, formatCount, formatUnitPrice } from '../../../lib/format.ts'
import { useScreenName } from '../../../lib/title.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ShowAsApi } from '../../../ui/show-as-api.tsx'
import { WizardFrame } from '../../../ui/wizard-frame.tsx'
import { AudienceStep } from './audience-step.tsx'
import { stepLabels, wizardSteps, type WizardStep } from './draft-state.ts'
import { PersonaliseStep } from './personalise-step.tsx'
import { PreviewRail, recipientName } from './preview-rail.tsx'
import { ReviewStep } from './review-step.tsx'
import { TemplateStep } from './template-step.tsx'
import { useSend } from './use-send.ts'
import { useWizard, type Wizard } from './use-wizard.ts'
import { WizardFoot } from './wizard-foot.tsx'

type SmsWizardProps = {
  saved: SavedDraft | undefined
  /** A template chosen elsewhere, for a new campaign. */
  templateId: string | undefined
  step: WizardStep
  onStep: (step: WizardStep) => void
  onCreated: (id: string) => void
}

/** From a file to a campaign on its way, with a real recipient's phone beside every step. */
export function SmsWizard({ saved, templateId, step, onStep, onCreated }: SmsWizardProps) {
  const wizard = useWizard({ saved, templateId, onCreated })
  const go = useGo()
  const [focused, setFocused] = useState<string>()
  const { handle, template, audience, counted, seq, open } = wizard
  const { draft } = handle
  useScreenName(draft.campaignName)
  const sending = useSend({ channel: 'sms', handle, people: counted ? counted.people - counted.missing : 0 })

  return (
    <WizardFrame
      name={draft.campaignName}
      onRename={(campaignName) => handle.change({ campaignName })}
      save={handle.save}
      onExit={() => go('campaigns')}
      headActions={
        step === 'review' && handle.id ? <ShowAsApi compact call="smsCampaigns.create" {...requestOf(wizard)} /> : null
      }
      steps={wizardSteps.map((id) => ({
        id,
        label: stepLabels[id],
        ...progressOf(id, open),
        href: hrefOf(id, handle.id),
      }))}
      current={step}
      onStep={onStep}
      railLabel={`Preview · ${recipientName(wizard.preview, audience) ?? template?.name ?? 'nothing yet'}`}
      railCaption={captionOf(wizard)}
      rail={
        <PreviewRail
          template={template}
          audience={audience}
          preview={wizard.preview}
          error={wizard.previewError}
          estimate={counted}
          seq={seq}
          onSeq={wizard.setSeq}
          focused={focused}
        />
      }
      foot={
        <WizardFoot
          steps={wizardSteps}
          labels={stepLabels}
          mayStart={mayCall('smsCampaigns.start')}
          step={step}
          onStep={onStep}
          estimate={counted}
          isCounting={wizard.isCounting}
          isPreparing={sending.isPreparing}
          isHeld={sending.isHeld}
          isLater={draft.schedule.startAt !== undefined}
          campaignName={draft.campaignName}
          onSend={() => void sending.send()}
          onSaveForApproval={() => void sending.saveForApproval()}
        />
      }
    >
      {handle.error ? (
        <div className="mb-4">
          <Notice tone="bad">{handle.error.message}</Notice>
        </div>
      ) : null}
      <Step step={step} wizard={wizard} problem={sending.problem} onStep={onStep} onFocus={setFocused} />
    </WizardFrame>
  )
}

type StepProps = {
  step: WizardStep
  wizard: Wizard
  problem: string | undefined
  onStep: (step: WizardStep) => void
  onFocus: (variable: string | undefined) => void
}

function Step({ step, wizard, problem, onStep, onFocus }: StepProps) {
  const { handle, template, audience, audienceHandle, estimate, counted, preview, seq, setSeq } = wizard
  const { draft } = handle
  switch (step) {
    case 'audience':
      return <AudienceStep handle={audienceHandle} usedColumns={usedColumns(wizard)} />
    case 'template':
      return (
        <TemplateStep
          accountId={draft.smsAccountId}
          templateId={draft.templateId}
          onAccount={wizard.chooseAccount}
          onTemplate={wizard.chooseTemplate}
        />
      )
    case 'personalise':
      return (
        <PersonaliseStep
          template={template}
          audience={audience}
          sources={draft.variables}
          estimate={counted}
          onSources={(variables) => handle.change({ variables })}
          onJump={setSeq}
          onFocus={onFocus}
          onStep={onStep}
        />
      )
    case 'review':
      return (
        <ReviewStep
          draft={draft}
          template={template}
          audience={audience}
          estimate={{
            data: counted,
            error: estimate.error,
            isWaiting: estimate.isLoading,
            retry: () => void estimate.refetch(),
          }}
          preview={preview}
          seq={seq}
          problem={problem}
          flush={handle.flush}
          onChange={handle.change}
          onJump={setSeq}
          onStep={onStep}
        />
      )
  }
}

/** The address of a step, as the codec writes it. */
function hrefOf(step: WizardStep, id: string | undefined): string {
  return `?t=${wizardSteps.indexOf(step)}${id ? `&c=${id}` : ''}`
}

function captionOf({ preview }: Wizard): string | undefined {
  return preview
    ? `Row ${formatCount(preview.seq + 1)} · ${countOf(preview.parts, 'part')} · ${formatUnitPrice(preview.cost)}`
    : undefined
}

function progressOf(id: WizardStep, open: Wizard['open']): { done?: boolean; problems?: number } {
  const chosen = {
    audience: open.audience === 0,
    template: open.template === 0,
    personalise: open.template + open.audience === 0,
    review: false,
  }[id]
  if (!chosen) return {}
  return open[id] > 0 ? { problems: open[id] } : { done: true }
}

function usedColumns({ handle: { draft }, template }: Wizard): ReadonlyMap<number, string> {
  return new Map(
    draft.variables.flatMap(({ column }, index): [number, string][] =>
      column === undefined ? [] : [[column, template?.variables[index]?.name ?? `variable ${index + 1}`]],
    ),
  )
}

/** What a program would send to make the same campaign: with the file, or with the numbers themselves. */
function requestOf({ handle: { draft }, audience }: Wizard) {
  const { campaignName, smsAccountId, templateId, variables, schedule, skipRecent } = draft
  const rules = skipRecent ? { skipRecent } : {}
  const common = { campaignName, smsAccountId, templateId, variables, ...audience?.mapping, schedule, ...rules }
  if (audience?.format !== 'pasted') return { body: common, file: audience?.fileName ?? 'people.csv' }
  return { body: { ...common, numbers: audience.sample.map((row) => row[audience.mapping?.phoneColumn ?? 0] ?? '') } }
}
