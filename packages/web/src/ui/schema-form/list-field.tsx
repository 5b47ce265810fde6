import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../button.tsx'
import { FieldMessage } from '../field.tsx'
import { Input } from '../input.tsx'
import { ScalarControl } from './scalar-control.tsx'
import { asRecord, defaultsOf, labelOf, type Schema } from './schema.ts'

type ListFieldProps = {
  label: string
  schema: Schema
  value: unknown
  onChange: (value: unknown) => void
  errors: Record<string, string>
  path: string
}

/** Rows that can be added and taken away: a list of values or of small records, or names with values. */
export function ListField({ label, schema, value, onChange, errors, path }: ListFieldProps) {
  const error = errors[path]
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 sm:col-span-2">
      <legend className="mb-1.5 font-medium">{label}</legend>
      {schema.description ? <p className="text-caption text-muted-foreground">{schema.description}</p> : null}
      {schema.type === 'array' ? (
        <Rows label={label} items={schema.items ?? {}} value={Array.isArray(value) ? value : []} onChange={onChange} />
      ) : (
        <Pairs label={label} value={asRecord(value)} onChange={onChange} />
      )}
      {error ? <FieldMessage text={error} /> : null}
    </fieldset>
  )
}

type RowsProps = { label: string; items: Schema; value: unknown[]; onChange: (value: unknown[]) => void }

function Rows({ label, items, value, onChange }: RowsProps) {
  const replace = (index: number, next: unknown) => onChange(value.map((row, at) => (at === index ? next : row)))
  return (
    <>
      {value.map((row, index) => (
        // Rows have no identity of their own; their place is what they are.
        <div key={index} className="flex items-center gap-2">
          {items.properties ? (
            Object.entries(items.properties).map(([name, property]) => (
              <div key={name} className="min-w-0 flex-1">
                <ScalarControl
                  schema={property}
                  label={`${labelOf(name, property)}, row ${index + 1}`}
                  value={asRecord(row)[name]}
                  onChange={(next) => replace(index, { ...asRecord(row), [name]: next })}
                />
              </div>
            ))
          ) : (
            <ScalarControl
              schema={items}
              label={`${label}, row ${index + 1}`}
              value={row}
              onChange={(next) => replace(index, next)}
            />
          )}
          <IconButton label="Remove the row" size="sm" onClick={() => onChange(value.filter((_, at) => at !== index))}>
            <Trash2 />
          </IconButton>
        </div>
      ))}
      <AddButton onClick={() => onChange([...value, items.properties ? (defaultsOf(items) ?? {}) : ''])} />
    </>
  )
}

type PairsProps = { label: string; value: Record<string, unknown>; onChange: (value: Record<string, unknown>) => void }

function Pairs({ label, value, onChange }: PairsProps) {
  const pairs = Object.entries(value)
  const replace = (index: number, pair: [string, unknown]) =>
    onChange(Object.fromEntries(pairs.map((old, at) => (at === index ? pair : old))))
  return (
    <>
      {pairs.map(([name, text], index) => (
        <div key={index} className="flex items-center gap-2">
          <Input
            aria-label={`${label}, name ${index + 1}`}
            value={name}
            onChange={(event) => replace(index, [event.target.value, text])}
            mono
          />
          <Input
            aria-label={`${label}, value ${index + 1}`}
            value={typeof text === 'string' ? text : ''}
            onChange={(event) => replace(index, [name, event.target.value])}
            mono
          />
          <IconButton
            label="Remove the row"
            size="sm"
            onClick={() => onChange(Object.fromEntries(pairs.filter((_, at) => at !== index)))}
          >
            <Trash2 />
          </IconButton>
        </div>
      ))}
      <AddButton onClick={() => onChange({ ...value, '': '' })} />
    </>
  )
}

function AddButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="ghost" size="sm" className="self-start" onClick={onClick}>
      <Plus aria-hidden /> Add a row
    </Button>
  )
}
