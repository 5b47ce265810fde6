import type { FailureClass } from '@carillon/contract/campaign-records'
import { createBitmap, hasBit, setBit, type Bitmap } from '../../../lib/bitmap.ts'

/** Why a leg cannot be sent to some recipients, as known before sending. */
export type Obstacle = { reason: FailureClass; positions: Bitmap }

/** What decides who gets a leg. */
export type LegTerms = {
  /** The first one that contains a recipient applies. */
  obstacles: readonly Obstacle[]
  /** Results of earlier legs that lead to this one. */
  enterReasons: readonly string[]
}

/** The recipients of a leg; undefined: all of the audience. */
export type LegRecipients = {
  /** Those for whom it is the first message. */
  starters: Bitmap | undefined
  /** Those who may get it after an earlier one; empty for the first leg. */
  followers: Bitmap | undefined
}

export type Assignment = {
  legs: LegRecipients[]
  /** Those who get no message, with the reason of the last leg that was considered. */
  skipped: Map<FailureClass, Bitmap>
}

/**
 * Assigns each recipient to the first leg that can be sent to them. A recipient who cannot get a leg goes on to a later one that is
 * entered for that reason. One without a value for a leg's message goes on to any later leg: it would otherwise get nothing because
 * of a template that another leg does not use.
 */
export function assignRecipients(legs: readonly LegTerms[], people: number): Assignment {
  const skipped = new Map<FailureClass, Bitmap>()
  if (legs.every(({ obstacles }) => obstacles.length === 0))
    return { legs: legs.map(() => ({ starters: undefined, followers: undefined })), skipped }

  const starters = legs.map(() => createBitmap(people))
  const followers = legs.map(() => createBitmap(people))
  for (let seq = 0; seq < people; seq += 1) {
    const start = findStart(legs, seq)
    if (typeof start === 'string') addTo(skipped, start, { seq, people })
    else markLegs(legs, { starters, followers, start, seq })
  }
  return { legs: legs.map((_, index) => ({ starters: starters[index], followers: followers[index] })), skipped }
}

/** The index of the first leg that can be sent to a recipient, or why none can. */
function findStart(legs: readonly LegTerms[], seq: number): number | FailureClass {
  let reason: FailureClass | undefined
  for (const [index, leg] of legs.entries()) {
    if (reason !== undefined && reason !== 'missing_variable' && !leg.enterReasons.includes(reason)) continue
    reason = obstacleOf(leg, seq)
    if (reason === undefined) return index
  }
  return reason ?? 'unknown'
}

function obstacleOf({ obstacles }: LegTerms, seq: number): FailureClass | undefined {
  for (const { reason, positions } of obstacles) if (hasBit(positions, seq)) return reason
  return undefined
}

function markLegs(
  legs: readonly LegTerms[],
  { starters, followers, start, seq }: { starters: Bitmap[]; followers: Bitmap[]; start: number; seq: number },
) {
  const own = starters[start]
  if (own) setBit(own, seq)
  for (let index = start + 1; index < legs.length; index += 1) {
    const leg = legs[index]
    const later = followers[index]
    if (leg && later && obstacleOf(leg, seq) === undefined) setBit(later, seq)
  }
}

function addTo(
  skipped: Map<FailureClass, Bitmap>,
  reason: FailureClass,
  { seq, people }: { seq: number; people: number },
) {
  const positions = skipped.get(reason) ?? createBitmap(people)
  setBit(positions, seq)
  skipped.set(reason, positions)
}
