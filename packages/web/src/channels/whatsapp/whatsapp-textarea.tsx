import type { ChangeEvent, ComponentProps, KeyboardEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { MarkedTextarea, marksOfPattern } from '../../ui/marked-textarea.tsx'
import type { Mark } from '../../ui/phone/text-runs.ts'
import { findFormats } from './phone/whatsapp-format.ts'
import type { Edited } from '../../ui/use-caret.ts'
import { completeBraces, deleteVariableBefore, type ParameterFormat } from './body-editing.ts'

type Look = 'bold' | 'italic' | 'strike' | 'mono' | 'marker' | 'variable'

type WhatsappTextareaProps = Omit<
  ComponentProps<typeof MarkedTextarea>,
  'marks' | 'looks' | 'above' | 'under' | 'onChange'
> & {
  onValueChange: (value: string) => void
  format: ParameterFormat
  /** Above the text, inside the same frame: the toolbar. */
  tools?: ReactNode
}

/** A textarea for WhatsApp messages: variables are tinted and deleted as a whole; formatting markers are faint. */
export function WhatsappTextarea({ onValueChange, format, tools, ...rest }: WhatsappTextareaProps) {
  const { value } = rest

  function apply(element: HTMLTextAreaElement, { text, selection }: Edited) {
    // Setting the value moves the caret to the end: it is restored before the next key press.
    flushSync(() => onValueChange(text))
    element.setSelectionRange(selection.start, selection.end)
  }

  function onChange({ currentTarget: element }: ChangeEvent<HTMLTextAreaElement>) {
    const { selectionStart: start, selectionEnd: end } = element
    const typed = { text: element.value, selection: { start, end } }
    const edited = completeBraces(value, typed, format)
    if (edited === typed) onValueChange(element.value)
    else apply(element, edited)
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    rest.onKeyDown?.(event)
    const element = event.currentTarget
    if (event.key !== 'Backspace' || element.selectionStart !== element.selectionEnd) return
    const edited = deleteVariableBefore(value, element.selectionStart)
    if (!edited) return
    event.preventDefault()
    apply(element, edited)
  }

  return (
    <MarkedTextarea
      rows={5}
      {...rest}
      marks={marksOf(value)}
      looks={looks}
      above={tools}
      onChange={onChange}
      onKeyDown={onKeyDown}
    />
  )
}

const looks: Record<Look, string> = {
  variable: 'rounded-sm bg-brand-muted shadow-[0_0_0_1px_var(--brand-muted)]',
  // Letters must align with those of the field, so formats change colours, not weights.
  bold: 'bg-secondary',
  italic: 'bg-secondary',
  strike: 'bg-secondary',
  mono: 'bg-secondary',
  marker: 'bg-secondary',
}

function marksOf(text: string): Mark<Look>[] {
  return [...marksOfPattern<Look>(text, /\{\{[^{}]*\}\}/g, 'variable'), ...findFormats(text)]
}
