import { useState } from 'react'
import { Button } from '../button.tsx'
import { Field } from '../field.tsx'
import { Select } from '../select.tsx'
import { ListField } from './list-field.tsx'
import { asRecord, choicesOf, defaultsOf, labelOf, type FormValue, type Schema } from './schema.ts'
import { ScalarControl } from './scalar-control.tsx'

type SchemaFormProps = {
  schema: Schema
  value: FormValue
  onChange: (value: FormValue) => void
  /** Errors by path, such as `host` or `auth.username`. */
  errors?: Record<string, string>
  /** Stored secrets: their fields may stay empty. */
  secretsSet?: readonly string[]
  path?: string
}

/** Renders a settings form from a JSON Schema. Advanced settings are behind a button. */
export function SchemaForm({ schema, value, onChange, errors = {}, secretsSet = [], path = '' }: SchemaFormProps) {
  const [showsAll, setShowsAll] = useState(false)
  const properties = Object.entries(schema.properties ?? {}).filter(([, property]) => property.const === undefined)
  const rare = properties.filter(([name, property]) => property.advanced && !errors[join(path, name)])
  const shown = showsAll ? properties : properties.filter((entry) => !rare.includes(entry))
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {shown.map(([name, property]) => (
        <Property
          key={name}
          name={name}
          path={join(path, name)}
          schema={property}
          isRequired={schema.required?.includes(name) === true && property.default === undefined}
          value={value[name]}
          onChange={(next) => onChange({ ...value, [name]: next })}
          errors={errors}
          secretsSet={secretsSet}
        />
      ))}
      {rare.length > 0 && !showsAll ? (
        <Button
          variant="ghost"
          size="sm"
          className="justify-self-start sm:col-span-2"
          onClick={() => setShowsAll(true)}
        >
          Show {rare.length} more settings
        </Button>
      ) : null}
    </div>
  )
}

type PropertyProps = {
  name: string
  path: string
  schema: Schema
  isRequired: boolean
  value: unknown
  onChange: (value: unknown) => void
  errors: Record<string, string>
  secretsSet: readonly string[]
}

function Property(props: PropertyProps) {
  const { name, path, schema, value, onChange, errors, secretsSet } = props
  const label = labelOf(name, schema)
  if (schema.oneOf || schema.anyOf) return <Choice {...props} />
  if (schema.type === 'array') {
    return <ListField label={label} schema={schema} value={value} onChange={onChange} errors={errors} path={path} />
  }
  if (schema.properties) {
    return (
      <fieldset className="rounded-lg border border-border p-4 sm:col-span-2">
        <legend className="px-1 font-medium">{label}</legend>
        <SchemaForm
          schema={schema}
          value={asRecord(value)}
          onChange={onChange}
          errors={errors}
          secretsSet={secretsSet}
          path={path}
        />
      </fieldset>
    )
  }
  return <Scalar {...props} label={label} />
}

function Scalar({
  name,
  path,
  schema,
  isRequired,
  value,
  onChange,
  errors,
  secretsSet,
  label,
}: PropertyProps & { label: string }) {
  const isStored = schema.secret === true && secretsSet.includes(name)
  const help = isStored ? 'Stored. Leave empty to keep it.' : schema.description
  const isOptional = !isRequired && schema.default === undefined && schema.type !== 'boolean' && !isStored
  return (
    <Field
      label={label}
      {...(isOptional ? { hint: '(optional)' } : {})}
      help={help}
      error={errors[path]}
      className={schema.multiline || schema.format === 'uri' ? 'sm:col-span-2' : ''}
    >
      <ScalarControl schema={schema} value={value} onChange={onChange} isStored={isStored} />
    </Field>
  )
}

/** One of several shapes: a select, then the fields of the chosen shape. */
function Choice({ name, path, schema, value, onChange, errors, secretsSet }: PropertyProps) {
  const choices = choicesOf(schema)
  if (!choices) return null
  const record = asRecord(value)
  const chosen = choices.options.find((option) => option.value === record[choices.key]) ?? choices.options[0]
  if (!chosen) return null
  return (
    <div className="grid gap-4 sm:col-span-2">
      <Field label={labelOf(name, schema)} help={schema.description} error={errors[path]}>
        <Select
          options={choices.options.map((option) => ({ value: option.value, label: option.label }))}
          value={chosen.value}
          onValueChange={(next) =>
            onChange(defaultsOf(choices.options.find((option) => option.value === next)?.schema ?? {}))
          }
        />
      </Field>
      <SchemaForm
        schema={chosen.schema}
        value={record}
        onChange={(next) => onChange({ ...next, [choices.key]: chosen.value })}
        errors={errors}
        secretsSet={secretsSet}
        path={path}
      />
    </div>
  )
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name
}
