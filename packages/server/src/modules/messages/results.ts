import type { FailureClass } from '@carillon/contract/campaign-records'
import type { SendOutcome } from '../../channels/provider.ts'
import { decideRetry } from './retry-policy.ts'
import { storableId } from './storable-events.ts'

/** What is written of one message after it was handed over, or instead of that. */
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

/** A definite no that is tried again later. */
export type Retry = { seq: number; dueAt: Date; attempt: number; reason: FailureClass; code: string }

/** The messages of one slice, each with what became of it. */
export type Recorded = { results: Result[]; retries: Retry[] }

type Submitted = { seq: number; phone: number; parts: number; /** Attempts used up before this one. */ attempt: number }

/** Sorts outcomes into what is final and what is tried again. */
export function recordOutcomes(
  submitted: readonly Submitted[],
  outcomes: readonly SendOutcome[],
  expiresAt: Date,
): Recorded {
  const recorded: Recorded = { results: [], retries: [] }
  for (const [index, message] of submitted.entries()) {
    recordOutcome(recorded, message, { outcome: outcomes[index] ?? lostOutcome, expiresAt })
  }
  return recorded
}

/** A provider that answers fewer outcomes than messages has said nothing about the rest. */
const lostOutcome: SendOutcome = {
  kind: 'unknown',
  code: 'no_outcome',
  detail: 'The provider connection gave no outcome',
}

function recordOutcome(
  { results, retries }: Recorded,
  message: Submitted,
  { outcome, expiresAt }: { outcome: SendOutcome; expiresAt: Date },
) {
  const { seq, phone, parts } = message
  const attempt = message.attempt + 1
  if (outcome.kind === 'accepted') {
    results.push({
      seq,
      phone,
      status: 'sent',
      parts,
      attempt,
      providerMessageIds: outcome.providerMessageIds.map(storableId),
    })
    return
  }
  const { code, detail } = outcome
  if (outcome.kind === 'unknown') {
    results.push({ seq, phone, status: 'unknown', parts, attempt, providerMessageIds: [], code, detail })
    return
  }
  const isFinal = outcome.kind === 'rejected' && outcome.scope === 'message'
  if (isFinal) {
    results.push({
      seq,
      phone,
      status: 'failed',
      parts,
      attempt,
      providerMessageIds: [],
      reason: outcome.reason,
      code,
      detail,
    })
    return
  }
  // What stops the whole sender says nothing against the message: it waits until the sender works again.
  const refusal = outcome.kind === 'retry' ? outcome : { reason: outcome.reason, afterMs: 60_000, throttled: false }
  const decision = decideRetry({
    outcome: refusal,
    attempt: message.attempt,
    now: new Date(),
    expiresAt,
    random: Math.random(),
  })
  if (decision.kind === 'retry')
    retries.push({ seq, dueAt: decision.dueAt, attempt: decision.attempt, reason: refusal.reason, code })
  else
    results.push({
      seq,
      phone,
      status: 'failed',
      parts,
      attempt,
      providerMessageIds: [],
      reason: decision.reason,
      code,
      detail,
    })
}
