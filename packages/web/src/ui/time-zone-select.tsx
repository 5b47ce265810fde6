import clsx from 'clsx'
import { Check, ChevronsUpDown, Search } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { formatTime, localZone } from '../lib/format.ts'
import { findTimeZones, timeZoneOffset } from '../lib/time-zones.ts'
import { useFieldControl } from './field.tsx'
import { Input } from './input.tsx'
import { Popover } from './popover.tsx'

type TimeZoneSelectProps = { value: string; onValueChange: (zone: string) => void }

/** Time zone picker with search by city, country, abbreviation or UTC offset, and the current time there. */
export function TimeZoneSelect({ value, onValueChange }: TimeZoneSelectProps) {
  const [isOpen, setOpen] = useState(false)
  const control = useFieldControl()
  return (
    <Popover
      label="Time zone"
      open={isOpen}
      onOpenChange={setOpen}
      className="flex w-(--radix-popover-trigger-width) min-w-72 flex-col p-2 max-md:w-[calc(100vw-2rem)]"
      trigger={
        <button
          {...control}
          type="button"
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          className="flex h-9 w-full min-w-0 cursor-pointer items-center gap-2 rounded-md border border-input bg-card px-2.5 text-left focus-visible:border-ring focus-visible:-outline-offset-1 aria-invalid:border-destructive max-md:h-11 max-md:text-base"
        >
          <span className="min-w-0 flex-1 truncate">{value.replaceAll('_', ' ')}</span>
          <span className="shrink-0 text-dense text-muted-foreground tabular-nums">{timeZoneOffset(value)}</span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        </button>
      }
    >
      <Choices
        value={value}
        onChoose={(zone) => {
          setOpen(false)
          onValueChange(zone)
        }}
      />
    </Popover>
  )
}

const mostShown = 60

function Choices({ value, onChoose }: { value: string; onChoose: (zone: string) => void }) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const [now] = useState(() => Date.now())
  const id = useId()
  const found = findTimeZones(typed, [value, localZone(), 'Asia/Kolkata', 'UTC'])
  const shown = found.slice(0, mostShown)
  const optionId = (index: number) => `${id}-${index}`

  function go(index: number) {
    const next = Math.max(0, Math.min(shown.length - 1, index))
    setActive(next)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }

  function press(event: KeyboardEvent) {
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + 6,
      PageUp: active - 6,
    }
    const next = moves[event.key]
    if (next !== undefined) go(next)
    else if (event.key === 'Enter') {
      const choice = shown[active]
      if (choice) onChoose(choice)
    } else return
    // Enter would also submit the form.
    event.preventDefault()
  }

  return (
    <>
      <Input
        type="text"
        role="combobox"
        aria-label="Search time zones"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={shown.length > 0 ? optionId(active) : undefined}
        autoComplete="off"
        placeholder="City, country, IST, +5:30"
        maxLength={60}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setActive(0)
        }}
        onKeyDown={press}
        leading={<Search aria-hidden />}
      />
      {shown.length === 0 ? (
        <p role="status" className="px-2 py-6 text-center text-muted-foreground">
          No time zone matches
        </p>
      ) : (
        <ul id={`${id}-list`} role="listbox" aria-label="Time zones" className="mt-2 max-h-72 overflow-y-auto">
          {shown.map((zone, index) => (
            <Choice
              key={zone}
              id={optionId(index)}
              zone={zone}
              now={now}
              isActive={index === active}
              isChosen={zone === value}
              onPoint={() => setActive(index)}
              onChoose={() => onChoose(zone)}
            />
          ))}
        </ul>
      )}
      {found.length > mostShown ? (
        <p className="border-t border-line px-2 pt-2 text-caption text-muted-foreground">
          Type to search all time zones
        </p>
      ) : null}
    </>
  )
}

type ChoiceProps = {
  id: string
  zone: string
  now: number
  isActive: boolean
  isChosen: boolean
  onPoint: () => void
  onChoose: () => void
}

function Choice({ id, zone, now, isActive, isChosen, onPoint, onChoose }: ChoiceProps) {
  return (
    // Keys are taken by the search above, which stays focused.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      id={id}
      role="option"
      aria-selected={isChosen}
      className={clsx(
        'flex min-h-9 cursor-pointer items-center gap-2 rounded-sm px-2 max-md:min-h-11',
        isActive && 'bg-accent',
      )}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <Check aria-hidden className={clsx('size-4 shrink-0', !isChosen && 'invisible')} />
      <span className="min-w-0 flex-1 truncate">{zone.replaceAll('_', ' ')}</span>
      <span className="shrink-0 text-dense text-muted-foreground tabular-nums">
        {timeZoneOffset(zone)} · {formatTime(now, zone)}
      </span>
    </li>
  )
}
