import type { SupportStatus } from '@carillon/contract/support'
import { Pill } from '../../ui/pill.tsx'
import { statusStyleOf, type Side } from './support-labels.ts'

export function SupportStatusPill({ status, side }: { status: SupportStatus; side: Side }) {
  const { label, tone, icon } = statusStyleOf(status, side)
  return (
    <Pill tone={tone} icon={icon}>
      {label}
    </Pill>
  )
}
