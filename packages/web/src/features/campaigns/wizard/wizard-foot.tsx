import type { Estimate } from '@carillon/contract/campaign-drafts'
import { ArrowLeft } from 'lucide-react'
import { countOf, formatMoney } from '../../../lib/format.ts'
import { askForTopUp } from '../../../lib/top-up.ts'
import { Button } from '../../../ui/button.tsx'
import { CostBar, type Cost } from '../../../ui/cost-bar.tsx'

type WizardFootProps<Step extends string> = {
  steps: readonly Step[]
  labels: Record<Step, string>
  step: Step
  onStep: (step: Step) => void
  estimate: (Cost & Pick<Estimate, 'missing' | 'checks'>) | undefined
  /** Whether the account may start it; else it is saved for somebody who may. */
  mayStart: boolean
  isCounting: boolean
  isPreparing: boolean
  isHeld: boolean
  isLater: boolean
  campaignName: string
  onSend: () => void
  onSaveForApproval: () => void
}

/** The cost, and the way on: next, send, save for approval, or the request that makes sending possible. */
export function WizardFoot<Step extends string>(props: WizardFootProps<Step>) {
  const { steps, labels, step, onStep, estimate, isCounting } = props
  const place = steps.indexOf(step)
  const before = steps[place - 1]
  const next = steps[place + 1]
  return (
    <CostBar
      cost={estimate}
      updating={isCounting}
      actions={
        <>
          {before ? (
            <Button
              variant="ghost"
              size="lg"
              className="max-md:w-12 max-md:border-edge max-md:px-0"
              aria-label="Back"
              onClick={() => onStep(before)}
            >
              <ArrowLeft aria-hidden className="md:hidden" />
              <span className="max-md:hidden">Back</span>
            </Button>
          ) : null}
          {next ? (
            <Button variant="primary" size="lg" onClick={() => onStep(next)}>
              Next: {labels[next]}
            </Button>
          ) : (
            <LastAction {...props} />
          )}
        </>
      }
    />
  )
}

function LastAction<Step extends string>({
  estimate,
  mayStart,
  isPreparing,
  isHeld,
  isLater,
  campaignName,
  onSend,
  onSaveForApproval,
}: WizardFootProps<Step>) {
  if (!mayStart) {
    return (
      <Button variant="primary" size="lg" onClick={onSaveForApproval}>
        Save for approval
      </Button>
    )
  }
  if (estimate && estimate.shortfall > 0) {
    return (
      <Button
        variant="primary"
        size="lg"
        onClick={() => askForTopUp({ amount: estimate.shortfall, note: campaignName })}
      >
        Request {formatMoney(estimate.shortfall)} top-up
      </Button>
    )
  }
  const isBlocked = !estimate || estimate.checks.some(({ level }) => level === 'blocker')
  const people = estimate ? estimate.people - estimate.missing : 0
  return (
    <Button variant="primary" size="lg" loading={isPreparing} disabled={isBlocked || isHeld} onClick={onSend}>
      {estimate
        ? `${isLater ? 'Schedule for' : 'Send to'} ${countOf(people, 'person', 'people')}`
        : isLater
          ? 'Schedule'
          : 'Send'}
    </Button>
  )
}
