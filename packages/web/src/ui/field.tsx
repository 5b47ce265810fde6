import clsx from 'clsx'
import { CircleAlert } from 'lucide-react'
import { createContext, use, useEffect, useId, useRef, useState, type ClipboardEvent, type ReactNode } from 'react'
import { refusalOf } from '../lib/field-messages.ts'
import { leadInSentForm } from './first-wrong.ts'

type FieldControl = { id: string; describedBy: string | undefined; invalid: boolean }

const FieldContext = createContext<FieldControl | undefined>(undefined)

/** Props of a control inside a field: id, descriptions, and error state. */
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
  /** Small text after the label, such as 'optional'. */
  hint?: ReactNode
  /** Right end of the label's line: a counter or a link. */
  aside?: ReactNode
  help?: ReactNode
  error?: string | undefined
  /** A caption-sized label, in table rows. */
  small?: boolean
  /** Hides the label below a column title: always, or only side by side. */
  labelHidden?: 'never' | 'beside' | 'always'
  className?: string
  children: ReactNode
}

const hidden = { never: '', beside: 'sm:sr-only', always: 'sr-only' } as const

/** Label, control, help and error; the control references all three. */
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

/** Error below a field: a server error disappears once the field changes, and returns with the next rejection. */
function useMessages(error: string | undefined) {
  const refusal = refusalOf(error)
  const [corrected, setCorrected] = useState<unknown>()
  const [cutAt, setCutAt] = useState<number>()
  const isCorrected = refusal !== undefined && corrected === refusal
  // The form may report the same error as the server did.
  if (error === undefined && corrected !== undefined) setCorrected(undefined)
  return {
    error: isCorrected ? undefined : error,
    cutAt,
    onCorrect() {
      setCorrected(refusal)
      setCutAt(undefined)
    },
    // The change event follows a paste, with the text as cut off.
    onPaste: (event: ClipboardEvent) => {
      const limit = limitPassed(event)
      setTimeout(() => setCutAt(limit))
    },
  }
}

/** The field's limit, if the pasted text exceeds it. */
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
