import clsx from 'clsx'
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { useFieldControl } from './field.tsx'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  /** Some of what it stands for is checked. */
  mixed?: boolean
  label?: ReactNode
  help?: ReactNode
}

export function Checkbox({ mixed = false, label, help, className, ...rest }: CheckboxProps) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = mixed
  }, [mixed])
  const { id, ...described } = useFieldControl()
  const box = (
    <input
      {...(label ? {} : { id })}
      {...described}
      {...rest}
      ref={ref}
      type="checkbox"
      className={clsx('check-box size-4 shrink-0 rounded-sm border border-input bg-card', className)}
    />
  )
  if (!label) return box
  return (
    <label className="flex min-h-6 cursor-pointer items-start gap-2.5 leading-5">
      <span className="flex h-5 items-center">{box}</span>
      <span>
        {label}
        {help ? <small className="block text-caption text-muted-foreground">{help}</small> : null}
      </span>
    </label>
  )
}
