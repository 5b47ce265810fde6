import type { WhatsappEstimate } from '@carillon/contract/whatsapp-campaigns'
import { categoryLabels, languageLabel } from '../../../channels/whatsapp/template-words.tsx'
import { countOf, formatCount, formatMoney } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { CountryLines } from './country-lines.tsx'
import { shortWords } from './failover-words.ts'
import { ReviewSummary, type SummaryFact } from './review-summary.tsx'
import type { WhatsappWizardState } from './use-whatsapp-wizard.ts'
import { SkipRecentField } from './skip-recent-field.tsx'
import { WhenField } from './when-field.tsx'
import { whatsappStepLabels, whatsappSteps, type WhatsappStep } from './whatsapp-draft-state.ts'
import { WhatsappReviewChecks } from './whatsapp-review-checks.tsx'
import { slotsOf } from './whatsapp-slots.ts'

type WhatsappReviewStepProps = {
  wizard: WhatsappWizardState
  problem: string | undefined
  onStep: (step: WhatsappStep) => void
}

/** All of it once more, what the checks say, what both channels cost, and when it goes out. */
export function WhatsappReviewStep({ wizard, problem, onStep }: WhatsappReviewStepProps) {
  const { handle, counted } = wizard
  return (
    <div className="flex flex-col gap-6">
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <ReviewSummary facts={factsOf(wizard)} onStep={onStep} />
      <Findings wizard={wizard} onStep={onStep} />
      <div className="grid grid-cols-2 gap-8 max-xl:grid-cols-1 max-xl:gap-6">
        <div>
          <WhenField
            schedule={handle.draft.schedule}
            estimate={counted}
            onSchedule={(schedule) => handle.change({ schedule })}
          />
          <SkipRecentField
            skipRecent={handle.draft.skipRecent}
            onSkipRecent={(skipRecent) => handle.change({ skipRecent })}
          />
        </div>
        {counted ? <Branches estimate={counted} isOn={handle.draft.smsFailover} /> : null}
      </div>
    </div>
  )
}

type FindingsProps = Pick<WhatsappReviewStepProps, 'wizard' | 'onStep'>

function Findings({ wizard, onStep }: FindingsProps) {
  const { handle, estimate, counted, isWhole, open } = wizard
  const lacking = whatsappSteps.filter((step) => open[step] > 0)

  if (!isWhole && lacking.length > 0) return <Lacking steps={lacking} onStep={onStep} />
  if (estimate.isLoading || (!counted && !estimate.error)) {
    return (
      <Loading label="Checking every row">
        <SkeletonLines count={5} />
      </Loading>
    )
  }
  return (
    <>
      {estimate.error ? <Failure error={estimate.error} onRetry={() => void estimate.refetch()} /> : null}
      {counted ? <WhatsappReviewChecks handle={handle} estimate={counted} onStep={onStep} /> : null}
      {counted && counted.shortfall > 0 ? (
        <Notice tone="care">
          The balance is <b>{formatMoney(counted.shortfall)}</b> short. The draft is kept: request a top-up with the
          button below, and send it when the balance has come.
        </Notice>
      ) : null}
    </>
  )
}

function Lacking({ steps, onStep }: { steps: readonly WhatsappStep[]; onStep: (step: WhatsappStep) => void }) {
  return (
    <Notice
      tone="care"
      actions={steps.map((step) => (
        <Button key={step} size="tool" className="text-foreground" onClick={() => onStep(step)}>
          {whatsappStepLabels[step]}
        </Button>
      ))}
    >
      Something is still to be chosen. Checks and cost appear when everything is there.
    </Notice>
  )
}

/** What each of the two channels costs, from nobody going on to everybody. */
function Branches({ estimate, isOn }: { estimate: WhatsappEstimate; isOn: boolean }) {
  const { cost, failoverCost, people, missing, prices, failoverPrices } = estimate
  const reached = countOf(people - missing, 'person', 'people')
  return (
    <section aria-labelledby="branches-title">
      <h2 id="branches-title" className="mb-1 min-h-8 text-section font-semibold">
        What it costs
      </h2>
      <dl className="border-y border-border tabular-nums">
        <Line label={`WhatsApp, ${reached}`} value={formatMoney(cost - failoverCost)} />
        <CountryLines prices={prices} />
        {isOn ? (
          <Line
            label={`SMS, if all ${formatCount(people - missing)} go on`}
            value={`up to ${formatMoney(failoverCost)}`}
          />
        ) : null}
        <CountryLines prices={failoverPrices} shown={isOn} />
        <Line
          label="Together"
          value={isOn ? `between ${formatMoney(cost - failoverCost)} and ${formatMoney(cost)}` : formatMoney(cost)}
        />
      </dl>
      <p className="mt-1.5 text-caption text-muted-foreground">
        WhatsApp is paid for what is delivered. What is set aside and not used returns to the balance.
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
      note: template && `${categoryLabels[template.category]}, ${languageLabel(template.language)}`,
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
  const note = draft.smsFailoverConditions.map(shortWords).join(', ')
  return { label: 'Failover', value: smsTemplate?.name, note, step: 'failover' }
}
