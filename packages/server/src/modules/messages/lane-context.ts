import type pg from 'pg'
import type { FailureClass } from '@carillon/contract/campaign-records'
import type { OutboundMessage, SendOutcome, Session } from '../../channels/provider.ts'
import { failPoint } from '../../lib/fail-points.ts'
import type { Admission } from './admission.ts'
import type { LaneKey } from './chunks.queries.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type { Answered } from './rate-finder.ts'
import type { TokenBucket } from './token-bucket.ts'

/** Everything the work of one lane needs while it is owned. */
export type LaneContext = {
  pool: pg.Pool
  key: LaneKey
  session: Session
  /** A lost answer may be tried again under the same reference. */
  isIdempotent: boolean
  admission: Admission
  bucket: TokenBucket
  breaker: CircuitBreaker
  isClosing(): boolean
  /** Parts that were handed over, for the state a person watches. */
  countSent(parts: number): void
  noteRefusal(refusal: Exclude<SendOutcome, { kind: 'accepted' }>): void
  /** The provider took a message: its credentials work. */
  noteAccepted(): void
  /** The provider limits the sender for complaints. */
  noteLimit(): void
  /** The numbers of these campaigns changed. */
  announce(campaignId: string): void
}

const unanswered: readonly FailureClass[] = ['not_connected', 'channel_auth']

/** Hands messages over whose mark has committed, and lets the lane learn from the outcomes. */
export async function handOver(lane: LaneContext, messages: readonly OutboundMessage[]): Promise<SendOutcome[]> {
  if (messages.length === 0) return []
  failPoint('after-mark')
  const sending = lane.session.send(messages)
  failPoint('mid-wire')
  const outcomes = await sending
  failPoint('after-wire')
  learn(lane, messages, outcomes)
  lane.countSent(messages.reduce((sum, { parts }) => sum + parts, 0))
  return outcomes
}

function learn(lane: LaneContext, messages: readonly OutboundMessage[], outcomes: readonly SendOutcome[]) {
  lane.bucket.record(countAnswers(messages, outcomes))
  for (const outcome of outcomes) learnOne(lane, outcome)
  if (outcomes.some(({ kind }) => kind === 'accepted')) lane.noteAccepted()
  if (outcomes.some((outcome) => outcome.kind === 'rejected' && outcome.reason === 'sender_spam_limited'))
    lane.noteLimit()
}

/** What was refused for another reason than the rate counts as accepted: the provider had time for it. */
function countAnswers(messages: readonly OutboundMessage[], outcomes: readonly SendOutcome[]): Answered {
  const answered: Answered = { accepted: 0, throttled: 0, pauseMs: 0 }
  for (const [index, outcome] of outcomes.entries()) {
    const parts = messages[index]?.parts ?? 1
    if (outcome.kind === 'retry' && outcome.throttled) {
      answered.throttled += parts
      answered.pauseMs = Math.max(answered.pauseMs, outcome.pauseMs ?? 0)
    } else if (isAnswer(outcome)) answered.accepted += parts
  }
  return answered
}

function isAnswer(outcome: SendOutcome): boolean {
  return outcome.kind === 'accepted' || (outcome.kind !== 'unknown' && !unanswered.includes(outcome.reason))
}

function learnOne({ bucket, breaker, noteRefusal }: LaneContext, outcome: SendOutcome) {
  const isAnswered = isAnswer(outcome)
  const stopsSender = outcome.kind === 'rejected' && outcome.scope === 'sender'
  const holdMs = stopsSender ? breaker.trip() : breaker.record(isAnswered)
  if (holdMs > 0) bucket.holdUntil(performance.now() + holdMs)
  if (outcome.kind !== 'accepted' && (!isAnswered || stopsSender)) noteRefusal(outcome)
}
