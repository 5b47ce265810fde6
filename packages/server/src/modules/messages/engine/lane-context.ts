import type pg from 'pg'
import type { FailureClass } from '@carillon/contract/campaign-records'
import type { OnOutcome, OutboundMessage, SendOptions, SendOutcome, Session } from '../../../channels/provider.ts'
import { failPoint } from '../../../lib/fail-points.ts'
import type { Admission, Permit } from './admission.ts'
import type { LaneKey } from './chunks.queries.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type { SendMeter } from './send-metrics.ts'
import type { TokenBucket } from './token-bucket.ts'

/** What the work on a lane needs while this process owns it. */
export type LaneContext = {
  pool: pg.Pool
  key: LaneKey
  session: Session
  /** A message whose response was lost may be sent again with the same reference. */
  isIdempotent: boolean
  /** The provider's id of a message, if it follows from our reference. */
  messageIdOf: ((reference: string) => string) | undefined
  admission: Admission
  bucket: TokenBucket
  breaker: CircuitBreaker
  isClosing(): boolean
  /** Results cannot be written: the lane is closed and claimed again. */
  fail(error: unknown): void
  /** Parts handed over, for the lane's state. */
  countSent(parts: number): void
  meter: SendMeter
  noteRefusal(refusal: Exclude<SendOutcome, { kind: 'accepted' }>): void
  /** The provider accepted a message sent at `sentAt`: its credentials were valid then. */
  noteAccepted(sentAt: number): void
  /** The provider limits the sender for complaints. */
  noteLimit(): void
}

const unanswered: readonly FailureClass[] = ['not_connected', 'channel_auth']

/**
 * Hands over messages whose watermark has committed. Each outcome returns a place in the window and is reported as soon as it
 * is known.
 */
export function handOver(
  lane: LaneContext,
  { messages, permit, ...options }: { messages: readonly OutboundMessage[]; permit: Permit } & SendOptions,
  onOutcome: OnOutcome,
): void {
  if (messages.length === 0) return
  failPoint('after-watermark')
  const sentAt = performance.now()
  let isLimited = false
  lane.countSent(messages.reduce((sum, { parts }) => sum + parts, 0))
  lane.session.send(
    messages,
    (index, outcome) => {
      failPoint('after-wire')
      lane.meter.record(outcome, performance.now() - sentAt)
      learn(lane, outcome, { sentAt, parts: messages[index]?.parts ?? 1 })
      if (isSpamLimit(outcome) && !isLimited) {
        isLimited = true
        lane.noteLimit()
      }
      permit.land(1)
      onOutcome(index, outcome)
    },
    options,
  )
  failPoint('mid-wire')
}

function isSpamLimit(outcome: SendOutcome): boolean {
  return outcome.kind === 'rejected' && outcome.reason === 'sender_spam_limited'
}

function learn(
  { bucket, breaker, noteAccepted, noteRefusal }: LaneContext,
  outcome: SendOutcome,
  { sentAt, parts }: { sentAt: number; parts: number },
) {
  const isAnswered = isAnswer(outcome)
  if (outcome.kind === 'retry' && outcome.throttled)
    bucket.record({ accepted: 0, throttled: parts, pauseMs: outcome.pauseMs ?? 0 })
  // A rejection for a reason other than the rate counts as accepted: the provider had capacity for it.
  else if (isAnswered) bucket.record({ accepted: parts, throttled: 0, pauseMs: 0 })
  const stopsSender = outcome.kind === 'rejected' && outcome.scope === 'sender'
  const holdMs = stopsSender ? breaker.trip(sentAt) : breaker.record(isAnswered, sentAt)
  if (holdMs > 0) bucket.holdUntil(performance.now() + holdMs)
  if (outcome.kind === 'accepted') noteAccepted(sentAt)
  else if (!isAnswered || stopsSender) noteRefusal(outcome)
}

function isAnswer(outcome: SendOutcome): boolean {
  return outcome.kind === 'accepted' || (outcome.kind !== 'unknown' && !unanswered.includes(outcome.reason))
}
