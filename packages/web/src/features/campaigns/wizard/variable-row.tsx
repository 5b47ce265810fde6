import type { VariableSource } from '@carillon/contract/campaign-records'
import type { SmsVariable } from '@carillon/contract/templates'
import { checkVariable, longestValue } from '@carillon/contract/sms-variables'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'

type VariableRowProps = {
  variable: SmsVariable
  kindLabel: string
  source: VariableSource
  columns: readonly string[]
  phoneColumn: number | undefined
  firstRow: readonly string[]
  onChange: (source: VariableSource) => void
  onFocus: (variable: string | undefined) => void
}

/** One variable: its column or one value for all, what stands in for an empty cell, and whether long values are cut. */
export function VariableRow({
  variable,
  kindLabel,
  source,
  columns,
  phoneColumn,
  firstRow,
  onChange,
  onFocus,
}: VariableRowProps) {
  const { name, kind } = variable
  const limit = longestValue[kind]
  const hasColumn = source.column !== undefined
  const problem = source.fallback === '' ? undefined : checkVariable(kind, source.fallback)
  const options = [
    { value: 'same', label: 'Same for everyone' },
    ...columns.map((column, index) => ({
      value: String(index),
      label: labelOf({ column, index, phoneColumn, example: firstRow[index] }),
    })),
  ]

  function choose(value: string) {
    const { column: _, ...rest } = source
    onChange(value === 'same' ? rest : { ...rest, column: Number(value) })
  }

  function trim(isOn: boolean) {
    const { trimTo: _, ...rest } = source
    onChange(isOn ? { ...rest, trimTo: limit } : rest)
  }

  return (
    <li
      className="grid grid-cols-[minmax(0,0.9fr)_minmax(0,1.3fr)_minmax(0,1fr)_auto] items-start gap-4 border-b border-line py-3 last:border-0 max-md:grid-cols-1 max-md:gap-3"
      onFocus={() => onFocus(name)}
      onBlur={() => onFocus(undefined)}
    >
      <div className="min-w-0 pt-0.5">
        <span className="inline-block max-w-full truncate rounded-sm bg-brand-muted px-1.5 font-medium text-brand-text">
          {name}
        </span>
        <p className="text-caption text-muted-foreground">
          {kindLabel}, at most {limit}
        </p>
      </div>
      <Field label={<span className="text-caption font-normal text-muted-foreground">Value from</span>}>
        <Select size="sm" value={hasColumn ? String(source.column) : 'same'} onValueChange={choose} options={options} />
      </Field>
      <Field
        label={
          <span className="text-caption font-normal text-muted-foreground">
            {hasColumn ? 'If the cell is empty' : 'Value'}
          </span>
        }
        error={problem}
      >
        <Input
          size="sm"
          value={source.fallback}
          maxLength={200}
          placeholder={hasColumn ? 'skip the row' : variable.sample || 'enter a value'}
          onChange={(event) => onChange({ ...source, fallback: event.target.value })}
        />
      </Field>
      <div className="pt-6 max-md:pt-0">
        <Checkbox
          label="Trim"
          title={`Cut longer values to ${limit} characters`}
          checked={source.trimTo !== undefined}
          onChange={(event) => trim(event.target.checked)}
        />
      </div>
    </li>
  )
}

type ColumnLabel = { column: string; index: number; phoneColumn: number | undefined; example: string | undefined }

function labelOf({ column, index, phoneColumn, example }: ColumnLabel): string {
  const name = column || `Column ${index + 1}`
  if (index === phoneColumn) return `${name} (phone number)`
  return example ? `${name} · ${example.slice(0, 24)}` : name
}
