import type {
  WhatsappCategory,
  WhatsappTemplate,
  WhatsappTemplateStatus,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { Ban, CircleCheck, CircleDashed, Clock, OctagonX, Scale, TriangleAlert, type LucideIcon } from 'lucide-react'
import { Pill, type Tone } from '../../ui/pill.tsx'

type Look = { label: string; tone: Tone; icon: LucideIcon }

const looks: Record<WhatsappTemplateStatus, Look> = {
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
  const { label, tone, icon } = looks[status]
  if (status !== 'APPROVED') {
    return (
      <Pill tone={tone} icon={icon}>
        {label}
      </Pill>
    )
  }
  const isCare = quality === 'yellow' || quality === 'red'
  return (
    <Pill tone={isCare ? 'care' : tone} icon={isCare ? TriangleAlert : icon}>
      {label} · {qualityLabels[quality]}
    </Pill>
  )
}

export const templateStatusLabels = Object.fromEntries(
  Object.entries(looks).map(([status, { label }]) => [status, label]),
)

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

/** The languages templates are mostly written in here; Meta knows seventy. */
export const templateLanguages = [
  { value: 'en', label: 'English' },
  { value: 'en_US', label: 'English (US)' },
  { value: 'en_GB', label: 'English (UK)' },
  { value: 'hi', label: 'Hindi' },
  { value: 'bn', label: 'Bengali' },
  { value: 'gu', label: 'Gujarati' },
  { value: 'kn', label: 'Kannada' },
  { value: 'ml', label: 'Malayalam' },
  { value: 'mr', label: 'Marathi' },
  { value: 'pa', label: 'Punjabi' },
  { value: 'ta', label: 'Tamil' },
  { value: 'te', label: 'Telugu' },
  { value: 'ur', label: 'Urdu' },
  { value: 'ar', label: 'Arabic' },
  { value: 'he', label: 'Hebrew' },
  { value: 'fa', label: 'Persian' },
  { value: 'de', label: 'German' },
  { value: 'es', label: 'Spanish' },
  { value: 'fr', label: 'French' },
  { value: 'id', label: 'Indonesian' },
  { value: 'pt_BR', label: 'Portuguese (Brazil)' },
  { value: 'ru', label: 'Russian' },
] as const

export function languageLabel(code: string): string {
  return templateLanguages.find(({ value }) => value === code)?.label ?? code
}
