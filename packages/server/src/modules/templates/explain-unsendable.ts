import type { Channel } from '@carillon/contract/channels'
import { reviewStatuses } from '@carillon/contract/review-statuses'
import { getChannel } from '../../channels/index.ts'

type Unsendable = {
  channel: Channel
  status: string
  /** Why its review stopped it, as text. */
  reason: string | null
  is_disconnected: boolean
}

/** Why a template cannot be sent. */
export function explainUnsendable({ channel, status, reason, is_disconnected }: Unsendable): string {
  const { review, accounts } = getChannel(channel)
  if (is_disconnected) return `Its ${accounts.name} is disconnected`
  if (reason !== null) return reason
  if (!review) return `It is ${status}: only approved templates can be sent`
  const known = reviewStatuses.find((each) => each === status)
  if (known === undefined || known === 'DRAFT') return `Not submitted to ${review.reviewer} yet`
  return review.explainStatus(known, { reason: undefined, detail: undefined, pausedCount: 0 }).text
}
