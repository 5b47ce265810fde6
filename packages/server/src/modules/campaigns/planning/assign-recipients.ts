import type { ExclusionReason } from '@carillon/contract/campaign-drafts'
import { createBitmap, hasBit, setBit, type Bitmap } from '../../../lib/bitmap.ts'
import { heldOutGroup, type Groups } from '../ab-tests/draw-groups.ts'

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
  /** Recipients that begin with this variant if it is the winner of the test. */
  rest?: Bitmap | undefined
}

/** Recipients whose message of a leg is skipped when the campaign starts, or when its variant is the winner of the test. */
export type Skipped = { leg: number; reason: ExclusionReason; members: Bitmap; isRest?: boolean }

export type Assignment = { legs: LegRecipients[]; skipped: Skipped[] }

/**
 * Assigns each recipient to the first leg that can be sent to them. A recipient who cannot be reached goes on to a later leg that is
 * entered for that reason, without a message on the first. One without a value for a leg's message goes on to any later leg: they
 * would otherwise get nothing because of a template that another leg does not use. People who opted out of a leg are skipped there;
 * like every skipped recipient they may enter a later leg when the campaign starts.
 *
 * In a test the first legs are its variants, and each recipient's group decides which of them is the first. The others are assigned to
 * each variant, as only one of them will be sent.
 */
export function assignRecipients(legs: readonly LegTerms[], people: number, groups?: Groups): Assignment {
  if (!groups && legs.every(({ obstacles }) => obstacles.length === 0))
    return { legs: legs.map(() => ({ starters: undefined, followers: undefined })), skipped: [] }

  const variants = groups?.variants ?? 1
  const assigned = createAssignment(legs, people, groups && variants)
  for (let seq = 0; seq < people; seq += 1) {
    const group = groups?.groupAt(seq) ?? 0
    if (group === heldOutGroup) {
      assigned.skip(seq, { leg: 0, reason: 'held_out' })
      continue
    }
    if (group >= 0) assignTo(assigned, legs, { seq, first: group, variants })
    else assignRest(assigned, legs, { seq, variants })
  }
  return assigned.result()
}

type Place = { seq: number; /** A recipient begins with one of the first legs. */ variants: number }

function assignTo(assigned: Assigned, legs: readonly LegTerms[], { seq, first, variants }: Place & { first: number }) {
  const { leg, reason } = findStart(legs, { seq, first, variants })
  if (reason === undefined) assigned.start(seq, leg)
  else assigned.skip(seq, { leg, reason })
  assigned.follow(seq, Math.max(leg + 1, variants))
}

/** The skipped recipients of a variant go on to later legs only when it is sent. */
function assignRest(assigned: Assigned, legs: readonly LegTerms[], { seq, variants }: Place) {
  for (const [leg, terms] of legs.slice(0, variants).entries()) {
    const reason = obstacleOf(terms, seq)
    if (reason === undefined) assigned.wait(seq, leg)
    else assigned.skip(seq, { leg, reason, isRest: true })
  }
  assigned.follow(seq, variants)
}

type Assigned = ReturnType<typeof createAssignment>

function createAssignment(legs: readonly LegTerms[], people: number, variants: number | undefined) {
  const recipients = legs.map((_, leg) => ({
    starters: createBitmap(people),
    followers: createBitmap(people),
    ...(leg < (variants ?? 0) ? { rest: createBitmap(people) } : {}),
  }))
  const skipped = new Map<string, Skipped>()
  const add = (bitmap: Bitmap | undefined, seq: number) => {
    if (bitmap) setBit(bitmap, seq)
  }
  return {
    start: (seq: number, leg: number) => add(recipients[leg]?.starters, seq),
    wait: (seq: number, leg: number) => add(recipients[leg]?.rest, seq),
    skip(seq: number, { leg, reason, isRest = false }: Omit<Skipped, 'members'>) {
      const key = `${leg}.${reason}.${isRest}`
      let own = skipped.get(key)
      if (!own) skipped.set(key, (own = { leg, reason, members: createBitmap(people), ...(isRest ? { isRest } : {}) }))
      setBit(own.members, seq)
    },
    /** All legs from this one on that can be sent to the recipient. */
    follow(seq: number, from: number) {
      for (let later = from; later < legs.length; later += 1) {
        const terms = legs[later]
        if (terms && obstacleOf(terms, seq) === undefined) add(recipients[later]?.followers, seq)
      }
    },
    result: (): Assignment => ({ legs: recipients, skipped: [...skipped.values()] }),
  }
}

/** The leg with which a recipient begins, or the last one considered and why it cannot be sent. */
function findStart(
  legs: readonly LegTerms[],
  { seq, first, variants }: Place & { first: number },
): { leg: number; reason: ExclusionReason | undefined } {
  let last: { leg: number; reason: ExclusionReason | undefined } = { leg: first, reason: undefined }
  for (const [leg, terms] of legs.entries()) {
    if ((leg < variants && leg !== first) || !leadsTo(terms, last.reason)) continue
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
