import { Input, Textarea } from '../input.tsx'
import { Select } from '../select.tsx'
import { Switch } from '../switch.tsx'
import { labelOf, type Schema } from './schema.ts'

type ScalarControlProps = {
  schema: Schema
  value: unknown
  onChange: (value: unknown) => void
  label?: string
  /** A secret stored on the server. */
  isStored?: boolean
}

/** The control for one value: switch, select, number, secret, multi-line or plain text. An emptied field is absent. */
export function ScalarControl(props: ScalarControlProps) {
  const { schema, value, onChange, label } = props
  if (schema.type === 'boolean')
    return <Switch {...(label ? { label } : {})} checked={value === true} onCheckedChange={onChange} />
  if (schema.enum) return <ChoiceControl {...props} />
  if (schema.type === 'number' || schema.type === 'integer') return <NumberControl {...props} />
  return <TextControl {...props} />
}

function ChoiceControl({ schema, value, onChange, label }: ScalarControlProps) {
  const choices = schema.enum ?? []
  return (
    <Select
      {...nameOf(label)}
      placeholder="Choose…"
      options={choices.map((choice) => ({ value: String(choice), label: labelOf(String(choice), {}) }))}
      value={textOf(value)}
      onValueChange={(chosen) => onChange(choices.find((choice) => String(choice) === chosen))}
    />
  )
}

/** Generated schemas express "no limit" as the largest number. */
const largestLimit = 1e9

function NumberControl({ schema: { type, minimum, maximum }, value, onChange, label }: ScalarControlProps) {
  return (
    <Input
      {...nameOf(label)}
      type="number"
      inputMode="numeric"
      step={type === 'integer' ? 1 : 'any'}
      {...(minimum === undefined || minimum < -largestLimit ? {} : { min: minimum })}
      {...(maximum === undefined || maximum > largestLimit ? {} : { max: maximum })}
      value={textOf(value)}
      onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
    />
  )
}

function TextControl({ schema, value, onChange, label, isStored }: ScalarControlProps) {
  if (schema.multiline)
    return (
      <Textarea
        {...nameOf(label)}
        className="font-mono text-dense"
        rows={4}
        value={textOf(value)}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    )
  return (
    <Input
      {...nameOf(label)}
      type={schema.secret ? 'password' : 'text'}
      autoComplete={schema.secret ? 'new-password' : 'off'}
      spellCheck={false}
      placeholder={isStored ? '••••••••' : undefined}
      {...(schema.maxLength ? { maxLength: schema.maxLength } : {})}
      value={textOf(value)}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  )
}

function nameOf(label: string | undefined): { 'aria-label'?: string } {
  return label ? { 'aria-label': label } : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
