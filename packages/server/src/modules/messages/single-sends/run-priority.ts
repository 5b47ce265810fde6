import { getChannel } from '../../../channels/index.ts'
import type { FailureClass } from '@carillon/contract/campaign-records'
import type { OutboundMessage, SendOutcome } from '../../../channels/provider.ts'
import { failPoint } from '../../../lib/fail-points.ts'
import type { Permit } from '../engine/admission.ts'
import {
  claimPriority,
  findLostPriority,
  postponePriority,
  recordPriority,
  requeueLostPriority,
  type PriorityMessage,
  type PriorityResult,
  type Postponed,
} from './priority.queries.ts'
import { knownIds } from '../engine/known-ids.ts'
import { handOver, type LaneContext } from '../engine/lane-context.ts'
import { applyLateResults } from '../engine/late-results.ts'
import { persist } from '../engine/persist.ts'
import { createRecorder, type Recorder } from '../engine/recorder.ts'
import { senderEnded } from '../engine/recover-chunk.ts'
import { formatReference } from '../reference.ts'
import { classifyOutcome } from '../engine/results.ts'
import { storableId } from '../reports/storable-events.ts'

type Entry = { message: PriorityMessage; decided: PriorityResult | Postponed }
export type PriorityRecorder = Recorder<Entry, never, void>

const batchSize = 100

/** Users wait for these results on a screen. */
const gatherMs = 20

export function createPriorityRecorder(lane: LaneContext): PriorityRecorder {
  return createRecorder<Entry>({ onFailure: lane.fail, gatherMs, write: (entries) => write(lane, entries) })
}

/** Sends the front of the queue; true if there may be more. Does not wait for responses. */
export async function runPriority(lane: LaneContext, recorder: PriorityRecorder): Promise<boolean> {
  const permit = await lane.admission.admit(
    Array.from({ length: batchSize }, () => 1),
    true,
  )
  if (!permit) return false
  const claimed = lane.isClosing() ? [] : await claimPriority(lane.pool, lane.key, permit.messages)
  // Their parts are known only now: parts beyond the granted ones are deducted from later messages.
  lane.bucket.returnUnused(permit.messages - claimed.reduce((sum, { parts }) => sum + parts, 0))
  permit.land(permit.messages - claimed.length)
  if (claimed.length > 0) failPoint('priority-after-claim')
  sendClaimed(lane, recorder, { claimed, permit })
  return claimed.length === permit.messages
}

/** Messages that a previous owner claimed: unknown, or sent again if the provider recognises a repeat or their senders want it. */
export async function recoverPriority(lane: LaneContext): Promise<void> {
  await requeueLostPriority(lane.pool, lane.key, { all: lane.isIdempotent })
  if (lane.isIdempotent) return
  const lost = await findLostPriority(lane.pool, lane.key)
  await write(
    lane,
    lost.map((message) => ({
      message,
      decided: { id: message.id, status: 'unknown', providerMessageIds: idsOf(lane, message), ...senderEnded },
    })),
  )
}

type Claimed = { claimed: readonly PriorityMessage[]; permit: Permit }

function sendClaimed(lane: LaneContext, recorder: PriorityRecorder, { claimed, permit }: Claimed): void {
  const now = new Date()
  const leaving = claimed.filter(({ isOptedOut, expiresAt }) => !isOptedOut && expiresAt > now)
  recorder.expect(claimed.length)
  for (const message of claimed) {
    if (message.isOptedOut || message.expiresAt <= now) recorder.settle({ message, decided: skipResult(lane, message) })
  }
  permit.land(claimed.length - leaving.length)
  handOver(lane, { messages: leaving.map(present), permit, isUrgent: true }, (index, outcome) => {
    failPoint('priority-after-wire')
    const message = leaving[index]
    if (message) recorder.settle({ message, decided: decide(lane, message, outcome) })
  })
}

/** The result of a message that is not sent. A message that may have been accepted stays unknown. */
function skipResult(lane: LaneContext, message: PriorityMessage): PriorityResult {
  const { id, isOptedOut, unanswered } = message
  const ended = { id, providerMessageIds: unanswered ? idsOf(lane, message) : [] }
  if (unanswered)
    return { ...ended, status: 'unknown', code: 'not_repeated', detail: 'The provider’s response was lost' }
  if (isOptedOut) return { ...ended, status: 'skipped', reason: 'opted_out' }
  return { ...ended, status: 'failed', reason: reasonOf(message, 'expired') }
}

/** A message that waited until the person's window closed could not be sent for that reason. */
function reasonOf({ endsWithWindow }: PriorityMessage, reason: FailureClass): FailureClass {
  return reason === 'expired' && endsWithWindow ? 'outside_window' : reason
}

function decide(lane: LaneContext, message: PriorityMessage, outcome: SendOutcome): PriorityResult | Postponed {
  const { id, expiresAt } = message
  if (outcome.kind === 'accepted')
    return { id, status: 'sent', providerMessageIds: outcome.providerMessageIds.map(storableId) }
  const isIdempotent = lane.isIdempotent || message.details['repeatsIfUnanswered'] === true
  const verdict = classifyOutcome(message, outcome, { expiresAt, isIdempotent })
  if (verdict.kind === 'retry')
    return { id, dueAt: verdict.dueAt, attempt: verdict.attempt, unanswered: verdict.unanswered }
  const { code, detail } = outcome
  const ended = { id, providerMessageIds: [], code, detail }
  return verdict.kind === 'unknown'
    ? { ...ended, status: 'unknown', providerMessageIds: idsOf(lane, message) }
    : { ...ended, status: 'failed', reason: reasonOf(message, verdict.reason) }
}

async function write(lane: LaneContext, entries: readonly Entry[]): Promise<void> {
  const later = entries.flatMap(({ decided }) => ('status' in decided ? [] : [decided]))
  await persist(() => postponePriority(lane.pool, lane.key, later))
  const results = entries.flatMap(({ decided }) => ('status' in decided ? [decided] : []))
  if (results.length === 0) return
  const written = await persist(() => recordPriority(lane.pool, lane.key, results))
  if (written.length === results.length) return

  // Another owner wrote *unknown* for these while this one was considered dead.
  const known = new Set(written.map(({ messageId }) => messageId))
  const { organizationId } = lane.key
  for (const { message, decided } of entries) {
    if (!('status' in decided) || known.has(decided.id)) continue
    const { createdOn, id, parts, attempt } = message
    await applyLateResults(lane.pool, { organizationId, createdOn, campaignId: id, leg: 0 }, [
      { ...decided, seq: 0, parts, attempt },
    ])
  }
}

function present({ id, phone, identity, channel, expiresAt, ...single }: PriorityMessage): OutboundMessage {
  return {
    ...getChannel(channel).compileSingle(single),
    reference: referenceOf(id),
    to: phone === null ? (identity ?? '') : `+${phone}`,
    expiresAt,
  }
}

const referenceOf = (id: string) => formatReference({ campaignId: id, leg: 0, seq: 0 })

const idsOf = (lane: LaneContext, { id }: PriorityMessage) => knownIds(lane, referenceOf(id))
