import { categorySuffix } from '@carillon/contract/channels/sms/category-suffix'
import type { SmsCategory } from '@carillon/contract/channels/sms/sms-templates'

/** The sender shown on the recipient's phone: operators add a region before the header and the category's letter after it. */
export function senderName(header: string, category: SmsCategory | null | undefined): string {
  if (header === '') return 'VM-HEADER'
  if (/^\+?\d+$/.test(header)) return header
  return category ? `VM-${header.toUpperCase()}-${categorySuffix[category]}` : `VM-${header.toUpperCase()}`
}

/** Campaigns of other channels have categories of their own. */
export function isSmsCategory(category: string | null): category is SmsCategory {
  return category !== null && category in categorySuffix
}

export const categoryLabels: Record<SmsCategory, string> = {
  promotional: 'Promotional',
  service_implicit: 'Service',
  service_explicit: 'Service, explicit',
  transactional: 'Transactional',
  government: 'Government',
}

/** When such messages may be delivered, and to whom. */
export const categoryHints: Record<SmsCategory, string> = {
  promotional: '10 am to 9 pm, never to DND numbers',
  service_implicit: 'Any hour, also to DND numbers',
  service_explicit: 'Any hour, to people who consented',
  transactional: 'Any hour, banks’ one-time passwords only',
  government: 'Any hour, public bodies only',
}
