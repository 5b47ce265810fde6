import type pg from 'pg'
import { leaseChunks, leaseLostChunks, releaseChunk, type Chunk, type LaneKey } from './chunks.queries.ts'
import { failPoint } from '../../../lib/fail-points.ts'
import { gatherEntries } from './entries.queries.ts'
import type { LaneContext } from './lane-context.ts'
import { endRecoveryAfterRestore, isAfterRestore } from './lanes.queries.ts'
import { getLeg, type Leg } from './legs.ts'
import { persist } from './persist.ts'
import { recoverChunk } from './recover-chunk.ts'
import { startChunk, type ChunkRun } from './run-chunk.ts'
import { createPriorityRecorder, recoverPriority, runPriority } from '../single-sends/run-priority.ts'
import { createRevoker, recoverRevocations } from './run-revocations.ts'
import { createRetryRecorder, recoverRetries, runRetries, type RetryWork } from './run-retries.ts'

/** The kinds of work of a lane, by the name of the flag that reports it. */
export type Activity = 'hasPriority' | 'hasRetries' | 'hasChunks' | 'hasRevocations'

export type LaneWorkOptions = {
  startCampaign(lane: LaneKey, campaignId: string): Promise<void>
  /**
   * Chunks that are sent at once, so that commits overlap with network time. Chunks that only wait for responses do not count.
   */
  chunksAtOnce: number
}

/**
 * The work of one ownership of a lane: first messages that the previous owner left in flight, then each kind until there is
 * none.
 */
export type OwnedWork = {
  recover(): Promise<void>
  /** Each ends when nothing more is to be sent now; responses may still be pending. */
  activities: Record<Activity, () => Promise<void>>
  /** Every message in flight has its outcome, and every outcome is written. */
  settled(): Promise<void>
  /** The outcomes known now are written. */
  caughtUp(): Promise<void>
  /** Stops waiting for outcomes. */
  abandon(): void
}

/** How often a busy lane checks for recipients that enter a leg. */
const gatherEveryMs = 1000

/** Assumed parts of a retried message, before one was seen. */
const longAtFirst = 4

export function createLaneWork(lane: LaneContext, options: LaneWorkOptions): OwnedWork {
  const { pool, key, session } = lane
  const legs = createLegCache(pool, key)
  let retryNumber = 0
  const nextKey = () => `${key.epoch}.${(retryNumber += 1)}`
  const priority = createPriorityRecorder(lane)
  const retries = createRetryRecorder({ lane, nextKey })
  const begin = createBeginning((campaignId) => options.startCampaign(key, campaignId))
  const parts = { longest: longAtFirst }
  const retryWork = { lane, getLeg: legs.get, begin, nextKey, recorder: retries, parts }
  const revoker = createRevoker(lane)
  const open = new Set<ChunkRun>()
  const canContinue = () => !lane.isClosing() && session.state().ready

  /** Resolves once the chunk sends nothing more. Its last responses are awaited concurrently with the next chunks. */
  async function handOverChunk(chunk: Chunk): Promise<void> {
    const leg = await legs.get(chunk)
    await begin(chunk)
    const run = startChunk({ lane, leg, chunk })
    open.add(run)
    run.ended.catch(lane.fail).finally(() => open.delete(run))
    await run.handedOver
  }

  async function runChunks(): Promise<void> {
    const leaving = new Set<Promise<void>>()
    let gatheredAt = -Infinity
    const lease = async (): Promise<Chunk[]> => {
      if (performance.now() - gatheredAt >= gatherEveryMs) {
        gatheredAt = performance.now()
        const gathered = await persist(() => gatherEntries(pool, key))
        if (gathered > 0) failPoint('after-gather')
      }
      return persist(() => leaseChunks(pool, key, options.chunksAtOnce - leaving.size))
    }
    const start = (chunk: Chunk) => {
      const run = handOverChunk(chunk)
        .catch(lane.fail)
        .finally(() => leaving.delete(run))
      leaving.add(run)
    }
    try {
      for (;;) {
        const chunks = canContinue() ? await lease() : []
        chunks.forEach(start)
        if (leaving.size === 0) return
        if (leaving.size === options.chunksAtOnce || chunks.length === 0) await Promise.race(leaving)
      }
    } finally {
      await Promise.all(leaving)
    }
  }

  return {
    recover: () => recover(retryWork),
    activities: {
      hasPriority: () => repeatWhile(canContinue, () => runPriority(lane, priority)),
      hasRetries: () => repeatWhile(canContinue, () => runRetries(retryWork)),
      hasChunks: runChunks,
      hasRevocations: () => repeatWhile(canContinue, revoker.run),
    },
    async settled() {
      const chunks = [...open].map(({ ended }) => ended)
      await Promise.allSettled([priority.settled(), retries.settled(), ...chunks])
    },
    async caughtUp() {
      await Promise.all([priority, retries, ...open].map((work) => work.caughtUp()))
    },
    abandon() {
      priority.abandon()
      retries.abandon()
      revoker.abandon()
      for (const run of open) run.abandon()
    },
  }
}

/** Messages that the previous owner left in flight. */
async function recover(work: RetryWork): Promise<void> {
  const { lane, getLeg } = work
  const { pool, key } = lane
  // After a restore, messages in flight may be too old for the provider to recognise a repeat.
  const isFirst = await isAfterRestore(pool, key)
  const context = isFirst ? { ...lane, isIdempotent: false } : lane
  await recoverPriority(context)
  await recoverRetries({ ...work, lane: context })
  await recoverRevocations(lane)
  for (const chunk of await leaseLostChunks(pool, key)) {
    await recoverChunk({ lane: context, leg: await getLeg(chunk), chunk })
    await releaseChunk(pool, key, chunk)
  }
  if (isFirst) await endRecoveryAfterRestore(pool, key)
}

/** Runs until there is no more work. */
async function repeatWhile(canContinue: () => boolean, run: () => Promise<boolean>): Promise<void> {
  while (canContinue() && (await run()));
}

/** Legs are frozen while a campaign runs, so each is read once per ownership; a pause may move the campaign's end. */
function createLegCache(pool: pg.Pool, { organizationId }: LaneKey) {
  const legs = new Map<string, Promise<Leg>>()
  return {
    get({ campaignId, leg, runEpoch }: { campaignId: string; leg: number; runEpoch: number }): Promise<Leg> {
      const name = `${campaignId}.${leg}.${runEpoch}`
      const known = legs.get(name)
      if (known) return known
      const loading = getLeg(pool, { organizationId, campaignId, leg, runEpoch })
      legs.set(name, loading)
      loading.catch(() => legs.delete(name))
      if (legs.size > 200) legs.delete(legs.keys().next().value ?? '')
      return loading
    },
  }
}

type CampaignRun = { campaignId: string; runEpoch: number }

/** Marks a campaign as running, once per lane ownership and again after each resume. */
function createBeginning(start: (campaignId: string) => Promise<void>) {
  const begun = new Map<string, number>()
  return async ({ campaignId, runEpoch }: CampaignRun): Promise<void> => {
    if (begun.get(campaignId) === runEpoch) return
    begun.set(campaignId, runEpoch)
    await start(campaignId)
  }
}
