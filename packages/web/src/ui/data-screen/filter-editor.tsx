import { useState } from 'react'
import type { DayRange } from '../../lib/url-state.ts'
import { Button } from '../button.tsx'
import { Checkbox } from '../checkbox.tsx'
import { Field } from '../field.tsx'
import { Input } from '../input.tsx'
import { RadioGroup } from '../radio.tsx'
import type { Filter } from './filter.ts'

export function FilterEditor({ filter, titled }: { filter: Filter; titled?: boolean }) {
  return (
    <fieldset className="min-w-0">
      <legend className={titled ? 'mb-2 font-medium' : 'px-2 pb-1 text-caption font-medium text-muted-foreground'}>
        {filter.label}
      </legend>
      <div className={titled ? undefined : 'px-2'}>
        <Editor filter={filter} />
      </div>
    </fieldset>
  )
}

function Editor({ filter }: { filter: Filter }) {
  switch (filter.kind) {
    case 'choices':
      return (
        <div className="flex flex-col gap-1.5 py-1">
          {filter.options.map(({ value, label }) => (
            <Checkbox
              key={value}
              label={label}
              checked={filter.value.includes(value)}
              onChange={(event) =>
                filter.onChange(
                  event.target.checked ? [...filter.value, value] : filter.value.filter((other) => other !== value),
                )
              }
            />
          ))}
        </div>
      )
    case 'choice':
      return (
        <RadioGroup
          label={filter.label}
          value={filter.value ?? ''}
          onValueChange={filter.onChange}
          choices={filter.options}
        />
      )
    case 'text':
      return <TextEditor label={filter.label} value={filter.value ?? ''} onChange={filter.onChange} />
    case 'range':
      return <RangeEditor value={filter.value} onChange={filter.onChange} />
  }
}

type TextEditorProps = { label: string; value: string; onChange: (value: string | undefined) => void }

/** Applied on Enter or blur. */
function TextEditor({ label, value, onChange }: TextEditorProps) {
  const [typed, setTyped] = useState(value)
  const tell = () => typed.trim() !== value && onChange(typed.trim() || undefined)
  return (
    <Input
      size="sm"
      aria-label={label}
      placeholder="Contains…"
      maxLength={80}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={tell}
      onKeyDown={(event) => event.key === 'Enter' && tell()}
    />
  )
}

const presets = [
  ['Today', 0],
  ['7 days', 6],
  ['30 days', 29],
  ['90 days', 89],
] as const

type RangeEditorProps = { value: DayRange | undefined; onChange: (value: DayRange | undefined) => void }

function RangeEditor({ value, onChange }: RangeEditorProps) {
  const [today] = useState(() => isoDay(new Date()))
  const from = value?.from ?? ''
  const to = value?.to ?? ''

  /** A half-open range is completed with today, or the same day. */
  function change(next: DayRange) {
    const whole = { from: next.from || next.to, to: next.to || today }
    if (whole.from && whole.from <= whole.to) onChange(whole)
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-1">
        {presets.map(([label, days]) => (
          <Button key={label} size="tool" onClick={() => onChange({ from: isoDay(daysAgo(days)), to: today })}>
            {label}
          </Button>
        ))}
        <Button size="tool" onClick={() => onChange({ from: `${today.slice(0, 7)}-01`, to: today })}>
          This month
        </Button>
      </div>
      <Field label="From">
        <Input
          type="date"
          size="sm"
          max={to || today}
          value={from}
          onChange={(event) => change({ from: event.target.value, to })}
        />
      </Field>
      <Field label="To">
        <Input
          type="date"
          size="sm"
          min={from}
          value={to}
          onChange={(event) => change({ from, to: event.target.value })}
        />
      </Field>
    </div>
  )
}

function daysAgo(days: number): Date {
  const date = new Date()
  date.setDate(date.getDate() - days)
  return date
}

/** The date in the user's time zone, as 2025-11-03. */
function isoDay(date: Date): string {
  return [
    date.getFullYear(),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-')
}
