import type {
  RcsCategory,
  RcsSuggestion,
  RcsTemplate,
  RcsTemplateStatus,
  RcsTemplateType,
} from '@carillon/contract/channels/rcs/rcs-templates'
import {
  Ban,
  CalendarPlus,
  CircleCheck,
  CircleDashed,
  Clock,
  ExternalLink,
  LocateFixed,
  MapPin,
  OctagonX,
  Phone,
  Reply,
  Scale,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react'
import { countOf } from '../../lib/format.ts'
import type { StatusLook } from '../parts/templates/status-pill.tsx'

export const statusLooks: Record<RcsTemplateStatus, StatusLook> = {
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

export const categoryLabels: Record<RcsCategory, string> = {
  PROMOTION: 'Promotion',
  TRANSACTION: 'Transaction',
  AUTHENTICATION: 'Authentication',
}

export const categoryHints: Record<RcsCategory, string> = {
  PROMOTION: 'Offers and news. Needs consent, and is sent in promotional hours',
  TRANSACTION: 'Updates on an order, a payment or an appointment',
  AUTHENTICATION: 'A one-time code that verifies a person',
}

export const typeLabels: Record<RcsTemplateType, string> = {
  text_message: 'Text',
  rich_card_standalone: 'Card',
  carousel: 'Carousel',
}

type SuggestionLook = { label: string; icon: LucideIcon }

export const suggestionLooks: Record<RcsSuggestion['type'], SuggestionLook> = {
  reply: { label: 'Reply', icon: Reply },
  open_url: { label: 'Open URL', icon: ExternalLink },
  dial: { label: 'Dial', icon: Phone },
  view_location: { label: 'View location', icon: MapPin },
  share_location: { label: 'Ask for location', icon: LocateFixed },
  create_calendar_event: { label: 'Add to calendar', icon: CalendarPlus },
}

/** 'Carousel, 4 cards'. */
export function typeOf({ type, carouselList }: Pick<RcsTemplate, 'type' | 'carouselList'>): string {
  return type === 'carousel' ? `${typeLabels[type]}, ${countOf(carouselList.length, 'card')}` : typeLabels[type]
}
