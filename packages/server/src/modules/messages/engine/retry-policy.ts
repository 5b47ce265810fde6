import type { FailureClass } from '@carillon/contract/campaign-records'
import type { SendOutcome } from '../../../channels/provider.ts'

type Refusal = Extract<SendOutcome, { kind: 'retry' }>

export type RetryDecision =
  | {
      kind: 'retry'
      dueAt: Date
      /** Attempts used so far; waiting for the operator uses none. */ attempt: number
    }
  | { kind: 'give-up'; reason: FailureClass }

type Class = { maximumAttempts: number; firstDelayMs: number }

/** Waiting for the operator is not an attempt: the lane slows down or reconnects, the message only waits. */
const waiting: readonly FailureClass[] = ['throughput_limited', 'not_connected']

/** Most temporary rejections clear within minutes; a phone that is off, within hours. */
const classes: Partial<Record<FailureClass, Class>> = {
  number_unreachable: { maximumAttempts: 4, firstDelayMs: 300_000 },
  undelivered: { maximumAttempts: 4, firstDelayMs: 300_000 },
  operator_rejected: { maximumAttempts: 4, firstDelayMs: 30_000 },
  channel_auth: { maximumAttempts: 20, firstDelayMs: 60_000 },
  sender_rejected: { maximumAttempts: 20, firstDelayMs: 60_000 },
  sender_spam_limited: { maximumAttempts: 20, firstDelayMs: 60_000 },
}
const ordinary: Class = { maximumAttempts: 5, firstDelayMs: 10_000 }
/** Five repeats within about three minutes, while the provider still remembers the reference. */
const lostResponse: Class = { maximumAttempts: 6, firstDelayMs: 5_000 }
const longestDelayMs = 3_600_000

export type RetryQuestion = {
  outcome: Pick<Refusal, 'reason' | 'afterMs' | 'throttled'>
  /** Attempts used before this one; waiting for the operator uses none. */
  attempt: number
  now: Date
  expiresAt: Date
  /** 0 to 1, for the jitter. */
  random: number
}
type Question = Omit<RetryQuestion, 'outcome'>
type Terms = Class & { reason: FailureClass; afterMs: number; waits: boolean }

/** Whether and when a rejected message is retried. */
export function decideRetry({ outcome, ...question }: RetryQuestion): RetryDecision {
  const { reason, afterMs } = outcome
  const waits = outcome.throttled || waiting.includes(reason)
  return decide(question, { ...(classes[reason] ?? ordinary), reason, afterMs, waits })
}

/** Whether and when a message whose response was lost is sent again with the same reference. */
export function decideRepeat(question: Question): RetryDecision {
  return decide(question, { ...lostResponse, reason: 'unknown', afterMs: 0, waits: false })
}

function decide({ attempt, now, expiresAt, random }: Question, terms: Terms): RetryDecision {
  const { maximumAttempts, firstDelayMs, reason, afterMs, waits } = terms
  const used = waits ? attempt : attempt + 1
  if (used >= maximumAttempts && !waits) return { kind: 'give-up', reason }

  const base = waits ? 1000 : Math.min(longestDelayMs, firstDelayMs * 2 ** (used - 1))
  const delayMs = Math.max(afterMs, base * (0.75 + random / 2))
  const dueAt = new Date(now.getTime() + delayMs)
  return dueAt >= expiresAt ? { kind: 'give-up', reason: 'expired' } : { kind: 'retry', dueAt, attempt: used }
}
