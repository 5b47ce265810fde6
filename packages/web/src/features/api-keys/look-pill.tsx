import type { LucideIcon } from 'lucide-react'
import { Pill, type Tone } from '../../ui/pill.tsx'

export type Look = { label: string; tone: Tone; icon: LucideIcon }

export function LookPill({ look: { label, tone, icon } }: { look: Look }) {
  return (
    <Pill tone={tone} icon={icon}>
      {label}
    </Pill>
  )
}
