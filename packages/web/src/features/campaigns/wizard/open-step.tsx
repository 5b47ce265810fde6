import { Checkbox } from '../../../ui/checkbox.tsx'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { audienceFillOf, usedColumnsOf } from './audience-fill-of.ts'
import { TestedMessages } from '../ab-tests/tested-messages.tsx'
import { AudienceStep } from './audience-step.tsx'
import { FailoverStep } from '../failover/failover-step.tsx'
import { PersonaliseStep } from './personalise-step.tsx'
import { ChannelsStep, ConditionsStep, TemplatesStep } from '../unified-wizard/lazy-steps.tsx'
import { ReviewStep } from './review-step.tsx'
import type { WizardState } from './use-wizard.ts'

type OpenStepProps = {
  step: WizardStep
  wizard: WizardState
  onStep: (step: WizardStep) => void
  onFocus: (variable: string | undefined) => void
}

/** The form of the current step. */
export function OpenStep({ step, wizard, onStep, onFocus }: OpenStepProps) {
  const { channels, first, failover, counted } = wizard
  switch (step) {
    case 'audience':
      return (
        <AudienceStep
          channel={channels.first.channel}
          handle={wizard.audienceHandle}
          fill={audienceFillOf(wizard)}
          usedColumns={usedColumnsOf(wizard)}
          consent={<ConsentField wizard={wizard} />}
        />
      )
    case 'channels':
      return <ChannelsStep wizard={wizard} />
    case 'conditions':
      return <ConditionsStep wizard={wizard} onStep={onStep} />
    case 'template':
      return wizard.kind.isUnified ? (
        <TemplatesStep wizard={wizard} onStep={onStep} onFocus={onFocus} />
      ) : (
        <TestedMessages wizard={wizard} onStep={onStep} onFocus={onFocus}>
          {first.templateStep(counted)}
        </TestedMessages>
      )
    case 'personalise':
      return <PersonaliseStep wizard={wizard} onStep={onStep} onFocus={onFocus} />
    case 'failover':
      return failover ? <FailoverStep wizard={wizard} failover={failover} onStep={onStep} onFocus={onFocus} /> : null
    case 'review':
      return <ReviewStep wizard={wizard} onStep={onStep} />
  }
}

/** The sender confirms the recipients' consent; the review lists it among its checks. */
function ConsentField({ wizard: { first, test, handle } }: { wizard: WizardState }) {
  const variant = test.variants.find(({ leg }) => leg.template && leg.consent)
  const consent = first.consent ?? variant?.leg.consent
  if (!consent) return null
  return (
    <Checkbox
      {...consent}
      checked={handle.draft.hasConsent ?? false}
      onChange={(event) => handle.change({ hasConsent: event.target.checked })}
    />
  )
}
