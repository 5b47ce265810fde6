import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { ReactNode } from 'react'
import type { Check, WizardStep } from '../../../channels/channel-campaigns.ts'
import { GoToStep } from '../../../channels/parts/check-actions.tsx'
import { Button } from '../../../ui/button.tsx'
import { ChecksPanel } from '../../../ui/checks-panel.tsx'
import { isTesting } from '../ab-tests/ab-draft.ts'
import type { DraftHandle } from './use-draft.ts'
import type { WizardState } from './use-wizard.ts'
import { soonLabel } from './zoned-time.ts'

type ReviewChecksProps = {
  wizard: WizardState
  estimate: Estimate
  onStep: (step: WizardStep) => void
}

/** The server's checks over all rows, each with an action. */
export function ReviewChecks(props: ReviewChecksProps) {
  return (
    <ChecksPanel
      passesFolded
      checks={props.estimate.checks.map((check) => ({ ...check, actions: actionFor(check, props) }))}
    />
  )
}

const placeById: Record<string, { to: WizardStep; label: string }> = {
  audience: { to: 'audience', label: 'Open audience' },
  consent: { to: 'audience', label: 'Open audience' },
  template: { to: 'template', label: 'Choose template' },
  'ab-test': { to: 'template', label: 'Open A/B test' },
  formats: { to: 'personalise', label: 'Open variables' },
  variables: { to: 'personalise', label: 'Enter a value' },
  failover: { to: 'failover', label: 'Open failover' },
  'failover-variables': { to: 'failover', label: 'Enter a value' },
}

const unifiedPlaceById: typeof placeById = { failover: { to: 'conditions', label: 'Open conditions' } }

/** The action of a check, if any: the channel's own, or a general one. */
function actionFor(check: Check, { wizard, estimate, onStep }: ReviewChecksProps): ReactNode {
  const { handle, first, seq, setSeq } = wizard
  const { id, level } = check
  const own = first.checkAction(check, { estimate, seq, onJump: setSeq, onStep })
  if (own !== undefined) return own
  const isSplit = handle.draft.splitOverDays && exceedsLimit(estimate)
  const canSplit = level !== 'pass' && !isTesting(handle.draft)
  if (id === 'limit' && (isSplit || canSplit)) return <SplitOverDays handle={handle} isSplit={isSplit} />
  if (level === 'pass') return undefined
  if (id === 'window') return <SendAtOpening handle={handle} beginsAt={estimate.beginsAt} />
  const place = (wizard.kind.isUnified ? unifiedPlaceById[id] : undefined) ?? placeById[id]
  return place ? <GoToStep {...place} onStep={onStep} /> : null
}

function exceedsLimit({ people, limitLeft }: Estimate): boolean {
  return limitLeft !== null && people > limitLeft
}

/** For an audience above the sender's daily limit: spreads it over several days, or undoes that. */
function SplitOverDays({ handle, isSplit }: { handle: DraftHandle; isSplit: boolean }) {
  // Saved immediately, because the checks use the server's draft.
  const split = (splitOverDays: boolean) => handle.changeNow({ splitOverDays })
  return isSplit ? (
    <Button size="tool" variant="ghost" className="-my-1 text-muted-foreground" onClick={() => split(false)}>
      Undo
    </Button>
  ) : (
    <Button size="tool" onClick={() => split(true)}>
      Apply
    </Button>
  )
}

/** Outside the allowed hours: schedules the campaign for when they begin. */
function SendAtOpening({ handle, beginsAt }: { handle: DraftHandle; beginsAt: string }) {
  const { timezone } = handle.draft.schedule
  return (
    <Button size="tool" onClick={() => handle.change({ schedule: { timezone, startAt: beginsAt } })}>
      Send {soonLabel(beginsAt, timezone)}
    </Button>
  )
}
