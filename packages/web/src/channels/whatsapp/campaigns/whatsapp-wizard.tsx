import type { SavedWhatsappDraft } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { useState } from 'react'
import { formatCount, formatUnitPrice } from '../../../lib/format.ts'
import { ShowAsApi } from '../../../ui/show-as-api.tsx'
import { asRequest } from '../../parts/as-request.ts'
import type { AudienceFill } from '../../parts/audience-fill.ts'
import { AudienceStep } from '../../../features/campaigns/wizard/audience-step.tsx'
import { CampaignWizard } from '../../../features/campaigns/wizard/campaign-wizard.tsx'
import { ConsentField } from '../../../features/campaigns/wizard/consent-field.tsx'
import { withSource } from '../../parts/variable-sources.ts'
import type { WizardProps } from '../../../features/campaigns/wizard/wizard-page.tsx'
import { judgedSteps } from '../../../features/campaigns/wizard/wizard-steps.ts'
import { FailoverStep } from '../../../features/campaigns/wizard/failover/failover-step.tsx'
import { useWhatsappWizard, type WhatsappWizardState } from './use-whatsapp-wizard.ts'
import { whatsappStepLabels, whatsappSteps, type WhatsappStep } from './whatsapp-draft-state.ts'
import { WhatsappPersonaliseStep } from './whatsapp-personalise-step.tsx'
import { rowName, WhatsappRail } from './whatsapp-rail.tsx'
import { WhatsappReviewStep } from './whatsapp-review-step.tsx'
import { columnNameOf, slotsOf, slotLabel, type Slot } from './whatsapp-slots.ts'
import { WhatsappTemplateStep } from './whatsapp-template-step.tsx'

/** From a file to a WhatsApp campaign on its way, with SMS behind it for whom it does not reach. */
export function WhatsappWizard({ step, onStep, ...opened }: WizardProps<SavedWhatsappDraft, WhatsappStep>) {
  const wizard = useWhatsappWizard(opened)
  const [focused, setFocused] = useState<string>()
  const { handle, counted, open } = wizard
  const judged = { ...judgedSteps(open), failover: handle.draft.smsFailover }
  return (
    <CampaignWizard
      channel="whatsapp"
      handle={handle}
      steps={{ ids: whatsappSteps, labels: whatsappStepLabels, open, judged }}
      step={step}
      onStep={onStep}
      counted={counted && { ...counted, leastCost: counted.cost - counted.failoverCost }}
      isCounting={wizard.isCounting}
      asApi={<ShowAsApi compact call="waCampaigns.create" {...requestOf(wizard)} />}
      rail={<WhatsappRail wizard={wizard} focused={focused} />}
      shown={rowName(wizard) ?? wizard.template?.name}
      railCaption={captionOf(wizard)}
    >
      <Step step={step} wizard={wizard} onStep={onStep} onFocus={setFocused} />
    </CampaignWizard>
  )
}

type StepProps = {
  step: WhatsappStep
  wizard: WhatsappWizardState
  onStep: (step: WhatsappStep) => void
  onFocus: (slot: string | undefined) => void
}

function Step({ step, wizard, onStep, onFocus }: StepProps) {
  switch (step) {
    case 'audience':
      return (
        <AudienceStep
          channel="whatsapp"
          handle={wizard.audienceHandle}
          fill={audienceFillOf(wizard)}
          usedColumns={usedColumns(wizard)}
          consent={
            wizard.template === undefined || wizard.template.category === 'MARKETING' ? (
              <ConsentField
                channel="whatsapp"
                isGiven={wizard.handle.draft.hasConsent ?? false}
                onChange={(hasConsent) => wizard.handle.change({ hasConsent })}
              />
            ) : null
          }
        />
      )
    case 'template':
      return <WhatsappTemplateStep wizard={wizard} />
    case 'personalise':
      return <WhatsappPersonaliseStep wizard={wizard} onStep={onStep} onFocus={onFocus} />
    case 'failover':
      return <FailoverStep wizard={wizard} onStep={onStep} onFocus={onFocus} />
    case 'review':
      return <WhatsappReviewStep wizard={wizard} onStep={onStep} />
  }
}

function captionOf({ counted, person, seq }: WhatsappWizardState): string | undefined {
  if (!person) return undefined
  const price = counted?.pricePerPart ? ` · ${formatUnitPrice(counted.pricePerPart)}` : ''
  return `Row ${formatCount(seq + 1)}${price}`
}

/** The variables of the template, and behind them those of the SMS that takes over. */
function audienceFillOf({ handle, template, smsTemplate }: WhatsappWizardState): AudienceFill {
  const { values, smsCustomParams, smsFailover } = handle.draft
  const slots = template ? slotsOf(template) : []
  const params = smsFailover ? (smsTemplate?.variables ?? []) : []
  return {
    variables: [
      ...slots.map((slot) => ({
        label: placeOf(slot),
        column: columnNameOf(slot),
        sample: slot.sample,
        source: slot.read(values),
      })),
      ...params.map(({ name, sample }, index) => ({
        label: `${name} of SMS`,
        column: name,
        sample,
        source: smsCustomParams[index],
      })),
    ],
    onSources(changes) {
      const ofSms = changes.filter(({ index }) => index >= slots.length)
      handle.change({
        values: changes.reduce((filled, { index, source }) => slots[index]?.write(filled, source) ?? filled, values),
        smsCustomParams: ofSms.reduce(
          (sources, { index, source }) =>
            withSource(sources, { index: index - slots.length, source, count: params.length }),
          smsCustomParams,
        ),
      })
    },
  }
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
    if (column !== undefined) used.set(column, placeOf(slot))
  }
  const { media } = draft.values
  if (media && 'column' in media) used.set(media.column, 'header')
  return used
}

/** Most variables are in the text; for others the location is added. */
function placeOf(slot: Slot): string {
  return slot.place === 'body' ? slotLabel(slot) : `${slotLabel(slot)}, ${slot.usedIn.toLowerCase()}`
}

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
  const campaign = {
    campaignName,
    waba_id,
    phone_number_id: number?.phone_number_id,
    message: { templateId, values },
    ...failover,
    schedule,
    ...(skipRecent ? { skipRecent } : {}),
    ...(splitOverDays ? { splitOverDays } : {}),
  }
  return asRequest(campaign, audience)
}
