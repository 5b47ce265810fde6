import type { MessageStatus } from '@carillon/contract/campaign-records'
import type { LegEntrance } from './single-send.ts'

/** A single send whose further messages may still be sent. */
export type WatchedSingle = {
  entrances: readonly LegEntrance[]
  /** When the last message was accepted or scheduled for. */
  enteredAt: Date
  /** No further message is sent after this time. */
  endsAt: Date
  /** The last message; undefined while it is in the queue. */
  message: { status: MessageStatus; reason: string | null; /** Its hand-over. */ sentAt: Date | null } | undefined
}

export type LegDecision =
  | { kind: 'end' }
  | { kind: 'enter'; /** Index of the leg. */ leg: number; reason: string }
  | { kind: 'wait'; ms: number }

const ended = { kind: 'end' } as const
const shortestWaitMs = 1000
const longestWaitMs = 600_000
export const tooLate = 'not_delivered_in_time'

/** Whether the next message is sent, is not needed any more, or when that is looked at again. */
export function decideLeg(single: WatchedSingle, now: Date): LegDecision {
  const { entrances, message, endsAt } = single
  if (now >= endsAt || message?.status === 'read' || message?.status === 'cancelled') return ended
  if (message?.status === 'failed' || message?.status === 'skipped') {
    const { reason } = message
    const leg = entrances.findIndex(({ reasons }) => reason !== null && reasons.includes(reason))
    return leg === -1 || reason === null ? ended : { kind: 'enter', leg, reason }
  }
  return decideByTime(single, now)
}

function decideByTime({ entrances, enteredAt, message, endsAt }: WatchedSingle, now: Date): LegDecision {
  const isDelivered = message?.status === 'delivered'
  const leg = entrances.findIndex(
    ({ afterSeconds, unless }) => afterSeconds !== null && (!isDelivered || unless === 'read'),
  )
  const entrance = entrances[leg]
  if (isDelivered && !entrance) return ended
  const dueAt = entrance ? dueOf(entrance, message?.sentAt ?? enteredAt) : endsAt.getTime()
  if (entrance && dueAt <= now.getTime()) return { kind: 'enter', leg, reason: tooLate }
  // Most reports arrive within seconds, and a failure has to be acted on soon.
  const usual = Math.max(shortestWaitMs, (now.getTime() - enteredAt.getTime()) / 4)
  return { kind: 'wait', ms: Math.min(usual, longestWaitMs, Math.min(dueAt, endsAt.getTime()) - now.getTime()) }
}

function dueOf({ afterSeconds, unless, graceSeconds }: LegEntrance, since: Date): number {
  return since.getTime() + ((afterSeconds ?? 0) + (unless === 'delivered' ? graceSeconds : 0)) * 1000
}

/** When a message expires: once a later one may be sent instead, it must not be delivered any more. */
export function expiryBefore(
  entrances: readonly LegEntrance[],
  { begin, endsAt }: { begin: Date; endsAt: Date },
): Date {
  const next = entrances.find(({ afterSeconds, unless }) => afterSeconds !== null && unless === 'delivered')
  if (next?.afterSeconds == null) return endsAt
  return new Date(Math.min(endsAt.getTime(), begin.getTime() + next.afterSeconds * 1000))
}
