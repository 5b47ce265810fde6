import { Input } from '../input.tsx'
import { Select } from '../select.tsx'
import { Switch } from '../switch.tsx'
import { Textarea } from '../input.tsx'
import { labelOf, type Schema } from './schema.ts'

type ScalarControlProps = { schema: Schema; value: unknown; onChange: (value: unknown) => void; label?: string }

/** The control for one value: switch, select, number, secret, several lines, or plain text. An emptied field is absent. */
export function ScalarControl({ schema, value, onChange, label }: ScalarControlProps) {
  const name = label ? { 'aria-label': label } : {}
  if (schema.type === 'boolean')
    return <Switch {...(label ? { label } : {})} checked={value === true} onCheckedChange={onChange} />
  if (schema.enum) {
    const options = schema.enum.map((choice) => ({ value: String(choice), label: labelOf(String(choice), {}) }))
    return (
      <Select
        {...name}
        options={options}
        value={textOf(value)}
        onValueChange={(chosen) => onChange(schema.enum?.find((choice) => String(choice) === chosen))}
      />
    )
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    return (
      <Input
        {...name}
        type="number"
        inputMode="numeric"
        step={schema.type === 'integer' ? 1 : 'any'}
        {...(schema.minimum === undefined || schema.minimum < -1e9 ? {} : { min: schema.minimum })}
        {...(schema.maximum === undefined || schema.maximum > 1e9 ? {} : { max: schema.maximum })}
        value={textOf(value)}
        onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
      />
    )
  }
  if (schema.multiline)
    return (
      <Textarea
        {...name}
        className="font-mono text-dense"
        rows={4}
        value={textOf(value)}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    )
  return (
    <Input
      {...name}
      type={schema.secret ? 'password' : 'text'}
      autoComplete={schema.secret ? 'new-password' : 'off'}
      spellCheck={false}
      {...(schema.maxLength ? { maxLength: schema.maxLength } : {})}
      value={textOf(value)}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
