import type {
  WhatsappCategory,
  WhatsappTemplate,
  WhatsappTemplateStatus,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { Ban, CircleCheck, CircleDashed, Clock, OctagonX, Scale, TriangleAlert } from 'lucide-react'
import { languageOptions } from '../parts/templates/languages.ts'
import { TemplatePill, type StatusLook } from '../parts/templates/status-pill.tsx'

export const statusLooks: Record<WhatsappTemplateStatus, StatusLook> = {
  DRAFT: { label: 'Draft', tone: 'neutral', icon: CircleDashed },
  PENDING: { label: 'In review', tone: 'info', icon: Clock },
  APPROVED: { label: 'Active', tone: 'good', icon: CircleCheck },
  REJECTED: { label: 'Rejected', tone: 'bad', icon: OctagonX },
  PAUSED: { label: 'Paused', tone: 'care', icon: TriangleAlert },
  DISABLED: { label: 'Disabled', tone: 'bad', icon: OctagonX },
  IN_APPEAL: { label: 'Appeal requested', tone: 'info', icon: Scale },
  PENDING_DELETION: { label: 'Being deleted', tone: 'neutral', icon: Clock },
  DELETED: { label: 'Deleted', tone: 'neutral', icon: Ban },
  LIMIT_EXCEEDED: { label: 'Too many templates', tone: 'care', icon: TriangleAlert },
  ARCHIVED: { label: 'Archived', tone: 'neutral', icon: Ban },
}

export const qualityLabels: Record<WhatsappTemplate['quality'], string> = {
  green: 'High',
  yellow: 'Medium',
  red: 'Low',
  unknown: 'Quality pending',
}

/** The status, for active templates with quality: 'Active · High'. */
export function TemplateState({ status, quality }: Pick<WhatsappTemplate, 'status' | 'quality'>) {
  const look = statusLooks[status]
  if (status !== 'APPROVED') return <TemplatePill look={look} />
  const needsCare = quality === 'yellow' || quality === 'red'
  const label = `${look.label} · ${qualityLabels[quality]}`
  return <TemplatePill look={needsCare ? { label, tone: 'care', icon: TriangleAlert } : { ...look, label }} />
}

export const categoryLabels: Record<WhatsappCategory, string> = {
  MARKETING: 'Marketing',
  UTILITY: 'Utility',
  AUTHENTICATION: 'Authentication',
}

export const categoryHints: Record<WhatsappCategory, string> = {
  MARKETING: 'Offers, news and invitations',
  UTILITY: 'Updates on an order, a payment or an appointment',
  AUTHENTICATION: 'A one-time code that verifies a person',
}

/** Languages commonly used for templates in India; Meta supports seventy. */
export const templateLanguages = languageOptions([
  'en',
  'en_US',
  'en_GB',
  'hi',
  'bn',
  'gu',
  'kn',
  'ml',
  'mr',
  'pa',
  'ta',
  'te',
  'ur',
  'ar',
  'he',
  'fa',
  'de',
  'es',
  'fr',
  'id',
  'pt_BR',
  'ru',
])

export function languageLabel(code: string): string {
  return templateLanguages.find(({ value }) => value === code)?.label ?? code
}
