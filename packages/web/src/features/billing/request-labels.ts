import type { TopUpStatus } from '@carillon/contract/billing'
import type { Tone } from '../../ui/pill.tsx'

export const requestLabels: Record<TopUpStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Awaiting approval', tone: 'info' },
  approved: { label: 'Approved', tone: 'good' },
  rejected: { label: 'Rejected', tone: 'bad' },
  cancelled: { label: 'Withdrawn', tone: 'neutral' },
}
