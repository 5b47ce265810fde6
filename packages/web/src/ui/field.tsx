import clsx from 'clsx'
import { CircleAlert } from 'lucide-react'
import { createContext, use, useEffect, useId, useRef, useState, type ClipboardEvent, type ReactNode } from 'react'
import { refusalOf } from '../lib/field-messages.ts'
import { leadInSentForm } from './first-wrong.ts'

type FieldControl = { id: string; describedBy: string | undefined; invalid: boolean }

const FieldContext = createContext<FieldControl | undefined>(undefined)

/** What a control inside a field puts on itself: its id, its descriptions and whether it is wrong. */
export function useFieldControl(own: { id?: string | undefined; invalid?: boolean | undefined } = {}) {
  const field = use(FieldContext)
  return {
    id: own.id ?? field?.id,
    'aria-describedby': field?.describedBy,
    'aria-invalid': own.invalid ?? (field?.invalid || undefined),
  }
}

type FieldProps = {
  label: ReactNode
  /** Small words after the label; 'optional' where a field may stay empty. */
  hint?: ReactNode
  /** Stands at the right end of the label's line: a counter or a link. */
  aside?: ReactNode
  help?: ReactNode
  error?: string | undefined
  /** A caption for a label: in a row of a table. */
  small?: boolean
  /** Where a title stands above the column already: everywhere, or where fields stand beside each other. */
  labelHidden?: 'never' | 'beside' | 'always'
  className?: string
  children: ReactNode
}

const hidden = { never: '', beside: 'sm:sr-only', always: 'sr-only' } as const

/** A label, one control, help and a message; the control is tied to all three. */
export function Field(props: FieldProps) {
  const { label, hint, aside, help, small, labelHidden = 'never', className = '', children } = props
  const id = useId()
  const helpId = `${id}-help`
  const errorId = `${id}-error`
  const place = useRef<HTMLDivElement>(null)
  const { error, cutAt, onCorrect, onPaste } = useMessages(props.error)
  const describedBy = [error && errorId, help && helpId].filter(Boolean).join(' ') || undefined
  useEffect(() => {
    if (error) leadInSentForm(place.current)
  }, [error])

  return (
    <div
      ref={place}
      className={clsx('flex min-w-0 flex-col', small ? 'gap-1' : 'gap-1.5', className)}
      onChange={onCorrect}
      onPaste={onPaste}
    >
      <div className={clsx('flex items-baseline justify-between gap-3', hidden[labelHidden])}>
        <label htmlFor={id} className={small ? 'text-caption text-muted-foreground' : 'font-medium'}>
          {label}
          {hint ? <small className="text-caption font-normal text-muted-foreground"> {hint}</small> : null}
        </label>
        {aside ? <span className="text-caption text-muted-foreground tabular-nums">{aside}</span> : null}
      </div>
      <FieldContext value={{ id, describedBy, invalid: error !== undefined }}>{children}</FieldContext>
      {error ? <FieldMessage id={errorId} text={error} /> : null}
      <CutNote at={cutAt} />
      {help ? (
        <p id={helpId} className="text-caption text-muted-foreground">
          {help}
        </p>
      ) : null}
    </div>
  )
}

function CutNote({ at }: { at: number | undefined }) {
  if (at === undefined) return null
  return (
    <p role="status" className="text-caption text-warning-text">
      Pasted text was cut at {at.toLocaleString('en-IN')} characters
    </p>
  )
}

/** What stands under a field: the server's word goes once the field is changed, and comes back with the next refusal. */
function useMessages(error: string | undefined) {
  const refusal = refusalOf(error)
  const [corrected, setCorrected] = useState<unknown>()
  const [cutAt, setCutAt] = useState<number>()
  const isCorrected = refusal !== undefined && corrected === refusal
  // The form itself may find wrong what the server found wrong before, in the same words.
  if (error === undefined && corrected !== undefined) setCorrected(undefined)
  return {
    error: isCorrected ? undefined : error,
    cutAt,
    onCorrect() {
      setCorrected(refusal)
      setCutAt(undefined)
    },
    // The change that follows a paste comes later, with what was left of it.
    onPaste: (event: ClipboardEvent) => {
      const limit = limitPassed(event)
      setTimeout(() => setCutAt(limit))
    },
  }
}

/** The limit of the field, where the browser is about to cut off what is pasted. */
function limitPassed({ target, clipboardData }: ClipboardEvent): number | undefined {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return undefined
  const { maxLength, value, selectionStart, selectionEnd } = target
  const selected = (selectionEnd ?? 0) - (selectionStart ?? 0)
  const whole = value.length - selected + clipboardData.getData('text').length
  return maxLength >= 0 && whole > maxLength ? maxLength : undefined
}

export function FieldMessage({ id, text }: { id?: string; text: string }) {
  return (
    <p id={id} className="flex gap-1.5 text-caption text-danger-text">
      <CircleAlert aria-hidden className="mt-px size-3.5" />
      {text}
    </p>
  )
}
