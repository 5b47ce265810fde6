import { getChannel } from '../../channels/index.ts'
import type { OutboundMessage, SendOutcome } from '../../channels/provider.ts'
import { failPoint } from '../../lib/fail-points.ts'
import {
  claimExpress,
  findLostExpress,
  postponeExpress,
  recordExpress,
  type ExpressMessage,
  type ExpressResult,
} from './express.queries.ts'
import { handOver, type LaneContext } from './lane-context.ts'
import { applyLateResults } from './late-results.ts'
import { persist } from './persist.ts'
import { formatReference } from './reference.ts'
import { decideRetry } from './retry-policy.ts'

const batchSize = 100

/** Sends what stands at the front of the lane; true when there may be more. */
export async function runExpress(lane: LaneContext): Promise<boolean> {
  const admitted = await lane.admission.admit(
    Array.from({ length: batchSize }, () => 1),
    true,
  )
  if (admitted === 0) return false
  try {
    if (lane.isClosing()) return false
    const claimed = await claimExpress(lane.pool, lane.key, admitted)
    // Its parts are known only now: long messages are paid for by the ones behind them.
    lane.bucket.giveBack(admitted - claimed.reduce((sum, { parts }) => sum + parts, 0))
    failPoint('express-after-claim')
    await sendClaimed(lane, claimed)
    return claimed.length === admitted
  } finally {
    lane.admission.land(admitted, true)
  }
}

/** What an owner before us had claimed: not known, or sent again where the provider knows a repeat. */
export async function recoverExpress(lane: LaneContext): Promise<void> {
  const lost = await findLostExpress(lane.pool, lane.key)
  if (lost.length === 0) return
  if (lane.isIdempotent) return sendClaimed(lane, lost)
  const results = lost.map(({ id }): ExpressResult => ({
    id,
    status: 'unknown',
    providerMessageIds: [],
    code: 'sender_ended',
    detail: 'The sender ended before the provider answered',
  }))
  await write(lane, lost, results)
}

async function sendClaimed(lane: LaneContext, claimed: readonly ExpressMessage[]): Promise<void> {
  const now = new Date()
  const leaving = claimed.filter(({ isOptedOut, expiresAt }) => !isOptedOut && expiresAt > now)
  const results = claimed.flatMap(({ id, isOptedOut, expiresAt }): ExpressResult[] => {
    if (isOptedOut) return [{ id, status: 'skipped', providerMessageIds: [], reason: 'opted_out' }]
    return expiresAt > now ? [] : [{ id, status: 'failed', providerMessageIds: [], reason: 'expired' }]
  })
  const outcomes = await handOver(lane, leaving.map(present))
  failPoint('express-after-wire')
  const later: { id: string; dueAt: Date; attempt: number }[] = []
  for (const [index, message] of leaving.entries()) {
    const outcome = outcomes[index] ?? {
      kind: 'unknown',
      code: 'no_outcome',
      detail: 'The provider connection gave no outcome',
    }
    const decided = decide(message, outcome)
    if ('status' in decided) results.push(decided)
    else later.push(decided)
  }
  await persist(() => postponeExpress(lane.pool, lane.key, later))
  await write(lane, claimed, results)
}

function decide(
  { id, attempt, expiresAt }: ExpressMessage,
  outcome: SendOutcome,
): ExpressResult | { id: string; dueAt: Date; attempt: number } {
  if (outcome.kind === 'accepted') return { id, status: 'sent', providerMessageIds: outcome.providerMessageIds }
  const { code, detail } = outcome
  if (outcome.kind === 'unknown') return { id, status: 'unknown', providerMessageIds: [], code, detail }
  const failed = { id, status: 'failed' as const, providerMessageIds: [], code, detail }
  if (outcome.kind === 'rejected' && outcome.scope === 'message') return { ...failed, reason: outcome.reason }
  const refusal = outcome.kind === 'retry' ? outcome : { reason: outcome.reason, afterMs: 60_000, throttled: false }
  const decision = decideRetry({ outcome: refusal, attempt, now: new Date(), expiresAt, random: Math.random() })
  return decision.kind === 'retry'
    ? { id, dueAt: decision.dueAt, attempt: decision.attempt }
    : { ...failed, reason: decision.reason }
}

async function write(lane: LaneContext, messages: readonly ExpressMessage[], results: ExpressResult[]): Promise<void> {
  if (results.length === 0) return
  const written = await persist(() => recordExpress(lane.pool, lane.key, results))
  for (const { campaignId } of written) if (campaignId) lane.announce(campaignId)
  if (written.length === results.length) return

  // Another owner wrote *unknown* for these while we were thought dead.
  const known = new Set(written.map(({ messageId }) => messageId))
  const { organizationId } = lane.key
  for (const { id, createdOn, phone, parts, attempt } of messages) {
    const result = known.has(id) ? undefined : results.find((candidate) => candidate.id === id)
    if (result)
      await applyLateResults(lane.pool, { organizationId, createdOn, campaignId: id, leg: 0 }, [
        { ...result, seq: 0, phone, parts, attempt },
      ])
  }
}

function present({ id, phone, channel, expiresAt, ...single }: ExpressMessage): OutboundMessage {
  return {
    ...getChannel(channel).compileSingle(single),
    reference: formatReference({ campaignId: id, leg: 0, seq: 0 }),
    to: `+${phone}`,
    expiresAt,
  }
}
