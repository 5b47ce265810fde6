import type { LucideIcon } from 'lucide-react'
import { Pill, type Tone } from '../../../ui/pill.tsx'

export type StatusLook = { label: string; tone: Tone; icon: LucideIcon }

export function TemplatePill({ look: { label, tone, icon } }: { look: StatusLook }) {
  return (
    <Pill tone={tone} icon={icon}>
      {label}
    </Pill>
  )
}

/** Options of a filter by status. */
export function statusOptions<Status extends string>(statuses: readonly Status[], looks: Record<Status, StatusLook>) {
  return statuses.map((value) => ({ value, label: looks[value].label }))
}
