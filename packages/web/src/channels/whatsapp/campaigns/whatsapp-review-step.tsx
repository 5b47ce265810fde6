import type { WhatsappEstimate } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { categoryLabels } from '../template-labels.tsx'
import { countOf, formatCount, formatMoney } from '../../../lib/format.ts'
import { peopleToSend } from '../../../features/campaigns/dialogs/recipients-to-send.ts'
import { CountryLines } from '../../../features/campaigns/wizard/country-lines.tsx'
import { ReviewStep } from '../../../features/campaigns/wizard/review-step.tsx'
import type { SummaryFact } from '../../../features/campaigns/wizard/review-summary.tsx'
import { TestSend } from '../../../features/campaigns/wizard/test-send.tsx'
import { branchCosts } from '../../../features/campaigns/wizard/failover/branch-costs.ts'
import { shortConditionLabel } from '../../../features/campaigns/wizard/failover/failover-labels.ts'
import type { WhatsappWizardState } from './use-whatsapp-wizard.ts'
import { whatsappStepLabels, whatsappSteps, type WhatsappStep } from './whatsapp-draft-state.ts'
import { rowName } from './whatsapp-rail.tsx'
import { WhatsappReviewChecks } from './whatsapp-review-checks.tsx'
import { slotsOf } from './whatsapp-slots.ts'

type WhatsappReviewStepProps = { wizard: WhatsappWizardState; onStep: (step: WhatsappStep) => void }

/** The review of a WhatsApp campaign, with what both channels cost. */
export function WhatsappReviewStep({ wizard, onStep }: WhatsappReviewStepProps) {
  const { handle, counted, open, seq } = wizard
  return (
    <ReviewStep
      wizard={wizard}
      steps={{ ids: whatsappSteps, labels: whatsappStepLabels, open }}
      facts={factsOf(wizard)}
      onStep={onStep}
      checks={counted ? <WhatsappReviewChecks handle={handle} estimate={counted} onStep={onStep} /> : null}
      beside={
        counted ? (
          <div className="flex min-w-0 flex-col gap-6">
            <TestSend
              channel="whatsapp"
              flush={handle.flush}
              seq={seq}
              name={rowName(wizard)}
              cost={counted.pricePerPart ?? undefined}
            />
            <Branches estimate={counted} isOn={handle.draft.smsFailover} />
          </div>
        ) : null
      }
    />
  )
}

/** Cost of each channel, from no failover to failover of all recipients. */
function Branches({ estimate, isOn }: { estimate: WhatsappEstimate; isOn: boolean }) {
  const { cost, failoverCost, prices, failoverPrices } = estimate
  const people = peopleToSend(estimate)
  const { least, more, most } = branchCosts({ cost, failoverCost })
  return (
    <section aria-labelledby="branches-title">
      <h2 id="branches-title" className="mb-1 min-h-8 text-section font-semibold">
        Cost breakdown
      </h2>
      <dl className="border-y border-border tabular-nums">
        <Line label={`WhatsApp, ${countOf(people, 'person', 'people')}`} value={formatMoney(least)} />
        <CountryLines prices={prices} total={least} />
        {isOn ? (
          <Line label={`SMS, if all ${formatCount(people)} fall back`} value={`up to ${formatMoney(more)}`} />
        ) : null}
        <CountryLines prices={failoverPrices} total={more} shown={isOn} />
        <Line
          label="Total"
          value={isOn ? `between ${formatMoney(least)} and ${formatMoney(most)}` : formatMoney(most)}
        />
      </dl>
      <p className="mt-1.5 text-caption text-muted-foreground">
        WhatsApp charges per delivered message. Unused reserved balance is returned.
      </p>
    </section>
  )
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-3 border-b border-line last:border-0 last:font-medium">
      <dt className="min-w-0 text-dense text-muted-foreground">{label}</dt>
      <dd className="text-right">{value}</dd>
    </div>
  )
}

function factsOf(wizard: WhatsappWizardState): SummaryFact<WhatsappStep>[] {
  const { audience, number, template } = wizard
  return [
    {
      label: 'Audience',
      value: audience && countOf(audience.accepted, 'person', 'people'),
      note: audience?.fileName,
      step: 'audience',
    },
    { label: 'Sender', value: number?.verifiedName, note: number?.displayPhoneNumber, step: 'template' },
    {
      label: 'Template',
      value: template?.name,
      note: template && categoryLabels[template.category],
      step: 'template',
    },
    personalised(wizard),
    failoverFact(wizard),
  ]
}

function personalised({ template, counted }: WhatsappWizardState): SummaryFact<WhatsappStep> {
  const missing = counted?.missing ?? 0
  const count = template ? slotsOf(template).length : 0
  const words = count > 0 ? countOf(count, 'variable') : 'Same text for everyone'
  return {
    label: 'Personalised',
    value: template && words,
    note: missing > 0 ? `${formatCount(missing)} skipped` : undefined,
    step: 'personalise',
  }
}

function failoverFact({ handle: { draft }, smsTemplate }: WhatsappWizardState): SummaryFact<WhatsappStep> {
  if (!draft.smsFailover) return { label: 'Failover', value: 'WhatsApp alone', step: 'failover' }
  const note = draft.smsFailoverConditions.map(shortConditionLabel).join(', ')
  return { label: 'Failover', value: smsTemplate?.name, note, step: 'failover' }
}
