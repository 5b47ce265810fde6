import type { Availability } from '@carillon/contract/live-agents'
import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu, type MenuItem } from './menu.tsx'

export const availabilities = ['online', 'busy', 'away', 'offline'] as const satisfies readonly Availability[]

export const availabilityLabels: Record<Availability, string> = {
  online: 'Online',
  busy: 'Busy',
  away: 'Away',
  offline: 'Offline',
}

const dots: Record<Availability, string> = {
  online: 'bg-success',
  busy: 'bg-destructive',
  away: 'bg-warning',
  offline: 'border-2 border-muted-foreground',
}

export function AvailabilityDot({ availability }: { availability: Availability }) {
  return <span aria-hidden className={clsx('size-2.25 shrink-0 rounded-full', dots[availability])} />
}

export function AvailabilityText({ availability }: { availability: Availability }) {
  return (
    <span className="inline-flex items-center gap-2">
      <AvailabilityDot availability={availability} />
      {availabilityLabels[availability]}
    </span>
  )
}

type AvailabilityMenuProps = {
  availability: Availability
  /** 'Your availability', 'Availability of Asha'. */
  label: string
  onChange: (availability: Availability) => void
  /** Shown above the choices. */
  header?: ReactNode
  /** Below the choices. */
  more?: readonly MenuItem[]
}

/** The availability of an agent as a button that changes it. */
export function AvailabilityMenu({ availability, label, onChange, header, more = [] }: AvailabilityMenuProps) {
  return (
    <Menu
      align="start"
      label={label}
      header={header}
      trigger={
        <button
          type="button"
          className="inline-flex h-8 items-center gap-2 rounded-md border border-edge bg-card px-2.5 text-dense font-medium hover:bg-accent max-md:h-11"
        >
          <AvailabilityDot availability={availability} />
          <span className="sr-only">{label}: </span>
          <span data-text>{availabilityLabels[availability]}</span>
          <ChevronDown aria-hidden className="size-3.5 text-muted-foreground" />
        </button>
      }
      items={[
        ...availabilities.map((value) => ({
          label: availabilityLabels[value],
          isCurrent: value === availability,
          onSelect: () => onChange(value),
        })),
        ...more,
      ]}
    />
  )
}
