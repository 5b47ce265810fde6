import type { ReactNode } from 'react'
import type { Check, CheckTools, WizardStep } from '../../channel-campaigns.ts'
import { GoToStep, ShowOnPhone } from '../../parts/check-actions.tsx'

/** The actions of checks that only RCS has. */
export function rcsCheckAction(
  { id, level }: Check,
  { estimate, seq, onJump, onStep }: CheckTools,
): ReactNode | undefined {
  if (level === 'pass') return undefined
  if (id === 'lengths') return <ShowOnPhone seq={estimate.tooLongSeqs[0]} shown={seq} onJump={onJump} />
  const place = placeById[id]
  return place && <GoToStep {...place} onStep={onStep} />
}

const placeById: Record<string, { to: WizardStep; label: string }> = {
  account: { to: 'template', label: 'Choose bot' },
  verification: { to: 'template', label: 'Choose bot' },
  launch: { to: 'failover', label: 'Open failover' },
  phones: { to: 'failover', label: 'Open failover' },
  'opt-out': { to: 'template', label: 'Choose template' },
}
