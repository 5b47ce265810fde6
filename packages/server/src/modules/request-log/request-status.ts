import type { ApiSendStatus } from '@carillon/contract/request-log-records'
import type { MessageStatus } from '@carillon/contract/campaign-records'

/** How many messages of a request are where. Those that are not counted have a final status, such as cancelled ones. */
export type Outcome = { waiting: number; underway: number; delivered: number; failed: number }

type Counted = keyof Outcome | 'ended'

export const countedAs: Record<MessageStatus | 'scheduled', Counted> = {
  queued: 'waiting',
  scheduled: 'waiting',
  sent: 'underway',
  unknown: 'underway',
  delivered: 'delivered',
  read: 'delivered',
  failed: 'failed',
  skipped: 'failed',
  cancelled: 'ended',
  unconfirmed: 'ended',
}

/** By the statuses of a message and its legs. A message that was not handed over has none. */
export function judgeMessage(statuses: readonly Counted[]): Counted {
  const [only = 'waiting'] = statuses
  if (statuses.length < 2) return only
  if (statuses.includes('delivered')) return 'delivered'
  const isUnderway = statuses.includes('underway') || statuses.includes('waiting')
  if (isUnderway) return statuses.every((status) => status === 'waiting') ? 'waiting' : 'underway'
  return statuses.includes('ended') ? 'ended' : 'failed'
}

type Judged = Outcome & { accepted: number; refused: number }

export function judgeRequest({ accepted, refused, waiting, underway, failed }: Judged): ApiSendStatus {
  if (accepted === 0) return 'rejected'
  if (waiting === accepted) return 'accepted'
  if (waiting + underway > 0) return 'processing'
  if (failed === accepted) return 'failed'
  return failed + refused > 0 ? 'partially_failed' : 'completed'
}
