import { FailureClass } from '@carillon/contract/campaign-records'
import type { FailoverCondition } from '@carillon/contract/draft-legs'
import type { Entrance } from './campaign-plan.ts'

/** A message that ended without being tried is not a failure that another channel could avoid. */
const notTried: readonly FailureClass[] = [
  'opted_out',
  'campaign_expired',
  'missing_variable',
  'recently_messaged',
  'frequency_capped',
]

const reasonsOf: Record<FailoverCondition['type'], readonly string[]> = {
  not_reachable_on_channel: ['number_unreachable', 'invalid_number'],
  provider_rejected: ['operator_rejected', 'content_blocked', 'bad_request', 'sender_rejected', 'media_failed'],
  failed: FailureClass.options.filter((reason) => !notTried.includes(reason)),
  undelivered_after: ['not_delivered_in_time'],
  unread_after: ['not_delivered_in_time'],
  frequency_capped: ['user_marketing_cap'],
  template_unavailable: ['template_paused', 'template_disabled', 'template_missing_locale', 'template_params'],
  no_consent_on_channel: ['opted_out'],
}

/** Whether a timed condition has no duration. */
export function isUntimed(condition: FailoverCondition): boolean {
  return isTimed(condition) && condition.afterSeconds === undefined
}

function isTimed({ type }: FailoverCondition): boolean {
  return type === 'undelivered_after' || type === 'unread_after'
}

/**
 * A leg's entry conditions for the engine; of two durations the shorter applies. `expiresAfter`: when messages of the leg
 * before are given up if their provider accepts no validity period; a leg entered on expiry is entered then.
 */
export function entranceOf(conditions: readonly FailoverCondition[], expiresAfter?: number): Entrance {
  const timed = conditions.filter(isTimed)
  const isRead = timed.some(({ type }) => type === 'unread_after')
  const reasons = new Set(conditions.flatMap(({ type }) => reasonsOf[type]))
  const waits = timed.map(({ afterSeconds = 0 }) => afterSeconds)
  if (expiresAfter !== undefined && (waits.length > 0 || reasons.has('expired'))) {
    waits.push(expiresAfter)
    reasons.add('not_delivered_in_time')
  }
  return {
    reasons: [...reasons],
    afterSeconds: waits.length > 0 ? Math.min(...waits) : null,
    unless: isRead ? 'read' : 'delivered',
  }
}
