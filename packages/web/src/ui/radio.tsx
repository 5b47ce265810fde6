import { useId, type ReactNode } from 'react'

type Choice<Value extends string> = { value: Value; label: ReactNode; help?: ReactNode; disabled?: boolean }

type RadioGroupProps<Value extends string> = {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  choices: readonly Choice<Value>[]
}

export function RadioGroup<Value extends string>({ label, value, onValueChange, choices }: RadioGroupProps<Value>) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="grid cursor-pointer grid-cols-[16px_minmax(0,1fr)] gap-x-2.5 py-1 leading-5"
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            disabled={choice.disabled}
            onChange={() => onValueChange(choice.value)}
            className="mt-0.5 size-4 appearance-none rounded-full border border-input bg-card checked:border-5 checked:border-brand disabled:opacity-50"
          />
          <span>
            {choice.label}
            {choice.help ? <small className="block text-caption text-muted-foreground">{choice.help}</small> : null}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
