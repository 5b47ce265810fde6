import type { InboxSettings } from '@carillon/contract/inbox-settings'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

type Week = NonNullable<InboxSettings['businessHours']>

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const usual = { start: '09:30', end: '18:30' }

export const defaultHours: Week = weekdays.map((_, index) => (index < 6 ? usual : null))

type BusinessHoursProps = { hours: Week; errors: Record<string, string>; onChange: (hours: Week) => void }

/** The hours of each weekday. */
export function BusinessHours({ hours, errors, onChange }: BusinessHoursProps) {
  const change = (index: number, day: Week[number]) =>
    onChange(hours.map((other, position) => (position === index ? day : other)))
  return (
    <ul className="divide-y divide-line border-y border-border">
      {weekdays.map((name, index) => (
        <Weekday
          key={name}
          name={name}
          hours={hours[index] ?? null}
          error={errors[`businessHours.${index}.start`] ?? errors[`businessHours.${index}.end`]}
          onChange={(day) => change(index, day)}
        />
      ))}
    </ul>
  )
}

type WeekdayProps = {
  name: string
  hours: Week[number]
  error: string | undefined
  onChange: (hours: Week[number]) => void
}

function Weekday({ name, hours, error, onChange }: WeekdayProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
      <span className="w-32">
        <Checkbox
          label={name}
          checked={hours !== null}
          onChange={({ target }) => onChange(target.checked ? usual : null)}
        />
      </span>
      {hours === null ? (
        <span className="flex min-h-9 items-center text-muted-foreground">Closed</span>
      ) : (
        <span className="flex items-center gap-2">
          <TimeInput label={`${name} from`} value={hours.start} onChange={(start) => onChange({ ...hours, start })} />
          <span aria-hidden>–</span>
          <TimeInput label={`${name} until`} value={hours.end} onChange={(end) => onChange({ ...hours, end })} />
        </span>
      )}
      {error ? <FieldMessage text={error} /> : null}
    </li>
  )
}

function TimeInput({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <Input
      type="time"
      aria-label={label}
      className="w-30"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
