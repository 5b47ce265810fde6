import { Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { Button, IconButton } from '../button.tsx'
import { Field, FieldMessage } from '../field.tsx'
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

/** Rows that can be added and removed: values or small records. */
export function ListField({ label, schema, value, onChange, errors, path }: ListFieldProps) {
  const list = useRef<HTMLFieldSetElement>(null)
  const rows: unknown[] = Array.isArray(value) ? value : []
  const items = schema.items ?? {}
  const error = errors[path]

  function add() {
    onChange([...rows, items.properties ? (defaultsOf(items) ?? {}) : ''])
    // After the row is rendered.
    setTimeout(() =>
      list.current?.querySelector<HTMLElement>('[data-list-row]:last-of-type :is(input, select)')?.focus(),
    )
  }

  return (
    <fieldset ref={list} className="flex min-w-0 flex-col gap-2 sm:col-span-2">
      <legend className="mb-1 font-medium">{label}</legend>
      {schema.description ? <p className="text-caption text-muted-foreground">{schema.description}</p> : null}
      {rows.map((row, index) => (
        <Row
          // Rows have no id; the index identifies them.
          key={index}
          name={`${label}, row ${index + 1}`}
          isFirst={index === 0}
          items={items}
          value={row}
          onChange={(next) => onChange(rows.map((old, at) => (at === index ? next : old)))}
          onRemove={() => onChange(rows.filter((_, at) => at !== index))}
          errors={errors}
          path={`${path}.${index}`}
        />
      ))}
      {error ? <FieldMessage text={error} /> : null}
      <Button size="sm" className="self-start" aria-label={`Add a row to ${label}`} onClick={add}>
        <Plus aria-hidden /> Add
      </Button>
    </fieldset>
  )
}

type RowProps = {
  name: string
  isFirst: boolean
  items: Schema
  value: unknown
  onChange: (value: unknown) => void
  onRemove: () => void
  errors: Record<string, string>
  path: string
}

/** A table line with shared titles; on phones a box with titles of its own. */
function Row({ name, isFirst, items, value, onChange, onRemove, errors, path }: RowProps) {
  const record = asRecord(value)
  const cells = Object.entries(items.properties ?? {})
  return (
    <div
      data-list-row
      className="flex items-end gap-2 max-sm:rounded-lg max-sm:border max-sm:border-border max-sm:p-3 sm:items-start"
    >
      <div className="grid min-w-0 flex-1 auto-cols-[minmax(0,1fr)] gap-2 sm:grid-flow-col">
        {cells.length > 0 ? (
          cells.map(([key, property]) => (
            <Field
              key={key}
              small
              label={labelOf(key, property)}
              labelHidden={isFirst ? 'never' : 'beside'}
              error={errors[`${path}.${key}`]}
            >
              <ScalarControl
                schema={property}
                label={`${labelOf(key, property)}, ${name}`}
                value={record[key]}
                onChange={(next) => onChange({ ...record, [key]: next })}
              />
            </Field>
          ))
        ) : (
          <Field label={name} labelHidden="always" error={errors[path]}>
            <ScalarControl schema={items} label={name} value={value} onChange={onChange} />
          </Field>
        )}
      </div>
      <IconButton
        label={`Remove ${name}`}
        className={isFirst && cells.length > 0 ? 'max-sm:size-11 sm:mt-5' : 'max-sm:size-11'}
        onClick={onRemove}
      >
        <Trash2 />
      </IconButton>
    </div>
  )
}
