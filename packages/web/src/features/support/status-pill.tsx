import type { SupportStatus } from '@carillon/contract/support'
import { Pill } from '../../ui/pill.tsx'
import { lookOf, type Side } from './words.ts'

export function SupportStatusPill({ status, side }: { status: SupportStatus; side: Side }) {
  const { label, tone, icon } = lookOf(status, side)
  return (
    <Pill tone={tone} icon={icon}>
      {label}
    </Pill>
  )
}
