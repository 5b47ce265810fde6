import type { SavedSmsDraft } from '@carillon/contract/campaign-drafts'
import { useState } from 'react'
import { countOf, formatCount, formatUnitPrice } from '../../../lib/format.ts'
import { ShowAsApi } from '../../../ui/show-as-api.tsx'
import { asRequest } from '../../parts/as-request.ts'
import type { AudienceFill } from '../../parts/audience-fill.ts'
import { AudienceStep } from '../../../features/campaigns/wizard/audience-step.tsx'
import { CampaignWizard } from '../../../features/campaigns/wizard/campaign-wizard.tsx'
import { ConsentField } from '../../../features/campaigns/wizard/consent-field.tsx'
import { withSource } from '../../parts/variable-sources.ts'
import type { WizardProps } from '../../../features/campaigns/wizard/wizard-page.tsx'
import { judgedSteps } from '../../../features/campaigns/wizard/wizard-steps.ts'
import { smsStepLabels, smsSteps, type SmsStep } from './sms-draft-state.ts'
import { SmsPersonaliseStep } from './sms-personalise-step.tsx'
import { recipientName, SmsRail } from './sms-rail.tsx'
import { SmsReviewStep } from './sms-review-step.tsx'
import { SmsTemplateStep } from './sms-template-step.tsx'
import { useSmsWizard, type SmsWizardState } from './use-sms-wizard.ts'

/** SMS campaign wizard, with a real recipient's phone next to every step. */
export function SmsWizard({ step, onStep, ...opened }: WizardProps<SavedSmsDraft, SmsStep>) {
  const wizard = useSmsWizard(opened)
  const [focused, setFocused] = useState<string>()
  const { open } = wizard
  return (
    <CampaignWizard
      channel="sms"
      handle={wizard.handle}
      steps={{ ids: smsSteps, labels: smsStepLabels, open, judged: judgedSteps(open) }}
      step={step}
      onStep={onStep}
      counted={wizard.counted}
      isCounting={wizard.isCounting}
      asApi={<ShowAsApi compact call="smsCampaigns.create" {...requestOf(wizard)} />}
      rail={<SmsRail wizard={wizard} focused={focused} />}
      shown={recipientName(wizard) ?? wizard.template?.name}
      railCaption={captionOf(wizard)}
    >
      <Step step={step} wizard={wizard} onStep={onStep} onFocus={setFocused} />
    </CampaignWizard>
  )
}

type StepProps = {
  step: SmsStep
  wizard: SmsWizardState
  onStep: (step: SmsStep) => void
  onFocus: (variable: string | undefined) => void
}

function Step({ step, wizard, onStep, onFocus }: StepProps) {
  const { handle, choose } = wizard
  switch (step) {
    case 'audience':
      return (
        <AudienceStep
          channel="sms"
          handle={wizard.audienceHandle}
          fill={fillOf(wizard)}
          usedColumns={usedColumns(wizard)}
          consent={
            wizard.template === undefined || wizard.template.category === 'promotional' ? (
              <ConsentField
                channel="sms"
                isGiven={handle.draft.hasConsent ?? false}
                onChange={(hasConsent) => handle.change({ hasConsent })}
              />
            ) : null
          }
        />
      )
    case 'template':
      return (
        <SmsTemplateStep
          accountId={handle.draft.smsAccountId}
          templateId={handle.draft.templateId}
          onAccount={choose.account}
          onTemplate={choose.template}
        />
      )
    case 'personalise':
      return <SmsPersonaliseStep wizard={wizard} onStep={onStep} onFocus={onFocus} />
    case 'review':
      return <SmsReviewStep wizard={wizard} onStep={onStep} />
  }
}

function captionOf({ preview }: SmsWizardState): string | undefined {
  return preview
    ? `Row ${formatCount(preview.seq + 1)} · ${countOf(preview.parts, 'part')} · ${formatUnitPrice(preview.cost)}`
    : undefined
}

function fillOf({ handle, template }: SmsWizardState): AudienceFill {
  const names = template?.variables ?? []
  return {
    variables: names.map(({ name, sample }, index) => ({
      label: name,
      column: name,
      sample,
      source: handle.draft.variables[index],
    })),
    onSources: (changes) =>
      handle.change({
        variables: changes.reduce(
          (sources, change) => withSource(sources, { ...change, count: names.length }),
          handle.draft.variables,
        ),
      }),
  }
}

function usedColumns({ handle: { draft }, template }: SmsWizardState): ReadonlyMap<number, string> {
  return new Map(
    draft.variables.flatMap(({ column }, index): [number, string][] =>
      column === undefined ? [] : [[column, template?.variables[index]?.name ?? `variable ${index + 1}`]],
    ),
  )
}

function requestOf({ handle: { draft }, audience }: SmsWizardState) {
  const { campaignName, smsAccountId, templateId, variables, schedule, skipRecent } = draft
  const rules = skipRecent ? { skipRecent } : {}
  return asRequest({ campaignName, smsAccountId, templateId, variables, schedule, ...rules }, audience)
}
