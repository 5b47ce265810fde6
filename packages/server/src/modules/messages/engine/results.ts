import type { FailureClass } from '@carillon/contract/campaign-records'
import type { SendOutcome } from '../../../channels/provider.ts'
import { decideRepeat, decideRetry } from './retry-policy.ts'
import { storableId } from '../reports/storable-events.ts'

/** The stored result of a message that was handed over, or that was not sent. */
export type Result = {
  seq: number
  phone: number
  status: 'sent' | 'failed' | 'skipped' | 'unknown'
  parts: number
  attempt: number
  providerMessageIds: readonly string[]
  reason?: FailureClass
  code?: string
  detail?: string
}

/** A message that is retried later. */
export type Retry = {
  seq: number
  dueAt: Date
  attempt: number
  reason: FailureClass
  code: string
  /** The response to an earlier attempt was lost: the message may have been accepted. */
  unanswered: boolean
  parts: number
}

/** A recipient that an earlier leg reached before this leg's message was sent. There is no message. */
export type Withdrawal = { seq: number; isWithdrawn: true }

export type Entry = Result | Retry | Withdrawal

/** The messages of one write, each with its result or retry, and the recipients that get none. */
export type Recorded = { results: Result[]; retries: Retry[]; withdrawn: number[] }

export function gather(entries: readonly Entry[]): Recorded {
  const recorded: Recorded = { results: [], retries: [], withdrawn: [] }
  for (const entry of entries) {
    if ('isWithdrawn' in entry) recorded.withdrawn.push(entry.seq)
    else if ('status' in entry) recorded.results.push(entry)
    else recorded.retries.push(entry)
  }
  return recorded
}

export type Submitted = {
  seq: number
  phone: number
  parts: number
  /** Attempts used before this one; waiting for the operator uses none. */
  attempt: number
  /** The response to an earlier attempt was lost. */
  unanswered: boolean
}

export type Terms = {
  expiresAt: Date
  /** The provider recognises a repeat by our reference. */
  isIdempotent: boolean
  /** The provider's ids of a message without a response, if they are known. */
  idsOf?: (seq: number) => readonly string[]
}

/** Turns an outcome into a final result or another attempt. */
export function decideOutcome(message: Submitted, outcome: SendOutcome, terms: Terms): Result | Retry {
  const { seq, phone, parts } = message
  const ended = { seq, phone, parts, attempt: message.attempt + 1, providerMessageIds: [] }
  if (outcome.kind === 'accepted')
    return { ...ended, status: 'sent', providerMessageIds: outcome.providerMessageIds.map(storableId) }
  const verdict = classifyOutcome(message, outcome, terms)
  const { code, detail } = outcome
  if (verdict.kind === 'retry')
    return {
      seq,
      parts,
      dueAt: verdict.dueAt,
      attempt: verdict.attempt,
      reason: verdict.reason,
      code,
      unanswered: verdict.unanswered,
    }
  if (verdict.kind === 'unknown')
    return { ...ended, status: 'unknown', providerMessageIds: terms.idsOf?.(seq) ?? [], code, detail }
  return { ...ended, status: 'failed', reason: verdict.reason, code, detail }
}

export type Verdict =
  | { kind: 'retry'; dueAt: Date; attempt: number; reason: FailureClass; unanswered: boolean }
  | { kind: 'unknown' }
  | { kind: 'failed'; reason: FailureClass }

/** Once a response was lost, only a definite rejection of the message itself makes it fail. */
export function classifyOutcome(
  { attempt, unanswered }: Pick<Submitted, 'attempt' | 'unanswered'>,
  outcome: Exclude<SendOutcome, { kind: 'accepted' }>,
  { expiresAt, isIdempotent }: Terms,
): Verdict {
  const question = { attempt, now: new Date(), expiresAt, random: Math.random() }
  if (outcome.kind === 'unknown') {
    const decision = isIdempotent ? decideRepeat(question) : undefined
    return decision?.kind === 'retry' ? { ...decision, reason: 'unknown', unanswered: true } : { kind: 'unknown' }
  }
  if (outcome.kind === 'rejected' && outcome.scope === 'message') {
    const isOurs = outcome.reason === 'expired'
    return unanswered && isOurs ? { kind: 'unknown' } : { kind: 'failed', reason: outcome.reason }
  }
  // An error of the whole sender does not concern the message: it waits until the sender works again.
  const refusal = outcome.kind === 'retry' ? outcome : { reason: outcome.reason, afterMs: 60_000, throttled: false }
  const decision = decideRetry({ ...question, outcome: refusal })
  if (decision.kind === 'retry') return { ...decision, reason: refusal.reason, unanswered }
  return unanswered ? { kind: 'unknown' } : { kind: 'failed', reason: decision.reason }
}
