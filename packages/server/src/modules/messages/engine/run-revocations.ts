import type { RevokeOutcome } from '../../../channels/provider.ts'
import { failPoint } from '../../../lib/fail-points.ts'
import { createReferences } from '../reference.ts'
import { inTransaction } from '../statements.ts'
import type { LaneContext } from './lane-context.ts'
import { persist } from './persist.ts'
import {
  claimRevocations,
  endRevocations,
  enterUnreadLegs,
  recordRevocations,
  requeueLostRevocations,
  type Answer,
  type Answered,
  type DueRevocation,
} from './revocations.queries.ts'

export type Revoker = {
  /** Asks the provider to revoke due messages; true if there may be more. Waits for its responses. */
  run(): Promise<boolean>
  /** Stops waiting for responses: the lane's next owner asks again. */
  abandon(): void
}

const largestBatch = 200
const mostAttempts = 8
const longestDelayMs = 60_000

/**
 * Revokes messages of one lane, a batch at a time. It takes no tokens of the lane's rate, which is agreed for messages: a discarded
 * campaign would delay all others of the sender for as long as it was sent. A batch takes at most half of the window, and a
 * provider that asks to wait stops the lane's revocations for that time.
 */
export function createRevoker(lane: LaneContext): Revoker {
  const abandoned = Promise.withResolvers<void>()
  const limit = Math.max(1, Math.min(largestBatch, Math.floor(lane.session.window / 2)))
  let heldUntil = 0

  return {
    abandon: abandoned.resolve,
    async run() {
      if (performance.now() < heldUntil) return false
      const claimed = await persist(() => claimRevocations(lane.pool, lane.key, limit))
      if (claimed.length === 0) return false
      failPoint('revoke-after-claim')
      const outcomes = await ask(lane, claimed, abandoned.promise)
      failPoint('revoke-after-wire')
      const waits = [...outcomes.values()].flatMap((outcome) => (outcome.kind === 'retry' ? [outcome.afterMs] : []))
      if (waits.length > 0) heldUntil = performance.now() + Math.min(longestDelayMs, Math.max(...waits))
      await recordOutcomes(lane, claimed, outcomes)
      failPoint('revoke-after-record')
      return claimed.length === limit
    },
  }
}

/** A revocation that a previous owner asked for may have been carried out; asking again is harmless. */
export async function recoverRevocations(lane: LaneContext): Promise<void> {
  if (lane.session.revoke) await requeueLostRevocations(lane.pool, lane.key)
}

type Outcomes = ReadonlyMap<DueRevocation, RevokeOutcome>

/** Resolves with the outcomes that are known once all are, or once they are abandoned. */
async function ask(lane: LaneContext, claimed: readonly DueRevocation[], abandoned: Promise<void>): Promise<Outcomes> {
  const { session, meter } = lane
  const outcomes = new Map<DueRevocation, RevokeOutcome>()
  const asked = claimed.flatMap((due) => (due.message ? [{ due, message: due.message }] : []))
  if (asked.length === 0) return outcomes
  if (!session.revoke) return new Map(asked.map(({ due }) => [due, notSupported]))
  const requests = asked.map(({ due, message }) => ({
    reference: createReferences(due)(due.seq),
    providerMessageId: message.providerMessageId,
    to: `+${message.phone}`,
  }))
  const all = Promise.withResolvers<void>()
  session.revoke(requests, (index, outcome) => {
    meter.recordRevocation(outcome)
    const request = asked[index]
    if (request) outcomes.set(request.due, outcome)
    if (outcomes.size === asked.length) all.resolve()
  })
  await Promise.race([all.promise, abandoned])
  return new Map(outcomes)
}

const notSupported: RevokeOutcome = {
  kind: 'refused',
  code: 'not_supported',
  detail: 'The provider cannot revoke messages',
}

/** What follows from the outcomes; claimed revocations without one are left to the lane's next owner. */
export async function recordOutcomes(
  { pool, key }: Pick<LaneContext, 'pool' | 'key'>,
  claimed: readonly DueRevocation[],
  outcomes: Outcomes,
): Promise<void> {
  const answered: Answered[] = [...outcomes].map(([due, outcome]) => ({ due, answer: decide(due, outcome) }))
  const kept = answered.flatMap(({ due, answer }) => (answer.kind === 'kept' ? [due] : []))
  const over = claimed.filter(({ message }) => !message)
  await persist(() =>
    inTransaction(pool, async (db) => {
      await recordRevocations(db, key, answered)
      await endRevocations(db, key, over)
      await enterUnreadLegs(db, key.organizationId, [...kept, ...over])
    }),
  )
}

/**
 * A provider that does not know a message it had accepted has delivered it. It proves nothing if the message may never have been
 * accepted, or if an earlier request may have revoked it: then only a report counts.
 */
function decide({ attempt, isAccepted, isAsked }: DueRevocation, outcome: RevokeOutcome): Answer {
  switch (outcome.kind) {
    case 'requested':
      return { kind: 'given_up', code: 'revoked', detail: 'The message was revoked before its delivery was reported' }
    case 'not_found':
      if (isAccepted && !isAsked) return { kind: 'kept' }
      return {
        kind: 'given_up',
        code: 'not_found',
        detail: 'The provider does not know the message, and did not report its delivery',
      }
    case 'retry':
      if (attempt + 1 < mostAttempts)
        return { kind: 'again', afterMs: Math.max(outcome.afterMs, Math.min(longestDelayMs, 1000 * 2 ** attempt)) }
      return { kind: 'given_up', code: outcome.code, detail: outcome.detail }
    case 'refused':
      return { kind: 'given_up', code: outcome.code, detail: outcome.detail }
  }
}
