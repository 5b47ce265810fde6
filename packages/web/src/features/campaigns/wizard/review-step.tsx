import type { Audience } from '@carillon/contract/audience'
import type { CampaignDraft, VariableSource } from '@carillon/contract/campaign-records'
import type { Estimate, RecipientPreview } from '@carillon/contract/campaign-drafts'
import type { SmsTemplate } from '@carillon/contract/templates'
import { categoryLabels, senderName } from '../../../channels/sms/sender-name.ts'
import { countOf, formatCount, formatMoney } from '../../../lib/format.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { CountryCosts } from './country-lines.tsx'
import type { WizardStep } from './draft-state.ts'
import { recipientName } from './preview-rail.tsx'
import { ReviewChecks } from './review-checks.tsx'
import { ReviewSummary, type SummaryFact } from './review-summary.tsx'
import { SkipRecentField } from './skip-recent-field.tsx'
import { TestSend } from './test-send.tsx'
import { WhenField } from './when-field.tsx'
import { tomorrowAt } from './zoned-time.ts'

type ReviewStepProps = {
  draft: CampaignDraft
  template: SmsTemplate | undefined
  audience: Audience | undefined
  estimate: { data: Estimate | undefined; error: Error | null; isWaiting: boolean; retry: () => void }
  preview: RecipientPreview | undefined
  seq: number
  problem: string | undefined
  flush: () => Promise<string | undefined>
  onChange: (patch: Partial<CampaignDraft>) => void
  onJump: (seq: number) => void
  onStep: (step: WizardStep) => void
}

/** All of it once more, what the checks say, when it goes out, and a test before it does. */
export function ReviewStep(props: ReviewStepProps) {
  const { draft, template, audience, estimate, preview, seq, problem, flush, onChange, onStep } = props
  return (
    <div className="flex flex-col gap-6">
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <ReviewSummary
        facts={factsOf({ template, audience, sources: draft.variables, missing: estimate.data?.missing ?? 0 })}
        onStep={onStep}
      />
      <Findings {...props} />
      <CountryCosts prices={estimate.data?.prices ?? []} />
      <div className="grid grid-cols-2 gap-8 max-xl:grid-cols-1 max-xl:gap-6">
        <div>
          <WhenField
            schedule={draft.schedule}
            estimate={estimate.data}
            onSchedule={(schedule) => onChange({ schedule })}
          />
          <SkipRecentField skipRecent={draft.skipRecent} onSkipRecent={(skipRecent) => onChange({ skipRecent })} />
        </div>
        {template && audience ? (
          <TestSend
            flush={flush}
            seq={seq}
            name={recipientName(preview, audience)}
            parts={preview?.parts}
            cost={preview?.cost}
          />
        ) : null}
      </div>
    </div>
  )
}

function Findings({ draft, template, estimate, seq, onChange, onJump, onStep }: ReviewStepProps) {
  const { data, error, isWaiting, retry } = estimate
  const { timezone } = draft.schedule

  function startTomorrow() {
    const startAt = tomorrowAt('10:00', timezone)
    if (startAt) onChange({ schedule: { timezone, startAt } })
  }

  if (isWaiting) {
    return (
      <Loading label="Checking every row">
        <SkeletonLines count={5} />
      </Loading>
    )
  }
  return (
    <>
      {error ? <Failure error={error} onRetry={retry} /> : null}
      {data && template ? (
        <ReviewChecks
          estimate={data}
          seq={seq}
          template={template}
          sources={draft.variables}
          onJump={onJump}
          onStep={onStep}
          onSources={(variables) => onChange({ variables })}
          onTomorrow={startTomorrow}
        />
      ) : null}
      {data && data.shortfall > 0 ? (
        <Notice tone="care">
          The balance is <b>{formatMoney(data.shortfall)}</b> short. The draft is kept: request a top-up with the button
          below, and send it when the balance has come.
        </Notice>
      ) : null}
    </>
  )
}

type Facts = {
  template: SmsTemplate | undefined
  audience: Audience | undefined
  sources: readonly VariableSource[]
  missing: number
}

function factsOf({ template, audience, sources, missing }: Facts): SummaryFact<WizardStep>[] {
  const names = template?.variables.map(({ name }) => name).join(', ')
  const fallbacks = sources.filter(({ column, fallback }) => column !== undefined && fallback !== '').length
  const gaps =
    missing > 0 ? `${formatCount(missing)} skipped` : fallbacks > 0 ? countOf(fallbacks, 'fallback') : undefined
  return [
    {
      label: 'Audience',
      value: audience ? countOf(audience.accepted, 'person', 'people') : undefined,
      note: audience?.fileName,
      step: 'audience',
    },
    {
      label: 'Sender',
      value: template ? <span className="font-mono">{template.header}</span> : undefined,
      note: template ? `as ${senderName(template.header, template.category)}` : undefined,
      step: 'template',
    },
    {
      label: 'Template',
      value: template?.name,
      note: template ? categoryLabels[template.category] : undefined,
      step: 'template',
    },
    {
      label: 'Personalised',
      value: template ? names || 'Same text for everyone' : undefined,
      note: gaps,
      step: 'personalise',
    },
  ]
}
