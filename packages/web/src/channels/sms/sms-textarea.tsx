import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import type { ComponentProps, ReactNode } from 'react'
import { isInOtherScript } from './other-script.ts'
import { MarkedTextarea, marksOfPattern } from '../../ui/marked-textarea.tsx'
import type { Mark } from '../../ui/phone/text-runs.ts'

type Look = 'offender' | 'variable' | 'seam'

type SmsTextareaProps = Omit<
  ComponentProps<typeof MarkedTextarea>,
  'marks' | 'looks' | 'above' | 'under' | 'onChange'
> & {
  onValueChange: (value: string) => void
  /** Below the text, inside the frame: the part ruler. */
  children?: ReactNode
}

/** A textarea for SMS: placeholders are tinted, characters that force Unicode underlined, and part boundaries marked. */
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
  // A shadow takes no space, so the letters align with those of the field.
  seam: 'shadow-[-1.5px_0_0_var(--warning)] rtl:shadow-[1.5px_0_0_var(--warning)]',
}

function marksOf(text: string): Mark<Look>[] {
  const { offenders, seams } = countSmsParts(text)
  // In another script Unicode is intended; non-GSM characters in a Latin text are highlighted.
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
