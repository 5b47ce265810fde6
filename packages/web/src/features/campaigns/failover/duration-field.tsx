import { useState } from 'react'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { durationLabel, durationUnits, unitOf, type DurationUnit } from './duration.ts'

type DurationFieldProps = {
  label: string
  seconds: number
  /** In seconds. */
  shortest: number
  longest: number
  /** The smallest unit, in seconds. */
  unit?: number
  onSeconds: (seconds: number) => void
}

/** A duration as a number and its unit; applied once it is within the limits. */
export function DurationField({
  label,
  seconds,
  shortest,
  longest,
  unit: smallest = 1,
  onSeconds,
}: DurationFieldProps) {
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState<DurationUnit>()
  const unit = chosen && seconds % chosen.seconds === 0 ? chosen : unitOf(seconds)
  const isAllowed = (value: number) => value >= shortest && value <= longest
  const isWrong = typed !== undefined && !isAllowed(Number(typed) * unit.seconds)

  function change(text: string) {
    setTyped(text)
    const next = Math.round(Number(text) * unit.seconds)
    if (text !== '' && isAllowed(next)) onSeconds(next)
  }

  function changeUnit(name: DurationUnit['name']) {
    const next = durationUnits.find((one) => one.name === name) ?? unit
    setChosen(next)
    setTyped(undefined)
    const count = Math.max(1, Math.round(seconds / unit.seconds))
    onSeconds(Math.min(Math.max(count * next.seconds, shortest), longest))
  }

  return (
    <span className="flex shrink-0 flex-wrap items-center gap-1">
      <span className="w-15">
        <Input
          size="sm"
          type="number"
          inputMode="numeric"
          min={Math.ceil(shortest / unit.seconds)}
          max={Math.floor(longest / unit.seconds)}
          aria-label={label}
          invalid={isWrong}
          value={typed ?? String(seconds / unit.seconds)}
          onChange={(event) => change(event.target.value)}
          onBlur={() => setTyped(undefined)}
        />
      </span>
      <span className="w-27">
        <Select
          size="sm"
          aria-label={`Unit of: ${label}`}
          value={unit.name}
          options={durationUnits
            .filter((one) => one.seconds <= longest && one.seconds >= smallest)
            .map(({ name }) => ({ value: name, label: `${name}s` }))}
          onValueChange={changeUnit}
        />
      </span>
      {isWrong ? (
        <span role="alert" className="basis-full text-caption text-danger-text">
          {durationLabel(shortest)} to {durationLabel(longest)}
        </span>
      ) : null}
    </span>
  )
}
