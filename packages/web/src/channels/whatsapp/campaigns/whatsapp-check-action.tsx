import type { ReactNode } from 'react'
import type { Check, CheckTools, WizardStep } from '../../channel-campaigns.ts'
import { GoToStep } from '../../parts/check-actions.tsx'

/** The actions of checks that only WhatsApp has. */
export function whatsappCheckAction({ id, level }: Check, { onStep }: CheckTools): ReactNode | undefined {
  const place = level === 'pass' ? undefined : placeById[id]
  return place && <GoToStep {...place} onStep={onStep} />
}

const placeById: Record<string, { to: WizardStep; label: string }> = {
  account: { to: 'template', label: 'Choose number' },
  quality: { to: 'template', label: 'Choose number' },
  'opt-out': { to: 'template', label: 'Choose template' },
  media: { to: 'personalise', label: 'Open header' },
}
