import type { FailureClass } from '@carillon/contract/campaign-records'

type Failure = { reason: FailureClass; code: string; detail: string }

/** What is reported of a message, this long after it is sent. */
export type Step =
  | { afterMs: number; status: 'sent' | 'delivered' | 'read' }
  | ({ afterMs: number; status: 'failed' } & Failure)

export type Fate = {
  steps: readonly Step[]
  /** What the number answers. */
  answer?: { afterMs: number; text: string }
}

const sent = (afterMs = 0): Step => ({ afterMs, status: 'sent' })
const delivered = (afterMs = 300): Step => ({ afterMs, status: 'delivered' })
const failed = (afterMs: number, failure: Failure): Step => ({ afterMs, status: 'failed', ...failure })

const unreachable = {
  reason: 'number_unreachable',
  code: 'sandbox_unreachable',
  detail: 'The number cannot be reached',
} as const
const expired = {
  reason: 'expired',
  code: 'sandbox_expired',
  detail: 'The phone was off until the message expired',
} as const
const rejected = {
  reason: 'operator_rejected',
  code: 'sandbox_rejected',
  detail: 'The operator rejected the message',
} as const

const answered = (text: string): Fate => ({ steps: [sent(), delivered()], answer: { afterMs: 1500, text } })

const usual: Fate = { steps: [sent(), delivered()] }

const fates: Readonly<Record<string, Fate>> = {
  '01': { steps: [sent(), failed(300, unreachable)] },
  '02': { steps: [sent(), failed(2000, expired)] },
  '03': { steps: [failed(0, rejected)] },
  // No report ever comes.
  '04': { steps: [sent()] },
  '05': { steps: [sent(), delivered(10_000)] },
  // The response to the first attempt is lost.
  '06': { steps: [sent(1000), delivered(1300)] },
  // The first attempt is throttled.
  '07': { steps: [sent(2000), delivered(2300)] },
  '08': { steps: [sent(), delivered(), { afterMs: 1000, status: 'read' }] },
  '09': answered('Yes, please'),
  '10': answered('STOP'),
}

/** The last two digits of numbers that begin with this decide. All other numbers get their messages, and legs arrive at every number. */
export const magicPrefix = '9199999000'

/** The final report of a number, this long after the message is sent; undefined if none ever comes. */
export function finalStepOf(phone: number): Step | undefined {
  return fateOf({ phone, isLeg: false }).steps.find(({ status }) => status === 'delivered' || status === 'failed')
}

export function fateOf({ phone, isLeg }: { phone: number; isLeg: boolean }): Fate {
  if (isLeg) return usual
  const digits = String(phone)
  const last = digits.startsWith(magicPrefix) && digits.length === magicPrefix.length + 2 ? digits.slice(-2) : ''
  return fates[last] ?? usual
}
