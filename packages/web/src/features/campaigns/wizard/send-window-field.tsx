import type { SendWindow } from '@carillon/contract/campaign-records'
import { useState } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'

type SendWindowFieldProps = {
  /** Up to the first time of day. */
  label: string
  /** While it is off. */
  otherwise: string
  window: SendWindow | undefined
  /** Of the campaign. */
  timezone: string
  onWindow: (window: SendWindow | undefined) => void
  /** Whether it is the first of its section, without a line above. */
  isFirst?: boolean
}

const usual = { start: '10:00', end: '20:00' }

/** Hours of the day in which messages are sent, in one time zone or in that of each recipient's country. */
export function SendWindowField({ label, otherwise, window, timezone, onWindow, isFirst }: SendWindowFieldProps) {
  const [last, setLast] = useState<SendWindow>(window ?? { ...usual, timezone })
  const shown = window ?? last

  function change(patch: Partial<SendWindow>) {
    const next = { ...shown, ...patch }
    setLast(next)
    onWindow(next)
  }

  return (
    <div className={isFirst ? undefined : 'mt-3 border-t border-line pt-3'}>
      <Checkbox
        label={label}
        checked={window !== undefined}
        onChange={(event) => onWindow(event.target.checked ? { ...shown, timezone } : undefined)}
      />
      {window ? (
        <div className="mt-1.5 flex flex-wrap items-center gap-2 pl-6.5">
          <TimeInput label="Hours begin" value={shown.start} onValue={(start) => change({ start })} />
          <span className="text-dense text-muted-foreground">and</span>
          <TimeInput label="Hours end" value={shown.end} onValue={(end) => change({ end })} />
          <span className="w-56 max-md:w-full">
            <Select
              size="sm"
              aria-label="Time zone of the hours"
              value={shown.useRecipientTimezone ? 'recipient' : 'campaign'}
              options={[
                { value: 'campaign', label: `in ${shown.timezone.replaceAll('_', ' ')}` },
                { value: 'recipient', label: 'in the recipient’s country' },
              ]}
              onValueChange={(zone) => change({ useRecipientTimezone: zone === 'recipient' })}
            />
          </span>
        </div>
      ) : null}
      <p className="mt-1.5 pl-6.5 text-caption text-muted-foreground">
        {window === undefined ? otherwise : shown.useRecipientTimezone ? severalZones : 'Others wait for these hours.'}
      </p>
    </div>
  )
}

const severalZones =
  'Others wait for these hours. In a country with several time zones, messages are sent while the hours are open in all of them.'

function TimeInput({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  return (
    <span className="w-32">
      <Input
        size="sm"
        type="time"
        required
        aria-label={label}
        value={value}
        onChange={(event) => {
          if (event.target.value) onValue(event.target.value)
        }}
      />
    </span>
  )
}
