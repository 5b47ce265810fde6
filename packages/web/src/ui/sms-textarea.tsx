import { countSmsParts } from '@carillon/contract/sms-parts'
import clsx from 'clsx'
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { useFieldControl } from './field.tsx'
import { controlFrame } from './input.tsx'
import { cutRuns, type Mark } from './phone/text-runs.ts'

type Look = 'offender' | 'variable' | 'seam'

type SmsTextareaProps = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref'> & {
  value: string
  onValueChange: (value: string) => void
  /** Under the text, inside the same frame: the part ruler. */
  children?: ReactNode
  invalid?: boolean
  /** Gets the textarea, to insert at its caret. */
  inputRef?: (element: HTMLTextAreaElement | null) => void
}

const type = 'px-3.5 pt-3 pb-3.5 font-sans text-[15px] leading-6.5 tracking-normal break-words whitespace-pre-wrap'

/**
 * A text field for a message: behind the letters, the placeholders are tinted, the characters that force Unicode are
 * underlined, and a line stands where each further part begins.
 */
export function SmsTextarea({ value, onValueChange, children, invalid, inputRef, id, ...rest }: SmsTextareaProps) {
  const control = useFieldControl({ id, invalid })
  const backdrop = useRef<HTMLDivElement>(null)

  return (
    <div className={clsx('overflow-hidden rounded-lg', controlFrame)}>
      <div className="relative">
        <div ref={backdrop} aria-hidden className={clsx('absolute inset-0 overflow-hidden text-transparent', type)}>
          {cutRuns(value, marksOf(value)).map((run) => (
            <span key={run.start} className={clsx(run.looks.map((look) => looks[look]))}>
              {run.text}
            </span>
          ))}
        </div>
        <textarea
          rows={4}
          {...control}
          {...rest}
          ref={inputRef}
          value={value}
          onChange={(event) => onValueChange(event.target.value)}
          onScroll={(event) => {
            if (backdrop.current) backdrop.current.scrollTop = event.currentTarget.scrollTop
          }}
          className={clsx(
            'scrollbar-none relative block w-full resize-none bg-transparent outline-none! field-sizing-content min-h-26',
            type,
          )}
        />
      </div>
      {children}
    </div>
  )
}

const looks: Record<Look, string> = {
  offender: 'rounded-[3px] bg-warning-muted shadow-[inset_0_-2px_0_var(--warning)]',
  variable: 'rounded-sm bg-brand-muted',
  // A shadow takes no room, so the letters stay exactly under those of the field.
  seam: 'shadow-[-1.5px_0_0_var(--warning)]',
}

function marksOf(text: string): Mark<Look>[] {
  const { offenders, seams } = countSmsParts(text)
  return [
    ...offenders.map(({ index, character }) => ({
      start: index,
      end: index + character.length,
      look: 'offender' as const,
    })),
    ...seams.map((seam) => ({ start: seam, end: seam + 1, look: 'seam' as const })),
    ...[...text.matchAll(/\{#\w+#\}/g)].map((found) => ({
      start: found.index,
      end: found.index + found[0].length,
      look: 'variable' as const,
    })),
  ]
}
