import type { SendOutcome } from '../../channels/provider.ts'
import { failPoint } from '../../lib/fail-points.ts'
import { handOver, type LaneContext } from './lane-context.ts'
import { applyLateResults } from './late-results.ts'
import type { Leg } from './legs.ts'
import { persist } from './persist.ts'
import { findRecentlyMessaged } from './recently-messaged.ts'
import { recordOutcomes, type Recorded } from './results.ts'
import { claimRetries, findLostRetries, recordRetries, type DueRetry } from './retries.queries.ts'
import { render } from './run-chunk.ts'

type Work = {
  lane: LaneContext
  getLeg(of: { campaignId: string; leg: number; runEpoch: number }): Promise<Leg>
  nextKey(): string
}

const batchSize = 100

/** Tries what is due once more; true when there may be more. */
export async function runRetries(work: Work): Promise<boolean> {
  const { lane } = work
  // The rate first: what is claimed leaves at once.
  const admitted = await lane.admission.admit(
    Array.from({ length: batchSize }, () => 1),
    true,
  )
  if (admitted === 0) return false
  try {
    if (lane.isClosing()) return false
    const due = await claimRetries(lane.pool, lane.key, admitted)
    lane.bucket.giveBack(admitted - due.length)
    failPoint('retry-after-claim')
    for (const batch of byLeg(due)) await tryAgain(work, batch, { isNew: true })
    return due.length === admitted
  } finally {
    lane.admission.land(admitted, true)
  }
}

/** What may have left before the owner died is asked again whatever another campaign has sent since. */
async function tryAgain(
  { lane, getLeg, nextKey }: Work,
  due: DueRetry[],
  { isNew }: { isNew: boolean },
): Promise<void> {
  const [first] = due
  if (!first) return
  const leg = await getLeg(first)
  const phones = isNew ? due.map(({ phone }) => phone) : []
  const recent = await persist(() => findRecentlyMessaged(lane.pool, leg, phones))
  const rendered = due.map((retry) => ({
    retry,
    message: retry.isOptedOut || recent.has(retry.phone) ? undefined : render(leg, retry).message,
  }))
  const leaving = rendered.flatMap(({ retry, message }) => (message ? [{ retry, message }] : []))
  const outcomes = await handOver(
    lane,
    leaving.map(({ message }) => message),
  )
  const submitted = leaving.map(({ retry, message: { parts } }) => ({
    seq: retry.seq,
    phone: retry.phone,
    attempt: retry.attempt,
    parts,
  }))
  const recorded = recordOutcomes(submitted, outcomes, leg.expiresAt)
  for (const { retry, message } of rendered) {
    if (message) continue
    const { seq, phone, attempt, isOptedOut } = retry
    recorded.results.push({
      seq,
      phone,
      status: 'skipped',
      parts: 1,
      attempt: attempt + 1,
      providerMessageIds: [],
      reason: isOptedOut ? 'opted_out' : recent.has(phone) ? 'recently_messaged' : 'missing_variable',
    })
  }
  await write(lane, leg, { recorded, opKey: `capture:${leg.campaignId}:${leg.leg}:retry:${nextKey()}` })
}

/** What an owner before us had claimed: not known, or tried again where the provider knows a repeat. */
export async function recoverRetries(work: Work): Promise<void> {
  const { lane, getLeg, nextKey } = work
  for (const batch of byLeg(await findLostRetries(lane.pool, lane.key))) {
    const [first] = batch
    if (!first) continue
    if (lane.isIdempotent) {
      await tryAgain(work, batch, { isNew: false })
      continue
    }
    const leg = await getLeg(first)
    const lost: SendOutcome = {
      kind: 'unknown',
      code: 'sender_ended',
      detail: 'The sender ended before the provider answered',
    }
    const submitted = batch.map((retry) => ({
      seq: retry.seq,
      phone: retry.phone,
      attempt: retry.attempt,
      parts: render(leg, retry).message?.parts ?? 1,
    }))
    const recorded = recordOutcomes(
      submitted,
      batch.map(() => lost),
      leg.expiresAt,
    )
    await write(lane, leg, { recorded, opKey: `capture:${leg.campaignId}:${leg.leg}:retry:${nextKey()}` })
  }
}

async function write(lane: LaneContext, leg: Leg, batch: { recorded: Recorded; opKey: string }): Promise<void> {
  const { inserted } = await persist(() => recordRetries(lane.pool, leg, batch))
  if (inserted < batch.recorded.results.length) await applyLateResults(lane.pool, leg, batch.recorded.results)
  lane.announce(leg.campaignId)
}

function byLeg(retries: readonly DueRetry[]): DueRetry[][] {
  return [...Map.groupBy(retries, ({ campaignId, leg }) => `${campaignId}.${leg}`).values()]
}
