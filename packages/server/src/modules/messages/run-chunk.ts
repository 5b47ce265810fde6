import type { FailureClass } from '@carillon/contract/campaign-records'
import type { OutboundMessage, SendOutcome } from '../../channels/provider.ts'
import { failPoint } from '../../lib/fail-points.ts'
import {
  advanceChunk,
  readRecipients,
  releaseChunk,
  type Chunk,
  type Progress,
  type Recipient,
} from './chunks.queries.ts'
import { handOver, type LaneContext } from './lane-context.ts'
import { applyLateResults } from './late-results.ts'
import type { Leg } from './legs.ts'
import { persist } from './persist.ts'
import { findRecentlyMessaged } from './recently-messaged.ts'
import { formatReference } from './reference.ts'
import { recordOutcomes, type Recorded, type Result } from './results.ts'

const sliceSize = 200

type Work = { lane: LaneContext; leg: Leg; chunk: Chunk }
/** What is known but not written yet, and up to where. */
type Pending = { recorded: number; before: Recorded }

const nothing: Recorded = { results: [], retries: [] }

/** Sends one leased chunk: slice by slice, each behind the mark, each result written before or with the next mark. */
export async function runChunk(work: Work): Promise<'done' | 'stopped'> {
  const { lane, leg, chunk } = work
  failPoint('after-lease')
  const from = Math.min(chunk.recorded, chunk.mark)
  const recipients = await readRecipients(lane.pool, {
    organizationId: lane.key.organizationId,
    audienceId: leg.audienceId,
    from,
    to: chunk.hi,
  })
  let pending: Pending = { recorded: chunk.recorded, before: nothing }
  let position = from
  if (chunk.mark > chunk.recorded) {
    pending = { recorded: chunk.mark, before: await recover(work, recipients.slice(0, chunk.mark - from)) }
    position = chunk.mark
  }
  while (position < chunk.hi) {
    const slice = recipients
      .slice(position - from, position - from + sliceSize)
      .map((recipient) => render(leg, recipient))
    const admitted = await admitSlice(work, slice, pending)
    pending = admitted.pending
    const leaving = slice.slice(0, admitted.messages)
    const mark = position + leaving.length
    const progress =
      leaving.length > 0
        ? await step(work, pending, { mark, phones: leaving.map(({ recipient }) => recipient.phone) })
        : undefined
    if (progress) pending = { recorded: pending.recorded, before: nothing }
    if (!progress?.moved) {
      lane.admission.land(leaving.length, false)
      return stop(work, pending)
    }
    position = mark
    const leftOut = await findLeftOut(work, leaving, progress.optedOut)
    pending = { recorded: mark, before: await sendSlice(work, leaving, leftOut) }
    lane.admission.land(leaving.length, false)
    failPoint('before-record')
  }
  failPoint('before-done')
  await step(work, pending, undefined)
  failPoint('after-capture')
  return 'done'
}

async function stop(work: Work, pending: Pending): Promise<'stopped'> {
  if (pending.before !== nothing) await step(work, pending, undefined)
  await releaseChunk(work.lane.pool, work.lane.key, work.chunk)
  return 'stopped'
}

/** How much of the slice may leave now. Results do not wait for the rate: they are written before a wait. */
async function admitSlice(
  work: Work,
  slice: ReturnType<typeof render>[],
  pending: Pending,
): Promise<{ messages: number; pending: Pending }> {
  const { lane } = work
  const parts = slice.map(({ message }) => message?.parts ?? 0)
  const atOnce = lane.isClosing() ? 0 : lane.admission.tryAdmit(parts)
  if (atOnce > 0) return { messages: atOnce, pending }
  const isWritten = pending.before === nothing
  if (!isWritten) await step(work, pending, undefined)
  const messages = lane.isClosing() ? 0 : await lane.admission.admit(parts, false)
  return {
    messages: lane.isClosing() ? release(lane, messages) : messages,
    pending: { recorded: pending.recorded, before: nothing },
  }
}

function release(lane: LaneContext, messages: number): 0 {
  lane.admission.land(messages, false)
  return 0
}

async function step(
  { lane, leg, chunk }: Work,
  { recorded, before }: Pending,
  next: { mark: number; phones: number[] } | undefined,
): Promise<Progress> {
  if (next) failPoint('before-mark')
  const { epoch } = lane.key
  const write = { chunkNo: chunk.chunkNo, epoch, runEpoch: chunk.runEpoch, recorded, before, next }
  const progress = await persist(() => advanceChunk(lane.pool, leg, write))
  if (progress.inserted < before.results.length) {
    await persist(() => applyLateResults(lane.pool, leg, before.results))
  }
  if (before !== nothing) {
    failPoint('after-record')
    lane.announce(leg.campaignId)
  }
  return progress
}

/** Who must not get this slice, by number and why. */
type LeftOut = ReadonlyMap<number, 'opted_out' | 'recently_messaged'>

const noOne: LeftOut = new Map()

async function findLeftOut(
  { lane, leg }: Work,
  slice: ReturnType<typeof render>[],
  optedOut: number[] | null,
): Promise<LeftOut> {
  if (optedOut === null && leg.skipRecentHours === null) return noOne
  const phones = slice.map(({ recipient }) => recipient.phone)
  const recent = await persist(() => findRecentlyMessaged(lane.pool, leg, phones))
  return new Map([
    ...[...recent].map((phone) => [phone, 'recently_messaged'] as const),
    ...(optedOut ?? []).map((phone) => [phone, 'opted_out'] as const),
  ])
}

async function sendSlice({ lane, leg }: Work, slice: ReturnType<typeof render>[], leftOut: LeftOut): Promise<Recorded> {
  const skipped: Result[] = []
  const leaving: { recipient: Recipient; message: OutboundMessage }[] = []
  const isExpired = leg.expiresAt.getTime() <= Date.now()
  for (const { recipient, message } of slice) {
    const why = leftOut.get(recipient.phone)
    if (message && !isExpired && !why) leaving.push({ recipient, message })
    else skipped.push(skip(recipient, reasonToSkip(why, isExpired)))
  }
  const outcomes = await handOver(
    lane,
    leaving.map(({ message }) => message),
  )
  const submitted = leaving.map(({ recipient: { seq, phone }, message: { parts } }) => ({
    seq,
    phone,
    parts,
    attempt: 0,
  }))
  const recorded = recordOutcomes(submitted, outcomes, leg.expiresAt)
  if (skipped.length > 0) recorded.results.push(...skipped)
  return recorded
}

function reasonToSkip(why: ReturnType<LeftOut['get']>, isExpired: boolean): FailureClass {
  if (why === 'opted_out') return why
  if (isExpired) return 'campaign_expired'
  return why ?? 'missing_variable'
}

function skip({ seq, phone }: Recipient, reason: FailureClass): Result {
  return { seq, phone, status: 'skipped', parts: 1, attempt: 1, providerMessageIds: [], reason }
}

/**
 * Between what is recorded and the mark, an owner before us died: whether those left is not known. They are sent again
 * only where the provider knows a repeat by our reference.
 */
async function recover(work: Work, recipients: Recipient[]): Promise<Recorded> {
  const slice = recipients.map((recipient) => render(work.leg, recipient))
  if (work.lane.isIdempotent) return sendSlice(work, slice, noOne)
  const lost: SendOutcome = {
    kind: 'unknown',
    code: 'sender_ended',
    detail: 'The sender ended before the provider answered',
  }
  const known = slice.filter(({ message }) => message !== undefined)
  const submitted = known.map(({ recipient: { seq, phone }, message }) => ({
    seq,
    phone,
    parts: message?.parts ?? 1,
    attempt: 0,
  }))
  const recorded = recordOutcomes(
    submitted,
    submitted.map(() => lost),
    work.leg.expiresAt,
  )
  for (const { recipient, message } of slice) {
    if (!message) recorded.results.push(skip(recipient, 'missing_variable'))
  }
  return recorded
}

/** No message when a variable of the row has no value. */
export function render(leg: Leg, recipient: Recipient): { recipient: Recipient; message: OutboundMessage | undefined } {
  const rendered = leg.render(recipient.variables)
  if (!rendered) return { recipient, message: undefined }
  const message: OutboundMessage = {
    ...rendered,
    reference: formatReference({ campaignId: leg.campaignId, leg: leg.leg, seq: recipient.seq }),
    to: `+${recipient.phone}`,
    expiresAt: leg.expiresAt,
  }
  return { recipient, message }
}
