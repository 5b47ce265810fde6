import { useId } from 'react'
import { Checkbox } from './checkbox.tsx'
import { FieldMessage } from './field.tsx'
import { SkeletonLines } from './skeleton.tsx'

type Option = { id: string; name: string; detail?: string }

type ChoicesProps = {
  label: string
  hint?: string
  help?: string
  error?: string | undefined
  /** Shown if there is nothing to choose. */
  none: string
  /** Undefined while loading. */
  options: readonly Option[] | undefined
  /** Why they could not be loaded. */
  failed?: string | undefined
  chosen: readonly string[]
  onChange: (ids: readonly string[]) => void
}

/** Several of some records, each with a checkbox. */
export function Choices({ label, hint, help, error, ...rest }: ChoicesProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={error || help ? id : undefined} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">
        {label}
        {hint ? <small className="text-caption font-normal text-muted-foreground"> {hint}</small> : null}
      </legend>
      <Options {...rest} />
      <div id={id} className="flex flex-col gap-1 empty:hidden">
        {error ? <FieldMessage text={error} /> : null}
        {help ? <p className="text-caption text-muted-foreground">{help}</p> : null}
      </div>
    </fieldset>
  )
}

type OptionsProps = Pick<ChoicesProps, 'none' | 'options' | 'failed' | 'chosen' | 'onChange'>

function Options({ none, options, failed, chosen, onChange }: OptionsProps) {
  if (failed) return <FieldMessage text={failed} />
  if (options === undefined) return <SkeletonLines count={2} />
  if (options.length === 0) return <p className="text-dense text-muted-foreground">{none}</p>
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  return (
    <ul className="max-h-44 overflow-y-auto rounded-md border border-border p-1">
      {options.map(({ id, name, detail }) => (
        <li key={id} className="rounded-sm px-2 py-1.5 hover:bg-accent">
          <Checkbox
            label={
              <>
                {name}
                {detail ? <span className="text-muted-foreground"> · {detail}</span> : null}
              </>
            }
            checked={chosen.includes(id)}
            onChange={() => toggle(id)}
          />
        </li>
      ))}
    </ul>
  )
}
