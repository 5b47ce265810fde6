import { ExclusionReason } from '@carillon/contract/campaign-drafts'
import { hasBit } from '../../../lib/bitmap.ts'
import type { LegRecipients, Skipped } from './assign-recipients.ts'

/** The leg on which a recipient was excluded, and why. */
export type Exclusion = Pick<Skipped, 'leg' | 'reason'>

export type BeginningLeg = {
  recipients: LegRecipients
  enterReasons: readonly string[]
  /** Parts of each recipient's message; 0: none, because a variable has no value. */
  parts: Uint8Array
}

/**
 * The leg with which a recipient begins, as its index; below 0: with none (see `exclusionOf`). A number, because an audience may
 * have a million recipients.
 */
export type BeginningAt = (seq: number) => number

/**
 * Recipients whose first message is skipped may begin with a later leg that accepts the reason. Those who will get the winner of a test
 * begin with the first variant, as any of them may win.
 */
export function createBeginnings(legs: readonly BeginningLeg[], skipped: readonly Skipped[]): BeginningAt {
  const known = skipped.filter(({ leg, isRest }) => !isRest || leg === 0)
  return (seq) => {
    for (let index = 0; index < legs.length; index += 1) if (isStarter(legs, index, seq)) return index
    const skip = known.find(({ members }) => hasBit(members, seq))
    // Those who would begin with a leg and are not skipped have no value for it, and there is no other leg.
    if (!skip) return toCode({ leg: 0, reason: 'missing_variable' })
    const next = legs.findIndex(
      (leg, index) =>
        index > skip.leg && leg.enterReasons.includes(skip.reason) && isFollower(leg, seq) && hasMessage(leg, seq),
    )
    return next === -1 ? toCode(skip) : next
  }
}

/** Why a recipient begins with no leg; undefined if they begin with one. */
export function exclusionOf(beginning: number): Exclusion | undefined {
  if (beginning >= 0) return undefined
  const code = -1 - beginning
  const reason = reasons[code % reasons.length]
  return reason && { leg: Math.floor(code / reasons.length), reason }
}

const reasons = ExclusionReason.options

function toCode({ leg, reason }: Exclusion): number {
  return -1 - (leg * reasons.length + reasons.indexOf(reason))
}

function isStarter(legs: readonly BeginningLeg[], index: number, seq: number): boolean {
  const leg = legs[index]
  if (!leg || !hasMessage(leg, seq)) return false
  const { starters, rest } = leg.recipients
  if (!starters) return index === 0
  return hasBit(starters, seq) || (index === 0 && rest !== undefined && hasBit(rest, seq))
}

function isFollower({ recipients: { followers } }: BeginningLeg, seq: number): boolean {
  return !followers || hasBit(followers, seq)
}

function hasMessage({ parts }: BeginningLeg, seq: number): boolean {
  return (parts[seq] ?? 0) > 0
}
