import { truncate } from '@carillon/contract/text'
import type { VariableSource } from '@carillon/contract/campaign-records'
import { CellFormat, exampleOf, formatCell } from '@carillon/contract/cell-formats'
import clsx from 'clsx'
import { useState } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { LinkField } from './link-field.tsx'

export type RowVariable = {
  id: string
  name: string
  /** The part to outline on the phone while the row has the focus. */
  focus: string
  /** Its description, or its location. */
  caption: string
  sample: string
  /** Longer values are invalid, and can be truncated. */
  limit?: number
  /** Error of a value that applies to all recipients. */
  check?: (value: string) => string | undefined
}

type VariableRowProps = {
  variable: RowVariable
  source: VariableSource
  columns: readonly string[]
  phoneColumn: number | undefined
  firstRow: readonly string[]
  onChange: (source: VariableSource) => void
  onFocus: (variable: string | undefined) => void
}

/** A variable: column, fixed value or tracked link; fallback for empty cells, and truncation. */
export function VariableRow(props: VariableRowProps) {
  const { variable, source, columns, phoneColumn, firstRow, onChange, onFocus } = props
  const { name, focus, caption, limit } = variable
  const hasColumn = source.column !== undefined
  const [isLink, setLink] = useState(source.link !== undefined)
  const options = [
    { value: 'same', label: 'Same for everyone' },
    { value: 'link', label: 'Tracked link' },
    ...columns.map((column, index) => ({
      value: String(index),
      label: labelOf({ column, index, phoneColumn, example: firstRow[index] }),
    })),
  ]

  function choose(value: string) {
    setLink(value === 'link')
    const { column: _, format: _format, link: _link, ...rest } = source
    if (value === 'link') onChange({ fallback: '' })
    else onChange(value === 'same' ? rest : { ...rest, column: Number(value) })
  }

  return (
    <li
      className={clsx(
        'grid items-start gap-4 border-b border-line py-3 last:border-0 max-md:grid-cols-1 max-md:gap-3',
        limit === undefined
          ? 'grid-cols-[minmax(0,0.9fr)_minmax(0,1.3fr)_minmax(0,1.2fr)]'
          : 'grid-cols-[minmax(0,0.9fr)_minmax(0,1.3fr)_minmax(0,1fr)_auto]',
      )}
      onFocus={() => onFocus(focus)}
      onBlur={() => onFocus(undefined)}
    >
      <div className="min-w-0 pt-0.5">
        <span className="inline-block max-w-full truncate rounded-sm bg-brand-muted px-1.5 font-medium text-brand-text">
          {name}
        </span>
        <p className="truncate text-caption text-muted-foreground" title={caption}>
          {caption}
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <Field small label="Value from">
          <Select
            size="sm"
            value={hasColumn ? String(source.column) : isLink ? 'link' : 'same'}
            onValueChange={choose}
            options={options}
          />
        </Field>
        {source.column === undefined ? null : (
          <Format name={name} source={source} example={firstRow[source.column] ?? ''} onChange={onChange} />
        )}
      </div>
      {isLink ? (
        <LinkField
          link={source.link}
          className={limit === undefined ? '' : 'md:col-span-2'}
          onLink={(link) => onChange({ fallback: '', ...(link === undefined ? {} : { link }) })}
        />
      ) : (
        <FixedValue {...props} />
      )}
      {limit === undefined || isLink ? null : <Trim limit={limit} source={source} onChange={onChange} />}
    </li>
  )
}

/** The value for everyone, or for empty cells. */
function FixedValue({ variable: { sample, check }, source, onChange }: VariableRowProps) {
  const hasColumn = source.column !== undefined
  return (
    <Field
      small
      label={hasColumn ? 'If the cell is empty' : 'Value'}
      error={source.fallback === '' ? undefined : check?.(source.fallback)}
    >
      <Input
        size="sm"
        value={source.fallback}
        maxLength={200}
        placeholder={hasColumn ? 'skip the row' : sample || 'enter a value'}
        onChange={(event) => onChange({ ...source, fallback: event.target.value })}
      />
    </Field>
  )
}

type FormatProps = Pick<VariableRowProps, 'source' | 'onChange'> & { name: string; example: string }

/** The format of the column, with the first row as example. */
function Format({ name, source, example, onChange }: FormatProps) {
  const written = source.format && example !== '' ? formatCell(source.format, example) : undefined
  const isUnreadable = source.format !== undefined && example !== '' && written === undefined
  return (
    <Field
      small
      label={<span className="sr-only">Format of {name}</span>}
      help={isUnreadable ? `“${truncate(example, 24)}” doesn’t match this format` : undefined}
    >
      <Select
        size="sm"
        value={source.format ?? 'as_is'}
        onValueChange={(chosen) => {
          const { format: _, ...rest } = source
          onChange(chosen === 'as_is' ? rest : { ...rest, format: chosen })
        }}
        options={formatOptions}
      />
    </Field>
  )
}

const kinds = [
  { starts: 'date', label: 'Date' },
  { starts: 'amount', label: 'Amount' },
  { starts: '', label: 'Text' },
] as const

const formatOptions: readonly { value: CellFormat | 'as_is'; label: string }[] = [
  { value: 'as_is', label: 'As in the file' },
  ...CellFormat.options.map((value) => ({
    value,
    label: `${kinds.find(({ starts }) => value.startsWith(starts))?.label ?? ''}: ${exampleOf(value)}`,
  })),
]

type TrimProps = Pick<VariableRowProps, 'source' | 'onChange'> & { limit: number }

function Trim({ limit, source, onChange }: TrimProps) {
  function trim(isOn: boolean) {
    const { trimTo: _, ...rest } = source
    onChange(isOn ? { ...rest, trimTo: limit } : rest)
  }
  return (
    <div className="flex items-center md:mt-5 md:h-8">
      <Checkbox
        label="Trim"
        title={`Cut longer values to ${limit} characters`}
        checked={source.trimTo !== undefined}
        onChange={(event) => trim(event.target.checked)}
      />
    </div>
  )
}

type ColumnLabel = { column: string; index: number; phoneColumn: number | undefined; example: string | undefined }

function labelOf({ column, index, phoneColumn, example }: ColumnLabel): string {
  const name = column || `Column ${index + 1}`
  if (index === phoneColumn) return `${name} (phone number)`
  return example ? `${name} · ${truncate(example, 24)}` : name
}
