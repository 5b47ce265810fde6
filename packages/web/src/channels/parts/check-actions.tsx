import { Button } from '../../ui/button.tsx'
import type { WizardStep } from '../channel-campaigns.ts'

type ShowOnPhoneProps = { seq: number | undefined; shown: number; onJump: (seq: number) => void }

/** Shows a row of the file on the phone. */
export function ShowOnPhone({ seq, shown, onJump }: ShowOnPhoneProps) {
  if (seq === undefined) return null
  return (
    <Button
      size="tool"
      variant="ghost"
      aria-pressed={shown === seq}
      className="aria-pressed:bg-brand-muted aria-pressed:text-brand-text"
      onClick={() => onJump(seq)}
    >
      Show on phone
    </Button>
  )
}

type GoToStepProps = { to: WizardStep; label: string; onStep: (step: WizardStep) => void }

export function GoToStep({ to, label, onStep }: GoToStepProps) {
  return (
    <Button size="tool" onClick={() => onStep(to)}>
      {label}
    </Button>
  )
}
