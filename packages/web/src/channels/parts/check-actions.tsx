import { Button } from '../../ui/button.tsx'
import type { CommonDraft, DraftHandle } from '../../features/campaigns/wizard/use-draft.ts'
import { soonLabel } from '../../features/campaigns/wizard/zoned-time.ts'

/** Brings a row of the file onto the phone. */
export function ShowOnPhone({
  seq,
  shown,
  onJump,
}: {
  seq: number | undefined
  shown: number
  onJump: (seq: number) => void
}) {
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

type GoToStepProps<Step extends string> = { to: Step; label: string; onStep: (step: Step) => void }

export function GoToStep<Step extends string>({ to, label, onStep }: GoToStepProps<Step>) {
  return (
    <Button size="tool" onClick={() => onStep(to)}>
      {label}
    </Button>
  )
}

/** The way out of hours that are closed: the campaign is planned for when they open. */
export function SendAtOpening({ handle, beginsAt }: { handle: DraftHandle<CommonDraft>; beginsAt: string }) {
  const { timezone } = handle.draft.schedule
  return (
    <Button size="tool" onClick={() => handle.change({ schedule: { timezone, startAt: beginsAt } })}>
      Send {soonLabel(beginsAt, timezone)}
    </Button>
  )
}
