import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import type { ComponentProps, ReactNode } from 'react'
import { isInOtherScript } from '../lib/other-script.ts'
import { MarkedTextarea, marksOfPattern } from './marked-textarea.tsx'
import type { Mark } from './phone/text-runs.ts'

type Look = 'offender' | 'variable' | 'seam'

type SmsTextareaProps = Omit<
  ComponentProps<typeof MarkedTextarea>,
  'marks' | 'looks' | 'above' | 'under' | 'onChange'
> & {
  onValueChange: (value: string) => void
  /** Under the text, inside the same frame: the part ruler. */
  children?: ReactNode
}

/**
 * A text field for an SMS: behind the letters, the placeholders are tinted, the characters that force Unicode are
 * underlined, and a line stands where each further part begins.
 */
export function SmsTextarea({ onValueChange, children, ...rest }: SmsTextareaProps) {
  return (
    <MarkedTextarea
      {...rest}
      marks={marksOf(rest.value)}
      looks={looks}
      under={children}
      onChange={(event) => onValueChange(event.target.value)}
    />
  )
}

const looks: Record<Look, string> = {
  offender: 'rounded-[3px] bg-warning-muted shadow-[inset_0_-2px_0_var(--warning)]',
  variable: 'rounded-sm bg-brand-muted',
  // A shadow takes no room, so the letters stay exactly under those of the field.
  seam: 'shadow-[-1.5px_0_0_var(--warning)] rtl:shadow-[1.5px_0_0_var(--warning)]',
}

function marksOf(text: string): Mark<Look>[] {
  const { offenders, seams } = countSmsParts(text)
  // A text in another script is Unicode on purpose; strangers in a plain one are worth pointing at.
  const strangers = isInOtherScript(text) ? [] : offenders
  return [
    ...strangers.map(({ index, character }) => ({
      start: index,
      end: index + character.length,
      look: 'offender' as const,
    })),
    ...seams.map((seam) => ({ start: seam, end: seam + 1, look: 'seam' as const })),
    ...marksOfPattern<Look>(text, /\{#\w+#\}/g, 'variable'),
  ]
}
