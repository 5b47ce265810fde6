import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ChecksPanel, type CheckItem } from '../../../ui/checks-panel.tsx'

type RailChecksProps = { checks: readonly CheckItem[]; children?: ReactNode }

/** The checks of an editor, below the phone. */
export function RailChecks({ checks, children }: RailChecksProps) {
  return (
    <div className="mt-4 w-[calc(100%+40px)] border-t border-border px-5">
      <ChecksPanel folded checks={checks} />
      {children}
    </div>
  )
}

type CheckActionProps = {
  label: string
  /** The accessible name, where the label alone is ambiguous. */
  name?: string
  movesFocus?: true
  onPress: () => void
}

/** A button that fixes a finding or leads to its field. */
export function CheckAction({ label, name, movesFocus, onPress }: CheckActionProps) {
  return (
    <Button
      variant="ghost"
      size="tool"
      className="-my-1 -mr-1.5"
      aria-label={name}
      data-leads-to-field={movesFocus}
      onClick={onPress}
    >
      {label}
    </Button>
  )
}
