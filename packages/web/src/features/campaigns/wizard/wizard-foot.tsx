import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { Channel } from '@carillon/contract/channels'
import { ArrowLeft } from 'lucide-react'
import { countOf, formatMoney } from '../../../lib/format.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { askForTopUp } from '../../../lib/top-up.ts'
import { Button } from '../../../ui/button.tsx'
import { CostBar, type Cost } from '../../../ui/cost-bar.tsx'
import { callsOf } from '../list/channel-calls.ts'
import { peopleToSend } from '../dialogs/recipients-to-send.ts'
import type { useSend } from './use-send.ts'
import type { WizardSteps } from './wizard-steps.ts'

/** Estimate fields common to all channels. */
export type Counted = Cost & Pick<Estimate, 'missing' | 'optedOut' | 'checks'>

type WizardFootProps<Step extends string> = {
  channel: Channel
  steps: WizardSteps<Step>
  step: Step
  onStep: (step: Step) => void
  counted: Counted | undefined
  isCounting: boolean
  isLater: boolean
  campaignName: string
  sending: ReturnType<typeof useSend>
}

/** The cost, and the way on: next, send, save for approval, or the request that makes sending possible. */
export function WizardFoot<Step extends string>(props: WizardFootProps<Step>) {
  const { steps, step, onStep, counted, isCounting } = props
  const place = steps.ids.indexOf(step)
  const before = steps.ids[place - 1]
  const next = steps.ids[place + 1]
  useHotkeys({
    'Mod+Enter': () => document.querySelector<HTMLElement>('[data-way-on] [data-variant=primary]')?.click(),
    'Mod+Shift+Enter': () => (before ? onStep(before) : undefined),
  })
  return (
    <CostBar
      cost={counted && { ...counted, people: peopleToSend(counted) }}
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
            <LastAction {...props} />
          )}
        </span>
      }
    />
  )
}

type LastActionProps = Omit<WizardFootProps<string>, 'steps' | 'step' | 'onStep' | 'isCounting'>

/** The final button: send; save for approval if the role may not start; request a top-up if the balance is insufficient. */
function LastAction({ channel, counted, isLater, campaignName, sending }: LastActionProps) {
  if (!callsOf(channel).mayStart()) {
    return (
      <Button variant="primary" size="lg" onClick={() => void sending.saveForApproval()}>
        Save for approval
      </Button>
    )
  }
  if (counted && counted.shortfall > 0) {
    return (
      <Button
        variant="primary"
        size="lg"
        onClick={() => askForTopUp({ amount: counted.shortfall, note: campaignName })}
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
      onClick={() => void sending.send()}
    >
      {counted
        ? `${isLater ? 'Schedule for' : 'Send to'} ${countOf(peopleToSend(counted), 'person', 'people')}`
        : isLater
          ? 'Schedule'
          : 'Send'}
    </Button>
  )
}
