import { RcsCategory, RcsTemplateStatus } from '@carillon/contract/channels/rcs/rcs-templates'
import type { ReviewStatus } from '../management.ts'
import type { ReviewDecision, ReviewRules, StatusText } from '../review-rules.ts'

const statusByWord: Record<string, ReviewStatus> = {
  SUBMITTED: 'PENDING',
  IN_REVIEW: 'PENDING',
  ACTIVE: 'APPROVED',
  SUSPENDED: 'PAUSED',
  INACTIVE: 'DISABLED',
}

const categoryNames: Record<RcsCategory, string> = {
  PROMOTION: 'Promotion',
  TRANSACTION: 'Transaction',
  AUTHENTICATION: 'Authentication',
}

const statusTexts: Partial<Record<ReviewStatus, string>> = {
  APPROVED: 'Approved for sending',
  PENDING: 'In review at the operator',
  PAUSED: 'The operator suspended it',
  DISABLED: 'The operator disabled it',
  DELETED: 'It was deleted at the operator',
}

const problems: readonly ReviewStatus[] = ['PAUSED', 'DISABLED']

/** Reviews of an operator's platform; other operators review no templates. */
export const rcsReview: ReviewRules = {
  reviewer: 'the operator',
  readStatus: (word) => RcsTemplateStatus.safeParse(word.toUpperCase()).data ?? statusByWord[word.toUpperCase()],
  readCategory: (word) => RcsCategory.safeParse(word.toUpperCase()).data,
  listsCategory: false,
  categoryName: (category) => categoryNames[RcsCategory.parse(category)],
  // Operators bill by the content, not by why a message is sent.
  rateCategory: () => 'single',
  qualityTexts: {
    green: 'Quality is high',
    yellow: 'Quality is medium',
    red: 'Quality is low',
    unknown: 'Quality is not rated',
  },
  explainStatus,
  describeReason,
  factsOf: () => ({}),
  // The operator returns less than it was given, such as no category and no sides of cards: our copy stands.
  reconcile: () => undefined,
}

function explainStatus(status: ReviewStatus, { reason, detail }: ReviewDecision): StatusText {
  if (status === 'REJECTED')
    return {
      text: describeReason(reason, detail) ?? 'The operator gave no reason: change the text and submit it again',
      isProblem: true,
    }
  const text = statusTexts[status] ?? `It is now ${status.toLowerCase()}`
  return { text, isProblem: problems.includes(status) }
}

function describeReason(reason: string | undefined, detail: string | undefined): string | undefined {
  return [reason, detail].find((text) => text !== undefined && text !== '')
}
