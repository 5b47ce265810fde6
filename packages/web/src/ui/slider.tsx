import clsx from 'clsx'
import type { ReactNode } from 'react'

type SliderProps = {
  label: string
  value: number
  minimum: number
  maximum: number
  step?: number
  onValueChange: (value: number) => void
  /** Value text for screen readers. */
  valueText?: string
  /** Drawn over the track, such as ticks. */
  children?: ReactNode
  className?: string
}

export function Slider({
  label,
  value,
  minimum,
  maximum,
  step = 1,
  onValueChange,
  valueText,
  children,
  className,
}: SliderProps) {
  return (
    <span className={clsx('relative flex h-5 w-full items-center', className)}>
      <span
        aria-hidden
        className="absolute inset-x-0 h-0.5 rounded-full bg-[color-mix(in_oklab,var(--foreground)_14%,transparent)]"
      />
      {children}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={valueText}
        min={minimum}
        max={maximum}
        step={step}
        value={value}
        onChange={(event) => onValueChange(event.target.valueAsNumber)}
        className="range-field relative w-full"
      />
    </span>
  )
}
