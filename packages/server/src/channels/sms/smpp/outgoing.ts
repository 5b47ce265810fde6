import type { SendOutcome } from '../../provider.ts'
import { readRefusal, type VendorError } from './codes.ts'
import type { Submit } from './link.ts'

/** One message of a batch, with one submit for each part. */
export type Outgoing = {
  frames: Buffer[]
  /** Ids by part; complete when the message is accepted. */
  messageIds: string[]
  isSettled: boolean
  settle(outcome: SendOutcome): void
}

export type PartSubmit = Submit & { outgoing: Outgoing; part: number; refusals: number }

/** The next action for a part. */
export type NextStep = { kind: 'none' } | { kind: 'submit'; submits: PartSubmit[]; afterMs: number }

const none: NextStep = { kind: 'none' }
/** Attempts for further parts of a message whose first part was accepted and cannot be withdrawn. */
const mostRefusals = 6
const longestPauseMs = 5_000

/** Nothing else is sent before the first part is accepted, so that its rejection is a rejection of the whole message. */
export function firstPart(outgoing: Outgoing): PartSubmit {
  return { frame: outgoing.frames[0] ?? Buffer.alloc(0), writtenAt: 0, outgoing, part: 0, refusals: 0 }
}

export function handleAccepted({ outgoing, part }: PartSubmit, messageId: string): NextStep {
  if (outgoing.isSettled) return none
  outgoing.messageIds[part] = messageId
  const { frames, messageIds } = outgoing
  if (part === 0 && frames.length > 1) return { kind: 'submit', submits: otherParts(outgoing), afterMs: 0 }
  // Parts without a response leave holes, which `every` would skip.
  if (frames.every((_, index) => messageIds[index] !== undefined)) {
    settle(outgoing, { kind: 'accepted', providerMessageIds: messageIds.filter((id) => id !== '') })
  }
  return none
}

export function handleRejected(submit: PartSubmit, status: number, vendorErrors: readonly VendorError[]): NextStep {
  const { outgoing, part } = submit
  if (outgoing.isSettled) return none
  const refusal = readRefusal(status, vendorErrors)
  if (part === 0) {
    settle(outgoing, refusal)
    return none
  }
  if (refusal.kind === 'retry' && submit.refusals + 1 < mostRefusals) {
    const again = { ...submit, writtenAt: 0, refusals: submit.refusals + 1 }
    return { kind: 'submit', submits: [again], afterMs: Math.min(longestPauseMs, refusal.afterMs) }
  }
  settle(outgoing, {
    kind: 'unknown',
    code: refusal.code,
    detail: `Part 1 was accepted, part ${part + 1} was not: ${refusal.detail}`,
  })
  return none
}

/** The connection closed with the submit in flight, or before it was written. */
export function handleLost(submit: PartSubmit, reason: string): NextStep {
  const { outgoing, part, writtenAt } = submit
  if (outgoing.isSettled) return none
  if (writtenAt > 0) settle(outgoing, { kind: 'unknown', code: 'answer_lost', detail: reason })
  else if (part === 0) settle(outgoing, notConnected(reason))
  else return { kind: 'submit', submits: [{ ...submit, writtenAt: 0 }], afterMs: 0 }
  return none
}

/** No bind is left to send it. */
export function handleUnsent({ outgoing, part }: PartSubmit, reason: string): void {
  if (outgoing.isSettled) return
  settle(
    outgoing,
    part === 0
      ? notConnected(reason)
      : { kind: 'unknown', code: 'answer_lost', detail: `Part 1 was accepted, part ${part + 1} was not: ${reason}` },
  )
}

export function notConnected(detail: string): SendOutcome {
  return { kind: 'retry', afterMs: 2_000, reason: 'not_connected', code: 'not_connected', detail, throttled: false }
}

function otherParts(outgoing: Outgoing): PartSubmit[] {
  return outgoing.frames
    .slice(1)
    .map((frame, index) => ({ frame, writtenAt: 0, outgoing, part: index + 1, refusals: 0 }))
}

function settle(outgoing: Outgoing, outcome: SendOutcome) {
  outgoing.isSettled = true
  outgoing.settle(outcome)
}
