import type { SmsCategory } from './sms-templates.ts'

/** The suffix operators add to the header. Service-explicit counts as promotional (operators, 2025). */
export const categorySuffix: Record<SmsCategory, 'P' | 'S' | 'T' | 'G'> = {
  promotional: 'P',
  service_implicit: 'S',
  service_explicit: 'P',
  transactional: 'T',
  government: 'G',
}
