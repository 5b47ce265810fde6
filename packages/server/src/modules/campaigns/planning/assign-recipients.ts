import type { ExclusionReason } from '@carillon/contract/campaign-drafts'
import { createBitmap, hasBit, setBit, type Bitmap } from '../../../lib/bitmap.ts'

/** Why a leg cannot be sent to some recipients, as known before sending. */
export type Obstacle = { reason: ExclusionReason; positions: Bitmap }

/** What decides who gets a leg. */
export type LegTerms = {
  /** The first one that contains a recipient applies. */
  obstacles: readonly Obstacle[]
  /** Results of earlier legs that lead to this one. */
  enterReasons: readonly string[]
}

/** The recipients of a leg; undefined: all of the audience. */
export type LegRecipients = {
  /** Recipients that begin with this leg. */
  starters: Bitmap | undefined
  /** Recipients that may get it after an earlier leg; empty for the first leg. */
  followers: Bitmap | undefined
}

/** Recipients whose message of a leg is skipped when the campaign starts. */
export type Skipped = { leg: number; reason: ExclusionReason; members: Bitmap }

export type Assignment = { legs: LegRecipients[]; skipped: Skipped[] }

/**
 * Assigns each recipient to the first leg that can be sent to them. A recipient who cannot be reached goes on to a later leg that is
 * entered for that reason, without a message on the first. One without a value for a leg's message goes on to any later leg: they
 * would otherwise get nothing because of a template that another leg does not use. People who opted out of a leg are skipped there;
 * like every skipped recipient they may enter a later leg when the campaign starts.
 */
export function assignRecipients(legs: readonly LegTerms[], people: number): Assignment {
  if (legs.every(({ obstacles }) => obstacles.length === 0))
    return { legs: legs.map(() => ({ starters: undefined, followers: undefined })), skipped: [] }

  const recipients = legs.map(() => ({ starters: createBitmap(people), followers: createBitmap(people) }))
  const skipped = new Map<string, Skipped>()
  for (let seq = 0; seq < people; seq += 1) {
    const { leg, reason } = findStart(legs, seq)
    const own = reason === undefined ? recipients[leg]?.starters : skippedAt(skipped, { leg, reason, people })
    if (own) setBit(own, seq)
    for (let later = leg + 1; later < legs.length; later += 1) {
      const [terms, followers] = [legs[later], recipients[later]?.followers]
      if (terms && followers && obstacleOf(terms, seq) === undefined) setBit(followers, seq)
    }
  }
  return { legs: recipients, skipped: [...skipped.values()] }
}

/** The leg with which a recipient begins, or the last one considered and why it cannot be sent. */
function findStart(legs: readonly LegTerms[], seq: number): { leg: number; reason: ExclusionReason | undefined } {
  let last: { leg: number; reason: ExclusionReason | undefined } = { leg: 0, reason: undefined }
  for (const [leg, terms] of legs.entries()) {
    if (!leadsTo(terms, last.reason)) continue
    last = { leg, reason: obstacleOf(terms, seq) }
    if (last.reason === undefined || last.reason === 'opted_out') return last
  }
  return last
}

function leadsTo({ enterReasons }: LegTerms, reason: ExclusionReason | undefined): boolean {
  return reason === undefined || reason === 'missing_variable' || enterReasons.includes(reason)
}

function obstacleOf({ obstacles }: LegTerms, seq: number): ExclusionReason | undefined {
  for (const { reason, positions } of obstacles) if (hasBit(positions, seq)) return reason
  return undefined
}

function skippedAt(
  skipped: Map<string, Skipped>,
  { leg, reason, people }: { leg: number; reason: ExclusionReason; people: number },
): Bitmap {
  const key = `${leg}.${reason}`
  const known = skipped.get(key)
  if (known) return known.members
  const members = createBitmap(people)
  skipped.set(key, { leg, reason, members })
  return members
}
