import clsx from 'clsx'
import { CircleAlert } from 'lucide-react'
import { createContext, use, useEffect, useId, type ReactNode } from 'react'

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
  const { label, hint, aside, help, error, small, labelHidden = 'never', className = '', children } = props
  const id = useId()
  const helpId = `${id}-help`
  const errorId = `${id}-error`
  const describedBy = [error ? errorId : '', help ? helpId : ''].filter(Boolean).join(' ') || undefined
  useEffect(() => {
    if (error) goToFirstWrong()
  }, [error])

  return (
    <div className={clsx('flex min-w-0 flex-col', small ? 'gap-1' : 'gap-1.5', className)}>
      <div className={clsx('flex items-baseline justify-between gap-3', hidden[labelHidden])}>
        <label htmlFor={id} className={small ? 'text-caption text-muted-foreground' : 'font-medium'}>
          {label}
          {hint ? <small className="ml-1 text-caption font-normal text-muted-foreground">{hint}</small> : null}
        </label>
        {aside ? <span className="text-caption text-muted-foreground tabular-nums">{aside}</span> : null}
      </div>
      <FieldContext value={{ id, describedBy, invalid: error !== undefined }}>{children}</FieldContext>
      {error ? <FieldMessage id={errorId} text={error} /> : null}
      {help ? (
        <p id={helpId} className="text-caption text-muted-foreground">
          {help}
        </p>
      ) : null}
    </div>
  )
}

/** Whoever pressed the form's button is led to the first field that is wrong; who types elsewhere is left alone. */
function goToFirstWrong() {
  const pressed = document.activeElement
  if (!(pressed instanceof HTMLButtonElement) || pressed.type !== 'submit') return
  pressed.form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

export function FieldMessage({ id, text }: { id?: string; text: string }) {
  return (
    <p id={id} className="flex gap-1.5 text-caption text-danger-text">
      <CircleAlert aria-hidden className="mt-px size-3.5" />
      {text}
    </p>
  )
}
