import { useState } from 'react'
import { formatTime, localZone } from '../lib/format.ts'
import { findTimeZones, timeZoneOffset } from '../lib/time-zones.ts'
import { SearchList, SearchSelect } from './search-list.tsx'

type TimeZoneSelectProps = { value: string; onValueChange: (zone: string) => void }

/** Time zone picker with search by city, country, abbreviation or UTC offset, and the current time there. */
export function TimeZoneSelect({ value, onValueChange }: TimeZoneSelectProps) {
  return (
    <SearchSelect label="Time zone" shown={nameOf(value)} shownDetail={timeZoneOffset(value)}>
      {(close) => (
        <Choices
          value={value}
          onChoose={(zone) => {
            close()
            onValueChange(zone)
          }}
        />
      )}
    </SearchSelect>
  )
}

const mostShown = 60

function Choices({ value, onChoose }: { value: string; onChoose: (zone: string) => void }) {
  const [typed, setTyped] = useState('')
  const [now] = useState(() => Date.now())
  const found = findTimeZones(typed, [value, localZone(), 'Asia/Kolkata', 'UTC'])
  const options = found.slice(0, mostShown).map((zone) => ({
    value: zone,
    label: nameOf(zone),
    detail: `${timeZoneOffset(zone)} · ${formatTime(now, zone)}`,
  }))
  return (
    <SearchList
      label="Time zones"
      placeholder="City, country, IST, +5:30"
      typed={typed}
      onTyped={setTyped}
      options={options}
      value={value}
      onChoose={onChoose}
      none="No time zone matches"
      foot={found.length > mostShown ? 'Type to search all time zones' : undefined}
    />
  )
}

function nameOf(zone: string): string {
  return zone.replaceAll('_', ' ')
}
