import { storableId } from '../reports/storable-events.ts'
import type { LaneContext } from './lane-context.ts'
import type { Leg } from './legs.ts'
import type { Terms } from './results.ts'

/** The provider's id of a message without a response, if it follows from our reference: late reports are matched by it. */
export function knownIds({ messageIdOf }: Pick<LaneContext, 'messageIdOf'>, reference: string): string[] {
  return messageIdOf ? [storableId(messageIdOf(reference))] : []
}

export function termsOf(lane: LaneContext, leg: Pick<Leg, 'expiresAt' | 'referenceOf'>): Terms {
  return {
    expiresAt: leg.expiresAt,
    isIdempotent: lane.isIdempotent,
    idsOf: (seq) => knownIds(lane, leg.referenceOf(seq)),
  }
}
