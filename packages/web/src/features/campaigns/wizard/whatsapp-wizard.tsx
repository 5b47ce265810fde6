import type { SavedWhatsappDraft } from '@carillon/contract/whatsapp-campaigns'
import { useState } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { formatCount, formatUnitPrice } from '../../../lib/format.ts'
import { useScreenName } from '../../../lib/title.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ShowAsApi } from '../../../ui/show-as-api.tsx'
import { WizardFrame } from '../../../ui/wizard-frame.tsx'
import { AudienceStep } from './audience-step.tsx'
import { FailoverStep } from './failover-step.tsx'
import { useSend } from './use-send.ts'
import { useWhatsappWizard, type WhatsappWizardState } from './use-whatsapp-wizard.ts'
import { whatsappStepLabels, whatsappSteps, type WhatsappStep } from './whatsapp-draft-state.ts'
import { WhatsappPersonaliseStep } from './whatsapp-personalise-step.tsx'
import { rowName, WhatsappRail } from './whatsapp-rail.tsx'
import { WhatsappReviewStep } from './whatsapp-review-step.tsx'
import { slotsOf } from './whatsapp-slots.ts'
import { WhatsappTemplateStep } from './whatsapp-template-step.tsx'
import { WizardFoot } from './wizard-foot.tsx'

type WhatsappWizardProps = {
  saved: SavedWhatsappDraft | undefined
  /** A template chosen elsewhere, for a new campaign. */
  templateId: string | undefined
  step: WhatsappStep
  onStep: (step: WhatsappStep) => void
  onCreated: (id: string) => void
}

/** From a file to a WhatsApp campaign on its way, with SMS behind it for whom it does not reach. */
export function WhatsappWizard({ saved, templateId, step, onStep, onCreated }: WhatsappWizardProps) {
  const wizard = useWhatsappWizard({ saved, templateId, onCreated })
  const go = useGo()
  const [focused, setFocused] = useState<string>()
  const { handle, template, counted } = wizard
  const { draft } = handle
  useScreenName(draft.campaignName)
  const people = counted ? counted.people - counted.missing : 0
  const sending = useSend({ channel: 'whatsapp', handle, people })

  return (
    <WizardFrame
      name={draft.campaignName}
      onRename={(campaignName) => handle.change({ campaignName })}
      save={handle.save}
      onExit={() => go('campaigns')}
      headActions={
        step === 'review' && handle.id ? <ShowAsApi compact call="waCampaigns.create" {...requestOf(wizard)} /> : null
      }
      steps={whatsappSteps.map((id) => ({
        id,
        label: whatsappStepLabels[id],
        ...progressOf(id, wizard),
        href: hrefOf(id, handle.id),
      }))}
      current={step}
      onStep={onStep}
      railLabel={`Preview · ${rowName(wizard) ?? template?.name ?? 'nothing yet'}`}
      railCaption={captionOf(wizard)}
      rail={<WhatsappRail wizard={wizard} focused={focused} />}
      foot={
        <WizardFoot
          steps={whatsappSteps}
          labels={whatsappStepLabels}
          mayStart={mayCall('waCampaigns.start')}
          step={step}
          onStep={onStep}
          estimate={counted && { ...counted, leastCost: counted.cost - counted.failoverCost }}
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
  step: WhatsappStep
  wizard: WhatsappWizardState
  problem: string | undefined
  onStep: (step: WhatsappStep) => void
  onFocus: (slot: string | undefined) => void
}

function Step({ step, wizard, problem, onStep, onFocus }: StepProps) {
  switch (step) {
    case 'audience':
      return <AudienceStep handle={wizard.audienceHandle} usedColumns={usedColumns(wizard)} />
    case 'template':
      return <WhatsappTemplateStep wizard={wizard} />
    case 'personalise':
      return <WhatsappPersonaliseStep wizard={wizard} onStep={onStep} onFocus={onFocus} />
    case 'failover':
      return <FailoverStep wizard={wizard} onStep={onStep} onFocus={onFocus} />
    case 'review':
      return <WhatsappReviewStep wizard={wizard} problem={problem} onStep={onStep} />
  }
}

/** The address of a step, as the codec writes it. */
function hrefOf(step: WhatsappStep, id: string | undefined): string {
  return `?t=${whatsappSteps.indexOf(step)}${id ? `&c=${id}` : ''}`
}

function captionOf({ counted, rows, seq }: WhatsappWizardState): string | undefined {
  if (rows.length === 0) return undefined
  const price = counted?.pricePerPart ? ` · ${formatUnitPrice(counted.pricePerPart)}` : ''
  return `Row ${formatCount(seq + 1)}${price}`
}

function progressOf(id: WhatsappStep, { open, handle }: WhatsappWizardState): { done?: boolean; problems?: number } {
  const chosen = {
    audience: open.audience === 0,
    template: open.template === 0,
    personalise: open.template + open.audience === 0,
    failover: handle.draft.smsFailover,
    review: false,
  }[id]
  if (!chosen) return {}
  return open[id] > 0 ? { problems: open[id] } : { done: true }
}

/** Which columns fill something, on either channel. */
function usedColumns({ handle: { draft }, template, smsTemplate }: WhatsappWizardState): ReadonlyMap<number, string> {
  const used = new Map<number, string>()
  draft.smsCustomParams.forEach(({ column }, index) => {
    if (column !== undefined && smsTemplate)
      used.set(column, `${smsTemplate.variables[index]?.name ?? index + 1} of SMS`)
  })
  for (const slot of template ? slotsOf(template) : []) {
    const column = slot.read(draft.values)?.column
    if (column !== undefined) used.set(column, `${slot.name}, ${slot.usedIn.toLowerCase()}`)
  }
  const { media } = draft.values
  if (media && 'column' in media) used.set(media.column, 'header')
  return used
}

/** What a program would send to make the same campaign: with the file, or with the numbers themselves. */
function requestOf({ handle: { draft }, number, audience }: WhatsappWizardState) {
  const { campaignName, waba_id, templateId, values, schedule, smsFailover, skipRecent, splitOverDays } = draft
  const failover = smsFailover
    ? {
        smsFailover,
        smsFailoverConditions: draft.smsFailoverConditions,
        smsTemplate: draft.smsTemplate,
        smsAccountId: draft.smsAccountId,
        smsCustomParams: draft.smsCustomParams,
      }
    : {}
  const common = {
    campaignName,
    waba_id,
    phone_number_id: number?.phone_number_id,
    message: { templateId, values },
    ...failover,
    ...audience?.mapping,
    schedule,
    ...(skipRecent ? { skipRecent } : {}),
    ...(splitOverDays ? { splitOverDays } : {}),
  }
  if (audience?.format !== 'pasted') return { body: common, file: audience?.fileName ?? 'people.csv' }
  return { body: { ...common, numbers: audience.sample.map((row) => row[audience.mapping?.phoneColumn ?? 0] ?? '') } }
}
