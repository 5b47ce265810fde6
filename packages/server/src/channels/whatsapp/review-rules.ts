import {
  WhatsappCategory,
  WhatsappTemplateContent,
  WhatsappTemplateStatus,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { z } from 'zod'
import type { ReviewStatus } from '../management.ts'
import type { ReviewDecision, ReviewRules, StatusText } from '../review-rules.ts'

/** Why Meta rejected or stopped a template, and what to do, by Meta's reason code. */
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

/** Meta's other names for a status. */
const statusBySynonym: Record<string, ReviewStatus> = {
  REINSTATED: 'APPROVED',
  UNPAUSED: 'APPROVED',
  LOCKED: 'DISABLED',
  IN_REVIEW: 'PENDING',
}

const categoryNames: Record<WhatsappCategory, string> = {
  MARKETING: 'Marketing',
  UTILITY: 'Utility',
  AUTHENTICATION: 'Authentication',
}

const statusTexts: Partial<Record<ReviewStatus, string>> = {
  APPROVED: 'Approved for sending',
  PENDING: 'In review at Meta, usually less than a day',
  IN_APPEAL: 'Meta is reviewing it again',
  DELETED: 'It was deleted at Meta',
  PENDING_DELETION: 'It is being deleted at Meta',
  ARCHIVED: 'Archived by Meta because it was unused',
}

/** The first pause lasts three hours, the second six; there is no third: the template is disabled. */
const pauseHours = [3, 6]

/** The part of `templates.facts` besides the state of the review. */
export const TemplateFacts = z
  .object({ parameterFormat: z.enum(['positional', 'named']) })
  .catch({ parameterFormat: 'positional' })

export const whatsappReview: ReviewRules = {
  reviewer: 'Meta',
  readStatus: (word) =>
    WhatsappTemplateStatus.safeParse(word.toUpperCase()).data ?? statusBySynonym[word.toUpperCase()],
  readCategory: (word) => WhatsappCategory.safeParse(word.toUpperCase()).data,
  listsCategory: true,
  categoryName: (category) => categoryNames[WhatsappCategory.parse(category)],
  rateCategory: (category) => category.toLowerCase(),
  qualityTexts: {
    green: 'Quality is high: few people block or report it',
    yellow: 'Quality is medium: some people block or report it',
    red: 'Quality is low: Meta pauses it if that does not improve',
    unknown: 'Quality is not rated yet',
  },
  explainStatus,
  describeReason,
  factsOf: (template) => TemplateFacts.parse(template),
  reconcile(stored, theirs) {
    const ours = WhatsappTemplateContent.parse(stored.content)
    // Written by a provider of this channel.
    const content = keepLocalMedia(ours, theirs.content as WhatsappTemplateContent)
    const facts = TemplateFacts.parse(theirs)
    const isSame =
      JSON.stringify(content) === JSON.stringify(ours) &&
      TemplateFacts.parse(stored.facts).parameterFormat === facts.parameterFormat
    return isSame ? undefined : { content, facts }
  },
}

function explainStatus(status: ReviewStatus, { reason, detail, pausedCount }: ReviewDecision): StatusText {
  const problem = (text: string): StatusText => ({ text, isProblem: true })
  if (status === 'PAUSED') {
    const pause = pauseOf(reason, pausedCount)
    return { ...problem(describePause(pause)), pause }
  }
  if (status === 'DISABLED')
    return problem(
      'People blocked or reported it too often: Meta disabled it permanently. Create another one, for people who opted in',
    )
  if (status === 'REJECTED')
    return problem(describeReason(reason, detail) ?? 'Meta gave no reason: change the text and submit it again')
  if (status === 'LIMIT_EXCEEDED') return problem('The account has as many templates as it may: delete some first')
  return { text: statusTexts[status] ?? `It is now ${status.toLowerCase()}`, isProblem: false }
}

function describeReason(reason: string | undefined, detail: string | undefined): string | undefined {
  const known = reason === undefined ? undefined : reasons[reason]
  if (known) return detail ? `${known} (${detail})` : known
  if (detail) return detail
  return reason && reason !== 'NONE' ? `Meta says: ${reason.toLowerCase().replaceAll('_', ' ')}` : undefined
}

function pauseOf(reason: string | undefined, pausedBefore: number): { count: number; hours: number } {
  const known = reason === 'FIRST_PAUSE' ? 1 : reason === 'SECOND_PAUSE' ? 2 : undefined
  const count = known ?? pausedBefore + 1
  return { count, hours: pauseHours[count - 1] ?? pauseHours.at(-1) ?? 0 }
}

function describePause({ count, hours }: { count: number; hours: number }): string {
  const next = count === 1 ? 'The next pause lasts six hours.' : 'The next time it is disabled permanently.'
  return `People blocked or reported it often, so Meta paused it for ${hours} hours. ${next}`
}

/** Meta returns a URL for a sample; the uploaded copy is kept. */
function keepLocalMedia(ours: WhatsappTemplateContent, theirs: WhatsappTemplateContent): WhatsappTemplateContent {
  const cards = theirs.cards.map((card, index) => ({
    ...card,
    header: keepLocalHeader(ours.cards[index]?.header, card.header),
  }))
  const header = theirs.header && keepLocalHeader(ours.header, theirs.header)
  return { ...theirs, ...(header ? { header } : {}), cards }
}

type Header = NonNullable<WhatsappTemplateContent['header']>

function keepLocalHeader(ours: Header | undefined, theirs: Header): Header {
  return ours && 'handle' in ours && 'handle' in theirs && ours.format === theirs.format ? ours : theirs
}
