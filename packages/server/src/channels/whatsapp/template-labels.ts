import type { WhatsappCategory } from '@carillon/contract/channels/whatsapp/whatsapp-templates'

/** Why the provider refused or stopped a template, and what to do, by its own words for it. */
const reasons: Record<string, string> = {
  ABUSIVE_CONTENT: 'Contains abusive content: rewrite it and submit it again',
  INCORRECT_CATEGORY: 'Wrong category: choose the matching category, or change the text',
  INVALID_FORMAT:
    'Check the variables and samples: usually a variable at the start or end of the text, or one without a sample',
  PROMOTIONAL: 'Promotional content: submit it as Marketing, or remove the promotional text',
  SCAM: 'Looks like a scam: name the sender clearly and avoid shortened links',
  TAG_CONTENT_MISMATCH: 'Text language does not match the selected language: select the right one',
  NON_TRANSIENT_ERROR: 'The review could not be finished: submit it again',
}

export function describeReviewReason(reason: string | undefined, detail: string | undefined): string | undefined {
  const known = reason === undefined ? undefined : reasons[reason]
  if (known) return detail ? `${known} (${detail})` : known
  if (detail) return detail
  return reason && reason !== 'NONE' ? `Meta says: ${reason.toLowerCase().replaceAll('_', ' ')}` : undefined
}

export const categoryNames: Record<WhatsappCategory, string> = {
  MARKETING: 'Marketing',
  UTILITY: 'Utility',
  AUTHENTICATION: 'Authentication',
}

/** The name of a category on a rate card. */
export function rateCategoryOf(category: WhatsappCategory): string {
  return category.toLowerCase()
}

/** The first pause lasts three hours, the second six; there is no third: the template is disabled. */
const pauseHours = [3, 6]

export function pauseOf(reason: string | undefined, pausedBefore: number): { count: number; hours: number } {
  const told = reason === 'FIRST_PAUSE' ? 1 : reason === 'SECOND_PAUSE' ? 2 : undefined
  const count = told ?? pausedBefore + 1
  return { count, hours: pauseHours[count - 1] ?? pauseHours.at(-1) ?? 0 }
}

export function describeTemplatePause({ count, hours }: { count: number; hours: number }): string {
  const next = count === 1 ? 'The next pause lasts six hours.' : 'The next time it is disabled for good.'
  return `People blocked or reported it often, so Meta paused it for ${hours} hours. ${next}`
}

export const disabledReason =
  'People blocked or reported it too often: Meta disabled it for good. Write another one, for people who asked for it'
