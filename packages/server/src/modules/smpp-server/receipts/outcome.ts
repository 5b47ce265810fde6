import type { FailureClass } from '@carillon/contract/campaign-records'

/** Why a message has failed; parts of a long message may never arrive. */
export type FailureReason = FailureClass | 'parts_missing' | 'cancelled'

export type Outcome = { kind: 'delivered' } | { kind: 'failed'; reason: FailureReason }

export type Stat = 'DELIVRD' | 'EXPIRED' | 'DELETED' | 'UNDELIV' | 'REJECTD'

/** message_state by the name that receipts have for it. */
export const messageStates: Record<Stat, number> = { DELIVRD: 2, EXPIRED: 3, DELETED: 4, UNDELIV: 5, REJECTD: 8 }

/** The state and the code after `err:`, which customers store: they do not change. */
const failures: Record<FailureReason, readonly [stat: Stat, err: number]> = {
  number_unreachable: ['UNDELIV', 1],
  undelivered: ['UNDELIV', 2],
  expired: ['EXPIRED', 3],
  operator_rejected: ['REJECTD', 4],
  invalid_number: ['REJECTD', 5],
  dnd_blocked: ['REJECTD', 6],
  opted_out: ['REJECTD', 7],
  outside_window: ['REJECTD', 8],
  dlt_entity: ['REJECTD', 9],
  dlt_telemarketer: ['REJECTD', 10],
  dlt_header: ['REJECTD', 11],
  dlt_template: ['REJECTD', 12],
  sender_rejected: ['REJECTD', 13],
  channel_auth: ['REJECTD', 14],
  content_blocked: ['REJECTD', 15],
  bad_request: ['REJECTD', 16],
  throughput_limited: ['REJECTD', 17],
  not_connected: ['REJECTD', 18],
  missing_variable: ['REJECTD', 19],
  user_marketing_cap: ['REJECTD', 20],
  sender_spam_limited: ['REJECTD', 21],
  pair_rate_limited: ['REJECTD', 22],
  template_params: ['REJECTD', 23],
  template_missing_locale: ['REJECTD', 24],
  template_paused: ['REJECTD', 25],
  template_disabled: ['REJECTD', 26],
  media_failed: ['REJECTD', 27],
  auth_template_to_bsuid: ['REJECTD', 28],
  campaign_expired: ['EXPIRED', 29],
  recently_messaged: ['REJECTD', 30],
  frequency_capped: ['REJECTD', 31],
  revoked: ['DELETED', 32],
  parts_missing: ['EXPIRED', 33],
  cancelled: ['DELETED', 34],
  held_out: ['REJECTD', 35],
  unknown: ['UNDELIV', 99],
}

export function describeOutcome(outcome: Outcome): { stat: Stat; err: number } {
  if (outcome.kind === 'delivered') return { stat: 'DELIVRD', err: 0 }
  const [stat, err] = failures[outcome.reason]
  return { stat, err }
}

/** What registered_delivery asks for: 1 every final status, 2 failures only, 3 deliveries only. */
export function isWanted(registered: number, { kind }: Outcome): boolean {
  return registered === 1 || registered === (kind === 'failed' ? 2 : 3)
}
