import type { FailureClass } from '@carillon/contract/campaign-records'
import type { OutboundMessage } from '../../../channels/provider.ts'
import { failPoint } from '../../../lib/fail-points.ts'
import type { Permit } from './admission.ts'
import { createChunkRecorder, type ChunkRecorder, type ChunkWork } from './chunk-recorder.ts'
import { readRecipients, releaseChunk, type PostponedRecipient } from './chunks.queries.ts'
import { termsOf } from './known-ids.ts'
import { handOver, type LaneContext } from './lane-context.ts'
import { persist } from './persist.ts'
import { recoverChunk } from './recover-chunk.ts'
import { findLimited, postponedTo, type Limit } from '../reads/recently-messaged.ts'
import { render, skip, type Rendered } from './render-recipient.ts'
import { decideOutcome, type Submitted } from './results.ts'

/** Each slice costs a commit. Whatever its size, the window limits messages in flight. */
const sliceSize = 500

export type ChunkRun = {
  /** Nothing more of the chunk is sent; its last responses may still be pending. */
  handedOver: Promise<void>
  /** Everything that was sent has its result, or was abandoned. */
  ended: Promise<void>
  /** The outcomes known now are written. */
  caughtUp(): Promise<void>
  abandon(): void
}

/**
 * Sends one leased chunk in slices, each after its watermark. A slice does not wait for responses to the previous one: it is
 * sent as soon as window and rate allow.
 */
export function startChunk(work: ChunkWork): ChunkRun {
  const recorder = createChunkRecorder(work)
  const handedOver = Promise.withResolvers<void>()

  async function run() {
    failPoint('after-lease')
    const isComplete = await handOverChunk(work, recorder).finally(handedOver.resolve)
    failPoint('all-handed-over')
    await recorder.settled()
    // A chunk with messages in flight is left to the lane's next owner. Others can be leased when their campaign resumes.
    if (!isComplete && recorder.inFlight() === 0) await releaseChunk(work.lane.pool, work.lane.key, work.chunk)
  }

  return { handedOver: handedOver.promise, ended: run(), caughtUp: recorder.caughtUp, abandon: recorder.abandon }
}

/** Returns false if it stopped early: the lane closes, or the campaign no longer runs. */
async function handOverChunk(work: ChunkWork, recorder: ChunkRecorder): Promise<boolean> {
  const { lane, leg, chunk } = work
  if (chunk.watermark > chunk.recorded) await recoverChunk(work)
  const recipients = await readRecipients(lane.pool, leg, chunk)
  let done = 0
  let rendered: Rendered[] = []
  while (done < recipients.length) {
    const next = recipients.slice(done + rendered.length, done + sliceSize)
    const slice = [...rendered, ...next.map((recipient) => render(leg, recipient))]
    const permit = await admitSlice(lane, slice)
    if (!permit) return false
    const leaving = slice.slice(0, permit.messages)
    rendered = slice.slice(permit.messages)
    done += leaving.length
    const { postponed, staying, limits } = await findPostponed(work, leaving)
    const progress = await recorder.write({
      watermark: recipients[done]?.seq ?? chunk.hi,
      seqs: staying.map(({ recipient }) => recipient.seq),
      phones: staying.map(({ recipient }) => recipient.phone),
      postponed,
    })
    if (!progress.moved) {
      permit.land(leaving.length)
      return false
    }
    permit.land(postponed.length)
    lane.bucket.returnUnused(postponed.reduce((sum, { parts }) => sum + parts, 0))
    recorder.expect(staying.length)
    const reached = new Set(progress.reached)
    sendSlice(work, recorder, { leaving: staying, leftOut: leaveOut(limits, progress.optedOut), reached, permit })
    // No outcome follows, with which the end of the chunk would be written.
    if (staying.length === 0 && done === recipients.length) await recorder.write()
  }
  return true
}

/** How much of the slice may be sent now. */
async function admitSlice(lane: LaneContext, slice: readonly Rendered[]): Promise<Permit | undefined> {
  if (lane.isClosing()) return undefined
  const parts = slice.map(({ message }) => message?.parts ?? 0)
  const permit = lane.admission.tryAdmit(parts) ?? (await lane.admission.admit(parts, false))
  if (permit && lane.isClosing()) {
    permit.land(permit.messages)
    return undefined
  }
  return permit
}

/** Recipients that must not get this slice, by number, each with the reason. */
type LeftOut = ReadonlyMap<number, 'opted_out' | Limit['reason']>
type Limits = ReadonlyMap<number, Limit>

/**
 * The recipients of a slice that are postponed, and those that are not. Decided before the watermark moves, so that the same statement
 * moves it and stores who is postponed: a crash loses no one.
 */
async function findPostponed({ lane, leg, chunk: { cap } }: ChunkWork, slice: readonly Rendered[]) {
  const phones = slice.map(({ recipient }) => recipient.phone)
  const limits = await persist(() => findLimited(lane.pool, leg, { cap, phones }))
  const postponed: PostponedRecipient[] = []
  const staying: Rendered[] = []
  for (const rendered of slice) {
    const { recipient, message } = rendered
    const dueAt = message && postponedTo(limits.get(recipient.phone), { cap, expiresAt: leg.expiresAt })
    if (dueAt) postponed.push({ seq: recipient.seq, dueAt, parts: message.parts })
    else staying.push(rendered)
  }
  return { postponed, staying, limits }
}

function leaveOut(limits: Limits, optedOut: number[] | null): LeftOut {
  return new Map([
    ...[...limits].map(([phone, { reason }]) => [phone, reason] as const),
    ...(optedOut ?? []).map((phone) => [phone, 'opted_out'] as const),
  ])
}

type Leaving = { leaving: readonly Rendered[]; leftOut: LeftOut; reached: ReadonlySet<number>; permit: Permit }

function sendSlice({ lane, leg }: ChunkWork, recorder: ChunkRecorder, slice: Leaving): void {
  const { leaving, leftOut, reached, permit } = slice
  const messages: OutboundMessage[] = []
  // Of sent messages only the data needed for their result is kept.
  const submitted: Submitted[] = []
  const isExpired = leg.expiresAt.getTime() <= Date.now()
  let skipped = 0
  let freed = 0
  for (const { recipient, message } of leaving) {
    const why = leftOut.get(recipient.phone)
    const { seq, phone } = recipient
    if (message && !isExpired && !why && !reached.has(seq)) {
      messages.push(message)
      submitted.push({ seq, phone, parts: message.parts, attempt: 0, unanswered: false })
    } else {
      recorder.settle(reached.has(seq) ? { seq, isWithdrawn: true } : skip(recipient, reasonToSkip(why, isExpired)))
      skipped += 1
      freed += message?.parts ?? 0
    }
  }
  lane.bucket.returnUnused(freed)
  if (skipped > 0) permit.land(skipped)
  const terms = termsOf(lane, leg)
  handOver(lane, { messages, permit }, (index, outcome) => {
    const message = submitted[index]
    if (message) recorder.settle(decideOutcome(message, outcome, terms))
  })
}

function reasonToSkip(why: ReturnType<LeftOut['get']>, isExpired: boolean): FailureClass {
  if (why === 'opted_out') return why
  if (isExpired) return 'campaign_expired'
  return why ?? 'missing_variable'
}
