import type { Estimate } from '@carillon/contract/campaigns'
import { ArrowLeft } from 'lucide-react'
import { mayCall } from '../../../lib/call.ts'
import { countOf, formatMoney } from '../../../lib/format.ts'
import { askForTopUp } from '../../../lib/top-up.ts'
import { Button } from '../../../ui/button.tsx'
import { CostBar } from '../../../ui/cost-bar.tsx'
import { stepLabels, wizardSteps, type WizardStep } from './draft-state.ts'

type WizardFootProps = {
  step: WizardStep
  onStep: (step: WizardStep) => void
  estimate: Estimate | undefined
  isCounting: boolean
  isPreparing: boolean
  isHeld: boolean
  isLater: boolean
  campaignName: string
  onSend: () => void
  onSaveForApproval: () => void
}

/** The cost, and the way on: next, send, save for approval, or the request that makes sending possible. */
export function WizardFoot(props: WizardFootProps) {
  const { step, onStep, estimate, isCounting } = props
  const place = wizardSteps.indexOf(step)
  const before = wizardSteps[place - 1]
  const next = wizardSteps[place + 1]
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
              Next: {stepLabels[next]}
            </Button>
          ) : (
            <LastAction {...props} />
          )}
        </>
      }
    />
  )
}

function LastAction({
  estimate,
  isPreparing,
  isHeld,
  isLater,
  campaignName,
  onSend,
  onSaveForApproval,
}: WizardFootProps) {
  if (!mayCall('smsCampaigns.start')) {
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
