import { failPoint } from '../../../lib/fail-points.ts'
import type { Permit } from './admission.ts'
import { handOver, type LaneContext } from './lane-context.ts'
import { applyLateResults } from './late-results.ts'
import { knownIds, termsOf } from './known-ids.ts'
import type { Leg } from './legs.ts'
import { persist } from './persist.ts'
import { findLimited, postponedTo, type Limit } from '../reads/recently-messaged.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { senderEnded } from './recover-chunk.ts'
import { render, skip } from './render-recipient.ts'
import { decideOutcome, gather, type Entry, type Recorded, type Result, type Retry } from './results.ts'
import { retryRefusedBeforePause } from './resumed-retries.ts'
import { claimRetries, findLostRetries, recordRetries, requeueLostRetries, type DueRetry } from './retries.queries.ts'
import { withdrawEntries } from './entries.queries.ts'

export type RetryWork = {
  lane: LaneContext
  getLeg(of: { campaignId: string; leg: number; runEpoch: number }): Promise<Leg>
  /** The campaign is marked as running from here on. */
  begin(of: { campaignId: string; runEpoch: number }): Promise<void>
  nextKey(): string
  recorder: RetryRecorder
  /** Parts of recently retried messages. */
  parts: { longest: number }
}

type LegEntry = { leg: Leg; entry: Entry }
export type RetryRecorder = Recorder<LegEntry, never, void>

const batchSize = 100

export function createRetryRecorder({ lane, nextKey }: Pick<RetryWork, 'lane' | 'nextKey'>): RetryRecorder {
  return createRecorder<LegEntry>({
    onFailure: lane.fail,
    async write(entries) {
      for (const [leg, ofLeg] of Map.groupBy(entries, (entry) => entry.leg)) {
        const recorded = gather(ofLeg.map(({ entry }) => entry))
        await write(lane, leg, { recorded, opKey: `capture:${leg.campaignId}:${leg.leg}:retry:${nextKey()}` })
      }
    },
  })
}

/** Sends due retries; true if there may be more. Does not wait for responses. */
export async function runRetries(work: RetryWork): Promise<boolean> {
  const { lane } = work
  // Waits for the rate first, because claimed retries are sent at once.
  const permit = await lane.admission.admit(
    Array.from({ length: batchSize }, () => 1),
    true,
  )
  if (!permit) return false
  // Their parts are known only after the claim: claims as many as the rate allows if all are as long as the longest recent one.
  const most = Math.max(1, Math.floor(permit.messages / work.parts.longest))
  const due = lane.isClosing() ? [] : await claimRetries(lane.pool, lane.key, most)
  permit.land(permit.messages - due.length)
  if (due.length > 0) failPoint('retry-after-claim')
  const batches = await Promise.all(byLeg(due).map((batch) => renderBatch(work, batch)))
  const parts = batches.flatMap(({ leaving }) => leaving.map(({ message }) => message.parts))
  // Parts beyond the granted ones are deducted from later messages.
  lane.bucket.returnUnused(permit.messages - parts.reduce((sum, count) => sum + count, 0))
  if (parts.length > 0) work.parts.longest = Math.max(...parts)
  for (const batch of batches) sendAgain(work, batch, permit)
  return due.length === most
}

type Batch = { leg: Leg; due: readonly DueRetry[]; leftOut: Entry[]; leaving: Leaving[] }
type Leaving = { message: NonNullable<ReturnType<typeof render>['message']>; submitted: DueRetry & { parts: number } }

/** The due retries of one leg, ready to send. */
async function renderBatch(
  { lane, getLeg, begin }: RetryWork,
  due: readonly [DueRetry, ...DueRetry[]],
): Promise<Batch> {
  const [first] = due
  const leg = await getLeg(first)
  await begin(first)
  // A message that may have been accepted is sent again whatever other campaigns have sent since.
  const phones = due.flatMap(({ phone, unanswered }) => (unanswered ? [] : [phone]))
  const limits = await persist(() => findLimited(lane.pool, leg, { cap: first.cap, phones }))
  const batch: Batch = { leg, due, leftOut: [], leaving: [] }
  for (const retry of due) {
    const limit = retry.unanswered ? undefined : limits.get(retry.phone)
    const isLeftOut = retry.isOptedOut || retry.isReached || limit !== undefined
    const { message } = isLeftOut ? { message: undefined } : render(leg, retry)
    if (message) batch.leaving.push({ message, submitted: { ...retry, parts: message.parts } })
    else batch.leftOut.push(leaveOut({ lane, leg, limit }, retry))
  }
  return batch
}

function sendAgain({ lane, recorder }: RetryWork, { leg, due, leftOut, leaving }: Batch, permit: Permit): void {
  recorder.expect(due.length)
  for (const entry of leftOut) recorder.settle({ leg, entry })
  permit.land(leftOut.length)
  const terms = termsOf(lane, leg)
  handOver(lane, { messages: leaving.map(({ message }) => message), permit }, (index, outcome) => {
    const submitted = leaving[index]?.submitted
    if (submitted) recorder.settle({ leg, entry: decideOutcome(submitted, outcome, terms) })
  })
}

/** A person who reached the cap waits, which uses no attempt. */
function postpone(retry: DueRetry, leg: Leg, limit: Limit | undefined): Retry | undefined {
  const { seq, attempt, isOptedOut, cap } = retry
  const dueAt = isOptedOut ? undefined : postponedTo(limit, { cap, expiresAt: leg.expiresAt })
  const parts = render(leg, retry).message?.parts
  if (!dueAt || parts === undefined) return undefined
  return { seq, dueAt, attempt, reason: 'frequency_capped', code: '', unanswered: false, parts }
}

/** The result of a retry that is not sent. A message that may have been accepted stays unknown. */
function leaveOut({ lane, leg, limit }: LeavingOut, retry: DueRetry): Entry {
  const { seq, isOptedOut, isReached, unanswered } = retry
  const attempt = retry.attempt + 1
  if (unanswered) return { ...lostResult(lane, leg, retry), ...notRepeated(isReached) }
  if (isReached) return { seq, isWithdrawn: true }
  const postponed = postpone(retry, leg, limit)
  if (postponed) return postponed
  const reason = isOptedOut ? 'opted_out' : (limit?.reason ?? 'missing_variable')
  return { ...skip(retry, reason), attempt }
}

type LeavingOut = { lane: LaneContext; leg: Leg; limit: Limit | undefined }

const notRepeated = (isReached: boolean) => ({
  code: 'not_repeated',
  detail: `The provider’s response was lost, and the recipient ${isReached ? 'got an earlier message' : 'opted out'} before the retry`,
})

function lostResult(lane: LaneContext, leg: Leg, retry: DueRetry): Result {
  const { seq, phone, attempt } = retry
  const parts = render(leg, retry).message?.parts ?? 1
  const providerMessageIds = knownIds(lane, leg.referenceOf(seq))
  return { seq, phone, status: 'unknown', parts, attempt: attempt + 1, providerMessageIds, ...senderEnded }
}

/** Retries that a previous owner claimed: unknown, or sent again if the provider recognises a repeat. */
export async function recoverRetries({ lane, getLeg, nextKey }: RetryWork): Promise<void> {
  if (lane.isIdempotent) return requeueLostRetries(lane.pool, lane.key)
  for (const batch of byLeg(await findLostRetries(lane.pool, lane.key))) {
    const [first] = batch
    if (!first) continue
    const leg = await getLeg(first)
    const results = batch.map((retry) => lostResult(lane, leg, retry))
    const recorded = { results, retries: [], withdrawn: [] }
    await write(lane, leg, { recorded, opKey: `capture:${leg.campaignId}:${leg.leg}:retry:${nextKey()}` })
  }
}

async function write(lane: LaneContext, leg: Leg, batch: { recorded: Recorded; opKey: string }): Promise<void> {
  await withdrawEntries(lane.pool, leg, batch.recorded.withdrawn)
  const { inserted } = await persist(() => recordRetries(lane.pool, leg, batch))
  if (inserted < batch.recorded.results.length) await applyLateResults(lane.pool, leg, batch.recorded.results)
  await retryRefusedBeforePause(lane.pool, leg, batch.recorded.retries)
}

function byLeg(retries: readonly DueRetry[]): [DueRetry, ...DueRetry[]][] {
  const groups = Map.groupBy(retries, ({ campaignId, leg }) => `${campaignId}.${leg}`)
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, ...others]] : []))
}
