import { categoryLabels, senderName } from '../sender-name.ts'
import { countOf, formatCount } from '../../../lib/format.ts'
import { CountryCosts } from '../../../features/campaigns/wizard/country-lines.tsx'
import { ReviewStep } from '../../../features/campaigns/wizard/review-step.tsx'
import { TestSend } from '../../../features/campaigns/wizard/test-send.tsx'
import type { SummaryFact } from '../../../features/campaigns/wizard/review-summary.tsx'
import { smsStepLabels, smsSteps, type SmsStep } from './sms-draft-state.ts'
import { recipientName } from './sms-rail.tsx'
import { SmsReviewChecks } from './sms-review-checks.tsx'
import type { SmsWizardState } from './use-sms-wizard.ts'

type SmsReviewStepProps = { wizard: SmsWizardState; onStep: (step: SmsStep) => void }

/** Review of an SMS campaign, with a test send. */
export function SmsReviewStep({ wizard, onStep }: SmsReviewStepProps) {
  const { handle, template, audience, counted, preview, seq, open } = wizard
  return (
    <ReviewStep
      wizard={wizard}
      steps={{ ids: smsSteps, labels: smsStepLabels, open }}
      facts={factsOf(wizard)}
      onStep={onStep}
      checks={
        counted && template ? (
          <SmsReviewChecks wizard={wizard} estimate={counted} template={template} onStep={onStep} />
        ) : null
      }
      beside={
        template && audience ? (
          <TestSend
            channel="sms"
            flush={handle.flush}
            seq={seq}
            name={recipientName(wizard)}
            parts={preview?.parts}
            cost={preview?.cost}
          />
        ) : null
      }
    >
      <CountryCosts prices={counted?.prices ?? []} />
    </ReviewStep>
  )
}

function factsOf(wizard: SmsWizardState): SummaryFact<SmsStep>[] {
  const { template, audience } = wizard
  return [
    {
      label: 'Audience',
      value: audience && countOf(audience.accepted, 'person', 'people'),
      note: audience?.fileName,
      step: 'audience',
    },
    {
      label: 'Sender',
      value: template && <span className="font-mono">{template.header}</span>,
      note: template && `as ${senderName(template.header, template.category)}`,
      step: 'template',
    },
    { label: 'Template', value: template?.name, note: template && categoryLabels[template.category], step: 'template' },
    personalised(wizard),
  ]
}

function personalised({ handle: { draft }, template, counted }: SmsWizardState): SummaryFact<SmsStep> {
  const names = template?.variables.map(({ name }) => name).join(', ')
  const fallbacks = draft.variables.filter(({ column, fallback }) => column !== undefined && fallback !== '').length
  const missing = counted?.missing ?? 0
  return {
    label: 'Personalised',
    value: template && (names || 'Same text for everyone'),
    note: missing > 0 ? `${formatCount(missing)} skipped` : fallbacks > 0 ? countOf(fallbacks, 'fallback') : undefined,
    step: 'personalise',
  }
}
