import type { Estimate } from '@carillon/contract/campaign-drafts'
import { channelTraits } from '@carillon/contract/channels/table'
import { ArrowLeft } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { mayCall } from '../../../lib/call.ts'
import { countOf, formatMoney } from '../../../lib/format.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { askForTopUp } from '../../../lib/top-up.ts'
import { Button } from '../../../ui/button.tsx'
import { CostBar, type Cost } from '../../../ui/cost-bar.tsx'
import { hasVariants } from '../ab-tests/variant-legs.ts'
import { isDivided } from '../failover/branch-costs.ts'
import { peopleToSend } from '../dialogs/recipients-to-send.ts'
import type { useSend } from './use-send.ts'
import type { WizardState } from './use-wizard.ts'

type WizardFootProps = {
  wizard: WizardState
  step: WizardStep
  onStep: (step: WizardStep) => void
  sending: ReturnType<typeof useSend>
}

/** The cost, and the main action: next, send, save for approval, or the top-up request that makes sending possible. */
export function WizardFoot({ wizard, step, onStep, sending }: WizardFootProps) {
  const { steps, isCounting } = wizard
  const place = steps.ids.indexOf(step)
  const before = steps.ids[place - 1]
  const next = steps.ids[place + 1]
  useHotkeys({
    'Mod+Enter': () => document.querySelector<HTMLElement>('[data-way-on] [data-variant=primary]')?.click(),
    'Mod+Shift+Enter': () => (before ? onStep(before) : undefined),
  })
  return (
    <CostBar
      cost={costOf(wizard)}
      updating={isCounting}
      actions={
        <span data-way-on className="contents">
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
              Next: {steps.labels[next]}
            </Button>
          ) : (
            <LastAction wizard={wizard} sending={sending} />
          )}
        </span>
      }
    />
  )
}

/** Parts only if they are billed; the minimum cost only with failover. */
function costOf({ channels: { first }, counted, failover }: WizardState): Cost | undefined {
  if (!counted) return undefined
  return {
    ...counted,
    people: peopleToSend(counted),
    parts: channelTraits[first.channel].unit === 'part' ? counted.parts : undefined,
    leastCost: leastCostOf(counted, failover !== undefined),
  }
}

function leastCostOf(counted: Estimate, hasFailover: boolean): number | undefined {
  if (hasVariants(counted.legs) || (hasFailover && isDivided(counted))) return counted.range.reachedFrom
  return hasFailover ? counted.legs[0]?.cost : undefined
}

type LastActionProps = Pick<WizardFootProps, 'wizard' | 'sending'>

/** The final button: send; save for approval if the role may not start; request a top-up if the balance is insufficient. */
function LastAction({ wizard: { counted, handle }, sending }: LastActionProps) {
  const { campaignName, schedule } = handle.draft
  const isLater = schedule.startAt !== undefined
  if (!mayCall('campaigns.start')) {
    return (
      <Button variant="primary" size="lg" onClick={unlessRepeated(() => void sending.saveForApproval())}>
        Save for approval
      </Button>
    )
  }
  if (counted && counted.shortfall > 0) {
    return (
      <Button
        variant="primary"
        size="lg"
        onClick={unlessRepeated(() => askForTopUp({ amount: counted.shortfall, note: campaignName }))}
      >
        Request {formatMoney(counted.shortfall)} top-up
      </Button>
    )
  }
  const isBlocked = !counted || counted.checks.some(({ level }) => level === 'blocker')
  return (
    <Button
      variant="primary"
      size="lg"
      loading={sending.isPreparing}
      disabled={isBlocked || sending.isHeld}
      onClick={unlessRepeated(() => void sending.send())}
    >
      {counted
        ? `${isLater ? 'Schedule for' : 'Send to'} ${countOf(peopleToSend(counted), 'person', 'people')}`
        : isLater
          ? 'Schedule'
          : 'Send'}
    </Button>
  )
}

/** Ignores the second click of a double-click: the first one may have pressed "Next" in the same place. */
function unlessRepeated(press: () => void) {
  return ({ detail }: MouseEvent) => (detail > 1 ? undefined : press())
}
