import type { FailureClass } from '@carillon/contract/campaign-records'

/** The meaning of a Meta error code for a message that was handed over. */
export type Meaning = { reason: FailureClass } & (
  | { scope: 'message' | 'sender' }
  | {
      retryAfterMs: number
      throttled?: true
      /** The pause is multiplied by this for each consecutive occurrence. */
      growth?: number
      /** Maximum attempts; then the message fails. */
      times?: number
    }
)

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const message = (reason: FailureClass): Meaning => ({ reason, scope: 'message' })
const sender = (reason: FailureClass): Meaning => ({ reason, scope: 'sender' })
const later = (
  reason: FailureClass,
  retryAfterMs: number,
  more: { growth?: number; times?: number } = {},
): Meaning => ({
  reason,
  retryAfterMs,
  ...more,
})
const slower = (retryAfterMs: number): Meaning => ({ reason: 'throughput_limited', retryAfterMs, throttled: true })

/** Error codes, independent of the HTTP status. Unknown codes are rejections with Meta's text. */
const meanings: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  // Token and permissions.
  [0, sender('channel_auth')],
  [3, sender('channel_auth')],
  [10, sender('channel_auth')],
  [104, sender('channel_auth')],
  [190, sender('channel_auth')],
  [131005, sender('channel_auth')],

  // The account and its numbers.
  [368, sender('sender_rejected')],
  [131031, sender('sender_rejected')],
  [131037, sender('sender_rejected')],
  [131042, sender('sender_rejected')],
  [131044, sender('sender_rejected')],
  [131045, sender('sender_rejected')],
  [131048, sender('sender_spam_limited')],
  [133005, sender('sender_rejected')],
  [133006, sender('sender_rejected')],
  [133008, sender('sender_rejected')],
  [133009, sender('sender_rejected')],
  [133010, sender('sender_rejected')],
  [134011, sender('sender_rejected')],
  [133000, later('not_connected', 5 * second)],
  [133015, later('not_connected', 5 * minute)],
  [133016, later('sender_rejected', 72 * hour)],

  // Rate limits.
  [4, slower(5 * minute)],
  [17, slower(5 * minute)],
  [80007, slower(5 * minute)],
  [130429, slower(second)],
  [131056, later('pair_rate_limited', 4 * second, { growth: 4 })],

  // Errors of Meta's systems.
  [1, later('operator_rejected', 5 * second, { times: 2 })],
  [2, later('operator_rejected', 5 * second)],
  [131000, later('operator_rejected', 5 * second, { times: 3 })],
  [131016, later('operator_rejected', 5 * second)],
  [131057, later('not_connected', minute)],
  [133004, later('operator_rejected', 5 * second)],
  [2494100, later('not_connected', minute)],

  // The recipient.
  [130472, message('undelivered')],
  [130497, message('operator_rejected')],
  [131026, message('number_unreachable')],
  [131047, message('outside_window')],
  // Retried after a day at the earliest; the campaign does that, because the code also appears for accepted messages.
  [131049, message('user_marketing_cap')],
  [131050, message('opted_out')],
  [131062, message('auth_template_to_bsuid')],

  // The message.
  [33, message('bad_request')],
  [100, message('bad_request')],
  [131008, message('bad_request')],
  [131009, message('bad_request')],
  [131021, message('bad_request')],
  [131030, message('bad_request')],
  [131051, message('bad_request')],
  [131055, message('bad_request')],
  [135000, message('bad_request')],
  [131052, message('media_failed')],
  [131053, later('media_failed', 10 * second, { times: 1 })],

  // The template.
  [132000, message('template_params')],
  [132001, message('template_missing_locale')],
  [132005, message('template_params')],
  [132007, message('content_blocked')],
  [132012, message('template_params')],
  [132015, later('template_paused', 3 * hour)],
  [132016, message('template_disabled')],
  [132068, message('template_disabled')],
  [132069, later('template_paused', 10 * minute)],
  [134100, message('template_disabled')],
  [134101, later('template_paused', 10 * minute)],
  [134102, message('template_disabled')],
  [200005, message('bad_request')],
  [200006, message('bad_request')],
  [200007, message('bad_request')],
])

const transient = later('operator_rejected', 30 * second)

/** The meaning of an error code; codes 200 to 299 are all missing permissions. */
export function meaningOf(code: number, isTransient = false): Meaning {
  const known = meanings.get(code)
  if (known) return known
  if (code >= 200 && code <= 299) return sender('channel_auth')
  return isTransient ? transient : message('unknown')
}

/** Why an accepted message failed later. */
export function reasonOf(code: number): FailureClass {
  return meaningOf(code).reason
}
