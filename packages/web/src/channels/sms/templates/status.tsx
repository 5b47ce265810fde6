import type { SmsTemplateStatus } from '@carillon/contract/channels/sms/sms-templates'
import { Ban, CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import { Pill } from '../../../ui/pill.tsx'

const looks = {
  draft: { label: 'Draft', tone: 'neutral', icon: CircleDashed },
  approved: { label: 'Approved', tone: 'good', icon: CircleCheck },
  rejected: { label: 'Rejected', tone: 'bad', icon: CircleAlert },
  disabled: { label: 'Disabled', tone: 'neutral', icon: Ban },
} as const satisfies Record<SmsTemplateStatus, unknown>

export function TemplateStatusPill({ status }: { status: SmsTemplateStatus }) {
  const { label, tone, icon } = looks[status]
  return (
    <Pill tone={tone} icon={icon}>
      {label}
    </Pill>
  )
}

export const templateStatusLabels: Record<SmsTemplateStatus, string> = {
  draft: looks.draft.label,
  approved: looks.approved.label,
  rejected: looks.rejected.label,
  disabled: looks.disabled.label,
}
