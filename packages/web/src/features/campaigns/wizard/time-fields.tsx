import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { TimeZoneSelect } from '../../../ui/time-zone-select.tsx'
import { toInstant, toWallTime } from './zoned-time.ts'

type TimeFieldsProps = {
  startAt: string
  timezone: string
  /** When the form was opened: earlier days are not offered. */
  opened: Date
  error: string | undefined
  onSchedule: (schedule: { startAt: string; timezone: string }) => void
}

/** Day, time and time zone. Changing the zone keeps the local time. */
export function TimeFields({ startAt, timezone, opened, error, onSchedule }: TimeFieldsProps) {
  return (
    <>
      <Field label="Day and time" error={error}>
        <Input
          type="datetime-local"
          value={toWallTime(startAt, timezone)}
          min={toWallTime(opened, timezone)}
          onChange={(event) => {
            const next = toInstant(event.target.value, timezone)
            if (next) onSchedule({ timezone, startAt: next })
          }}
        />
      </Field>
      <Field label="Time zone">
        <TimeZoneSelect
          value={timezone}
          onValueChange={(zone) =>
            onSchedule({ timezone: zone, startAt: toInstant(toWallTime(startAt, timezone), zone) ?? startAt })
          }
        />
      </Field>
    </>
  )
}
