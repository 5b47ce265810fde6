import type { FailureClass } from '@carillon/contract/campaign-records'

/** What happens to a message to a number of the sandbox. */
export type Fate =
  | { kind: 'delivered'; afterMs: number; isRead?: true; answer?: string }
  | { kind: 'failed'; reason: FailureClass; code: string; detail: string }
  | { kind: 'rejected'; reason: FailureClass; code: string; detail: string }
  /** No report ever comes. */
  | { kind: 'silent' }
  /** The response to the first attempt is lost. */
  | { kind: 'unanswered' }
  /** The first attempt is throttled, and the next delivered. */
  | { kind: 'throttled'; afterMs: number }

const delivered: Fate = { kind: 'delivered', afterMs: 300 }

const fates: Readonly<Record<string, Fate>> = {
  '01': {
    kind: 'failed',
    reason: 'number_unreachable',
    code: 'sandbox_unreachable',
    detail: 'The number cannot be reached',
  },
  '02': {
    kind: 'failed',
    reason: 'expired',
    code: 'sandbox_expired',
    detail: 'The phone was off until the message expired',
  },
  '03': {
    kind: 'rejected',
    reason: 'operator_rejected',
    code: 'sandbox_rejected',
    detail: 'The operator rejected the message',
  },
  '04': { kind: 'silent' },
  '05': { kind: 'delivered', afterMs: 10_000 },
  '06': { kind: 'unanswered' },
  '07': { kind: 'throttled', afterMs: 2000 },
  '08': { kind: 'delivered', afterMs: 300, isRead: true },
  '09': { kind: 'delivered', afterMs: 300, answer: 'Yes, please' },
  '10': { kind: 'delivered', afterMs: 300, answer: 'STOP' },
}

/** The last two digits of numbers that begin with this choose the fate. All other numbers get their messages. */
export const magicPrefix = '+9199999000'

export function fateOf(to: string): Fate {
  const digits = to.startsWith(magicPrefix) && to.length === magicPrefix.length + 2 ? to.slice(-2) : ''
  return fates[digits] ?? delivered
}
