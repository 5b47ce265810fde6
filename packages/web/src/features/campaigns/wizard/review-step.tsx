import type { Estimate } from '@carillon/contract/campaign-drafts'
import { channelTraits } from '@carillon/contract/channels/table'
import { useState } from 'react'
import type { SummaryFact, WizardStep } from '../../../channels/channel-campaigns.ts'
import { countOf, formatMoney } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { testFacts } from '../ab-tests/ab-facts.ts'
import { isDivided } from '../failover/branch-costs.ts'
import { CostBreakdown } from '../failover/cost-breakdown.tsx'
import { shortConditionLabel } from '../failover/failover-labels.ts'
import { CampaignSplit } from './campaign-split.tsx'
import { CountryCosts } from './country-lines.tsx'
import type { ShownGroup } from './draft-recipients-sheet.tsx'
import { IgnoreCapField } from './ignore-cap-field.tsx'
import { ReviewChecks } from './review-checks.tsx'
import { ReviewSummary } from './review-summary.tsx'
import { SendWindowField } from './send-window-field.tsx'
import { SkipRecentField } from './skip-recent-field.tsx'
import { TestSend } from './test-send.tsx'
import type { Failover } from './use-legs.ts'
import type { WizardState } from './use-wizard.ts'
import { WizardReach } from './wizard-reach.tsx'
import { WhenField } from './when-field.tsx'

const DraftRecipientsSheet = lazyDialog(() =>
  import('./draft-recipients-sheet.tsx').then((code) => code.DraftRecipientsSheet),
)

type ReviewStepProps = { wizard: WizardState; onStep: (step: WizardStep) => void }

/** Summary, checks, start time, test send and cost. */
export function ReviewStep({ wizard, onStep }: ReviewStepProps) {
  const { handle, counted, failover } = wizard
  const { schedule, skipRecent, sendWindow } = handle.draft
  return (
    <div className="flex flex-col gap-6">
      <ReviewSummary facts={factsOf(wizard)} onStep={onStep} />
      <Findings wizard={wizard} onStep={onStep} />
      <WizardReach wizard={wizard} />
      {failover || wizard.test.isOn ? null : <CountryCosts prices={counted?.prices ?? []} />}
      <div className="grid grid-cols-2 gap-8 max-xl:grid-cols-1 max-xl:gap-6">
        <div>
          <WhenField schedule={schedule} estimate={counted} onSchedule={(next) => handle.change({ schedule: next })} />
          <SendWindowField
            label="Send only between"
            otherwise="At any hour that the channel and the template allow."
            window={sendWindow}
            timezone={schedule.timezone}
            onWindow={(next) => handle.change({ sendWindow: next })}
          />
          <SkipRecentField skipRecent={skipRecent} onSkipRecent={(next) => handle.change({ skipRecent: next })} />
          <IgnoreCapField wizard={wizard} />
        </div>
        <Beside wizard={wizard} />
      </div>
    </div>
  )
}

/** Next to the time: test send, and the cost of each channel if there are several. */
function Beside({ wizard }: { wizard: WizardState }) {
  const { channels, handle, first, failover, test, counted, recipient, recipientName, seq, isWhole } = wizard
  if (!isWhole) return null
  // Of the first message.
  const { parts, cost } = (test.shown === 0 ? first.rowFacts({ recipient, estimate: counted }) : undefined) ?? {}
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <TestSend
        flush={handle.flush}
        seq={seq}
        variant={test.isOn ? test.shown : undefined}
        name={recipientName}
        parts={parts}
        cost={cost ?? undefined}
      />
      {counted && counted.legs.length > 1 ? <ListedSplit wizard={wizard} estimate={counted} /> : null}
      {failover && counted && !isDivided(counted) ? (
        <CostBreakdown estimate={counted} note={channels.first.editor.costNote} />
      ) : null}
    </div>
  )
}

/** The split, with sheets that list its people. */
function ListedSplit({ wizard: { handle, audience }, estimate }: { wizard: WizardState; estimate: Estimate }) {
  const [shown, setShown] = useState<{ group: ShownGroup; figure: number }>()
  const { id } = handle
  if (!id || !audience) return <CampaignSplit estimate={estimate} />
  return (
    <>
      <CampaignSplit estimate={estimate} onList={(group, figure) => setShown({ group, figure })} />
      {shown ? (
        <DraftRecipientsSheet
          draftId={id}
          shown={shown.group}
          figure={shown.figure}
          audience={audience}
          onClose={() => setShown(undefined)}
        />
      ) : null}
    </>
  )
}

function Findings({ wizard, onStep }: ReviewStepProps) {
  const { isWhole, counted, estimate, steps } = wizard
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
      {counted ? <ReviewChecks wizard={wizard} estimate={counted} onStep={onStep} /> : null}
      {counted && counted.shortfall > 0 ? (
        <Notice tone="care">
          The balance is <b>{formatMoney(counted.shortfall)}</b> short. The draft is saved. Request a top-up below and
          send the campaign once the balance is added.
        </Notice>
      ) : null}
    </>
  )
}

function factsOf(wizard: WizardState): SummaryFact[] {
  const { audience, first, failover, counted } = wizard
  const people: SummaryFact = {
    label: 'Audience',
    value: audience && countOf(audience.accepted, 'person', 'people'),
    note: audience?.fileName,
    step: 'audience',
  }
  // Two facts of a message stand side by side.
  if (wizard.kind.isUnified) return [...unifiedFacts(wizard), people, ...testFacts(wizard)]
  return [people, ...first.facts(counted), ...testFacts(wizard), ...(failover ? failoverFacts(wizard, failover) : [])]
}

/** Each message with its sender, template and conditions. */
function unifiedFacts({ legs, counted }: WizardState): SummaryFact[] {
  return legs.flatMap(({ channel, chosen, leg }, index): SummaryFact[] => {
    const before = legs[index - 1]
    const { label } = channelTraits[channel]
    const outcomes = before?.editor.outcomes(label) ?? []
    return [
      { label, value: leg.template?.name, note: leg.facts(counted)[0]?.value, step: 'template' },
      {
        label: before ? 'Sent if' : 'Sent to',
        id: `${channel}-conditions`,
        isLong: true,
        value: before
          ? chosen.entryConditions.map((condition) => shortConditionLabel(condition, outcomes)).join(', ')
          : 'Everyone',
        step: 'conditions',
      },
    ]
  })
}

function failoverFacts({ channels }: WizardState, { legs }: Failover): SummaryFact[] {
  const enabled = legs.filter(({ chosen }) => chosen.isEnabled)
  if (enabled.length === 0)
    return [{ label: 'Failover', value: `${channelTraits[channels.first.channel].label} only`, step: 'failover' }]
  return enabled.map(({ channel, chosen, leg, before }, index) => {
    const { editor } = channels.others.find((one) => one.channel === before) ?? channels.first
    const outcomes = editor.outcomes(channelTraits[channel].label)
    const note = chosen.entryConditions.map((condition) => shortConditionLabel(condition, outcomes)).join(', ')
    const label = index === 0 ? 'Failover' : `Then ${channelTraits[channel].label}`
    return { label, value: leg.template?.name, note, step: 'failover' }
  })
}
