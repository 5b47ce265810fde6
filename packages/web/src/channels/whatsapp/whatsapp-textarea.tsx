import clsx from 'clsx'
import { useRef, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'
import { useFieldControl } from '../../ui/field.tsx'
import { controlFrame } from '../../ui/input.tsx'
import { cutRuns, type Mark } from '../../ui/phone/text-runs.ts'
import { findFormats } from '../../ui/phone/whatsapp-format.ts'
import { completeBraces, deleteVariableBefore, type Edited, type ParameterFormat } from './body-editing.ts'

type Look = 'bold' | 'italic' | 'strike' | 'mono' | 'marker' | 'variable'

type WhatsappTextareaProps = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref'> & {
  value: string
  onValueChange: (value: string) => void
  format: ParameterFormat
  /** Above the text, inside the same frame: the tools. */
  tools?: ReactNode
  inputRef?: (element: HTMLTextAreaElement | null) => void
}

const type = 'px-3.5 pt-3 pb-3.5 font-sans text-[15px] leading-6.5 tracking-normal break-words whitespace-pre-wrap'

/** A text field for a message: variables are tinted and go as a whole; the signs of its formatting are faint. */
export function WhatsappTextarea(props: WhatsappTextareaProps) {
  const { value, onValueChange, format, tools, inputRef, id, ...rest } = props
  const control = useFieldControl({ id })
  const backdrop = useRef<HTMLDivElement>(null)

  function apply(element: HTMLTextAreaElement, { text, selection }: Edited) {
    onValueChange(text)
    // The caret jumps to the end when the value is set from outside.
    requestAnimationFrame(() => element.setSelectionRange(selection.start, selection.end))
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
    <div className={clsx('overflow-hidden rounded-lg', controlFrame)}>
      {tools}
      <div className="relative">
        <div ref={backdrop} aria-hidden className={clsx('absolute inset-0 overflow-hidden text-transparent', type)}>
          {cutRuns(value, marksOf(value)).map((run) => (
            <span key={run.start} className={clsx(run.looks.map((look) => looks[look]))}>
              {run.text}
            </span>
          ))}
        </div>
        <textarea
          rows={5}
          {...control}
          {...rest}
          ref={inputRef}
          value={value}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            const element = event.currentTarget
            const { selectionStart: start, selectionEnd: end } = element
            const typed = { text: element.value, selection: { start, end } }
            const edited = completeBraces(value, typed, format)
            if (edited === typed) onValueChange(element.value)
            else apply(element, edited)
          }}
          onScroll={(event) => {
            if (backdrop.current) backdrop.current.scrollTop = event.currentTarget.scrollTop
          }}
          className={clsx(
            'scrollbar-none relative block field-sizing-content min-h-26 w-full resize-none bg-transparent outline-none!',
            type,
          )}
        />
      </div>
    </div>
  )
}

const looks: Record<Look, string> = {
  variable: 'rounded-sm bg-brand-muted shadow-[0_0_0_1px_var(--brand-muted)]',
  // Letters stay exactly under those of the field, so formats are tints and not weights.
  bold: 'bg-secondary',
  italic: 'bg-secondary',
  strike: 'bg-secondary',
  mono: 'bg-secondary',
  marker: 'bg-secondary',
}

function marksOf(text: string): Mark<Look>[] {
  const variables = [...text.matchAll(/\{\{[^{}]*\}\}/g)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    look: 'variable' as const,
  }))
  return [...variables, ...findFormats(text)]
}
