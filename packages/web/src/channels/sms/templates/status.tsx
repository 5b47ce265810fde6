import type { SmsTemplateStatus } from '@carillon/contract/channels/sms/sms-templates'
import { Ban, CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import { TemplatePill, type StatusLook } from '../../parts/templates/status-pill.tsx'

export const statusLooks: Record<SmsTemplateStatus, StatusLook> = {
  draft: { label: 'Draft', tone: 'neutral', icon: CircleDashed },
  approved: { label: 'Approved', tone: 'good', icon: CircleCheck },
  rejected: { label: 'Rejected', tone: 'bad', icon: CircleAlert },
  disabled: { label: 'Disabled', tone: 'neutral', icon: Ban },
}

export function TemplateStatusPill({ status }: { status: SmsTemplateStatus }) {
  return <TemplatePill look={statusLooks[status]} />
}
