import { useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'

type PercentFieldProps = {
  label: string
  help: string
  value: number
  least: number
  most: number
  error: string | undefined
  onValue: (value: number) => void
}

/** A whole number of percent; applied once it is within the limits. */
export function PercentField({ label, help, value, least, most, error, onValue }: PercentFieldProps) {
  const [typed, setTyped] = useState<string>()
  const isAllowed = (text: string) => {
    const next = Number(text)
    return text !== '' && Number.isInteger(next) && next >= least && next <= most
  }
  const isWrong = typed !== undefined && !isAllowed(typed)
  return (
    <Field label={label} help={help} error={isWrong ? `${least} to ${most}%` : error}>
      <Input
        type="number"
        inputMode="numeric"
        min={least}
        max={most}
        trailing={<span className="text-muted-foreground">%</span>}
        value={typed ?? String(value)}
        onChange={({ target }) => {
          setTyped(target.value)
          if (isAllowed(target.value)) onValue(Number(target.value))
        }}
        onBlur={() => setTyped(undefined)}
      />
    </Field>
  )
}
