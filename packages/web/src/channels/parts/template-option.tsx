import clsx from 'clsx'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

type TemplateOptionProps = {
  name: string
  isChosen: boolean
  onChoose: () => void
  /** Cannot be sent now; the facts explain why. */
  isOff?: boolean
  /** A small preview of the message. */
  bubble: ReactNode
  /** Facts for the choice, one per line. */
  facts: ReactNode
}

/** A selectable template: one radio button of the picker. */
export function TemplateOption({ name, isChosen, onChoose, isOff = false, bubble, facts }: TemplateOptionProps) {
  return (
    <label
      className={clsx(
        'relative flex flex-col gap-2.5 rounded-lg border p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
        isOff ? 'cursor-not-allowed border-dashed bg-transparent' : 'cursor-pointer bg-card',
        isChosen ? 'border-brand shadow-[inset_0_0_0_1px_var(--brand)]' : 'border-border',
        !isOff && !isChosen && 'hover:border-edge hover:bg-accent/40',
      )}
    >
      <input type="radio" name="template" className="sr-only" disabled={isOff} checked={isChosen} onChange={onChoose} />
      <span className="flex items-center gap-2">
        <b className="min-w-0 flex-1 truncate">{name}</b>
        {isChosen ? (
          <span className="grid size-4.5 place-items-center rounded-full bg-brand text-brand-foreground">
            <Check aria-hidden data-size className="size-3 stroke-[2.5]!" />
          </span>
        ) : null}
      </span>
      {bubble}
      <span className="flex flex-col gap-1 text-caption text-muted-foreground tabular-nums">{facts}</span>
    </label>
  )
}
