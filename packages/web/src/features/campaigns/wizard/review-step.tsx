import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { ReactNode } from 'react'
import type { CallError } from '../../../lib/call.ts'
import { formatMoney } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { ReviewSummary, type SummaryFact } from './review-summary.tsx'
import { SkipRecentField } from './skip-recent-field.tsx'
import type { CommonDraft, DraftHandle } from './use-draft.ts'
import { WhenField } from './when-field.tsx'
import type { WizardSteps } from './wizard-steps.ts'

type Counted = Pick<Estimate, 'shortfall' | 'beginsAt' | 'endsAt' | 'durationSeconds'>

/** What the review of every channel reads of its wizard. */
type Reviewed = {
  handle: DraftHandle<CommonDraft>
  /** Whether all is chosen and saved, so that the server counts. */
  isWhole: boolean
  counted: Counted | undefined
  estimate: { error: CallError | null; isLoading: boolean; refetch: () => unknown }
}

type ReviewStepProps<Step extends string> = {
  wizard: Reviewed
  steps: Pick<WizardSteps<Step>, 'ids' | 'labels' | 'open'>
  facts: readonly SummaryFact<Step>[]
  onStep: (step: Step) => void
  /** What the server found over all rows, once it has. */
  checks: ReactNode
  /** Next to the time: test send and cost. */
  beside: ReactNode
  /** Under the checks. */
  children?: ReactNode
}

/** Summary, checks and start time. */
export function ReviewStep<Step extends string>(props: ReviewStepProps<Step>) {
  const { wizard, steps, facts, onStep, checks, beside, children } = props
  const { handle, counted } = wizard
  const { schedule, skipRecent } = handle.draft
  return (
    <div className="flex flex-col gap-6">
      <ReviewSummary facts={facts} onStep={onStep} />
      <Findings wizard={wizard} steps={steps} onStep={onStep} checks={checks} />
      {children}
      <div className="grid grid-cols-2 gap-8 max-xl:grid-cols-1 max-xl:gap-6">
        <div>
          <WhenField schedule={schedule} estimate={counted} onSchedule={(next) => handle.change({ schedule: next })} />
          <SkipRecentField skipRecent={skipRecent} onSkipRecent={(next) => handle.change({ skipRecent: next })} />
        </div>
        {beside}
      </div>
    </div>
  )
}

type FindingsProps<Step extends string> = Pick<ReviewStepProps<Step>, 'wizard' | 'steps' | 'onStep' | 'checks'>

function Findings<Step extends string>({ wizard, steps, onStep, checks }: FindingsProps<Step>) {
  const { isWhole, counted, estimate } = wizard
  const lacking = steps.ids.filter((step) => steps.open[step] > 0)

  if (!isWhole && lacking.length > 0) {
    return (
      <Notice
        tone="care"
        actions={lacking.map((step) => (
          <Button key={step} size="tool" className="text-foreground" onClick={() => onStep(step)}>
            {steps.labels[step]}
          </Button>
        ))}
      >
        Complete the earlier steps to see checks and cost.
      </Notice>
    )
  }
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
      {checks}
      {counted && counted.shortfall > 0 ? (
        <Notice tone="care">
          The balance is <b>{formatMoney(counted.shortfall)}</b> short. The draft is saved. Request a top-up below, and
          send it once the balance arrives.
        </Notice>
      ) : null}
    </>
  )
}
