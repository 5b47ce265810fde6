import type { WhatsappDraft, WhatsappEstimate } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ChecksPanel } from '../../../ui/checks-panel.tsx'
import { GoToStep, SendAtOpening } from '../../parts/check-actions.tsx'
import type { DraftHandle } from '../../../features/campaigns/wizard/use-draft.ts'
import type { WhatsappStep } from './whatsapp-draft-state.ts'

type WhatsappReviewChecksProps = {
  handle: DraftHandle<WhatsappDraft>
  estimate: WhatsappEstimate
  onStep: (step: WhatsappStep) => void
}

type Check = WhatsappEstimate['checks'][number]

/** The server's checks over all rows, each with an action. */
export function WhatsappReviewChecks({ handle, estimate, onStep }: WhatsappReviewChecksProps) {
  const { people, limitLeft, checks, beginsAt } = estimate
  const act = {
    onStep,
    handle,
    beginsAt,
    // Saved immediately, because the checks use the server's draft.
    onSplit: (splitOverDays: boolean) => handle.changeNow({ splitOverDays }),
    isSplit: handle.draft.splitOverDays && limitLeft !== null && people > limitLeft,
  }
  return <ChecksPanel passesFolded checks={checks.map((check) => ({ ...check, actions: actionFor(check, act) }))} />
}

type Act = {
  onStep: (step: WhatsappStep) => void
  handle: DraftHandle<WhatsappDraft>
  beginsAt: string
  onSplit: (isSplit: boolean) => void
  /** More people than the number may write to today get it on the days that follow. */
  isSplit: boolean
}

const placesOf: Record<string, { to: WhatsappStep; label: string }> = {
  audience: { to: 'audience', label: 'Open audience' },
  consent: { to: 'audience', label: 'Open audience' },
  account: { to: 'template', label: 'Choose number' },
  quality: { to: 'template', label: 'Choose number' },
  template: { to: 'template', label: 'Choose template' },
  'opt-out': { to: 'template', label: 'Choose template' },
  media: { to: 'personalise', label: 'Open header' },
  formats: { to: 'personalise', label: 'Open variables' },
  variables: { to: 'personalise', label: 'Enter a value' },
  failover: { to: 'failover', label: 'Open failover' },
  'failover-variables': { to: 'failover', label: 'Enter a value' },
}

/** The action of a check, if it has one. */
function actionFor({ id, level }: Check, { onStep, handle, beginsAt, onSplit, isSplit }: Act): ReactNode {
  if (id === 'limit' && (isSplit || level !== 'pass')) return <SplitOverDays isSplit={isSplit} onSplit={onSplit} />
  if (level === 'pass') return undefined
  if (id === 'window') return <SendAtOpening handle={handle} beginsAt={beginsAt} />
  const place = placesOf[id]
  return place ? <GoToStep {...place} onStep={onStep} /> : null
}

type SplitOverDaysProps = { isSplit: boolean; onSplit: (isSplit: boolean) => void }

/** More people than the number may write to in a day: the rest on the days that follow, or not after all. */
function SplitOverDays({ isSplit, onSplit }: SplitOverDaysProps) {
  return isSplit ? (
    <Button size="tool" variant="ghost" className="-my-1 text-muted-foreground" onClick={() => onSplit(false)}>
      Undo
    </Button>
  ) : (
    <Button size="tool" onClick={() => onSplit(true)}>
      Apply
    </Button>
  )
}
