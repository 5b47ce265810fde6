import type pg from 'pg'
import { leaseChunks, leaseLostChunks, type Chunk, type LaneKey } from './chunks.queries.ts'
import type { LaneContext } from './lane-context.ts'
import { endRecoveryAfterRestore, isAfterRestore } from './lanes.queries.ts'
import { getLeg, type Leg } from './legs.ts'
import { persist } from './persist.ts'
import { runChunk } from './run-chunk.ts'
import { recoverExpress, runExpress } from './run-express.ts'
import { recoverRetries, runRetries } from './run-retries.ts'

/** What a lane can be busy with, by the name of the flag that says there is such work. */
export type Activity = 'hasExpress' | 'hasRetries' | 'hasChunks'

export type LaneWorkOptions = {
  startCampaign(lane: LaneKey, campaignId: string): Promise<void>
  /** Chunks in the air at once, so that commits overlap with the wire. */
  chunksAtOnce: number
}

/** The work of one ownership of a lane: first what the owner before left in the air, then each kind until there is none. */
export function createLaneWork(
  lane: LaneContext,
  options: LaneWorkOptions,
): { recover(): Promise<void>; activities: Record<Activity, () => Promise<void>> } {
  const { pool, key, session } = lane
  const legs = createLegCache(pool, key)
  let retryNumber = 0
  const retryWork = { lane, getLeg: legs.get, nextKey: () => `${key.epoch}.${(retryNumber += 1)}` }
  const mayGoOn = () => !lane.isClosing() && session.state().ready

  async function runOne(chunk: Chunk, context = lane): Promise<void> {
    const leg = await legs.get(chunk)
    if (legs.isFirst(chunk)) await options.startCampaign(key, chunk.campaignId)
    await runChunk({ lane: context, leg, chunk })
  }

  async function runChunks(): Promise<void> {
    const running = new Set<Promise<unknown>>()
    const failed: unknown[] = []
    // The others end first: a broken lane is opened anew, and nobody may work on a chunk twice.
    const note = (error: unknown): Chunk[] => {
      failed.push(error)
      return []
    }
    const start = (chunk: Chunk) => {
      const work: Promise<unknown> = runOne(chunk)
        .catch(note)
        .finally(() => running.delete(work))
      running.add(work)
    }
    const lease = () => persist(() => leaseChunks(pool, key, options.chunksAtOnce - running.size))
    for (;;) {
      const canLease = mayGoOn() && failed.length === 0
      const chunks = canLease ? await lease().catch(note) : []
      chunks.forEach(start)
      if (running.size === 0) break
      if (running.size === options.chunksAtOnce || chunks.length === 0) await Promise.race(running)
    }
    if (failed.length > 0) throw failed[0]
  }

  async function repeat(run: () => Promise<boolean>): Promise<void> {
    while (mayGoOn() && (await run()));
  }

  return {
    async recover() {
      // After a restore, what was in flight may be too old for the provider to recognise a repeat.
      const isFirst = await isAfterRestore(pool, key)
      const context = isFirst ? { ...lane, isIdempotent: false } : lane
      await recoverExpress(context)
      await recoverRetries({ ...retryWork, lane: context })
      for (const chunk of await leaseLostChunks(pool, key)) await runOne(chunk, context)
      if (isFirst) await endRecoveryAfterRestore(pool, key)
    },
    activities: {
      hasExpress: () => repeat(() => runExpress(lane)),
      hasRetries: () => repeat(() => runRetries(retryWork)),
      hasChunks: runChunks,
    },
  }
}

/** Legs are frozen while a campaign runs, so each is read once an ownership; a pause may move the campaign's end. */
function createLegCache(pool: pg.Pool, { organizationId }: LaneKey) {
  const legs = new Map<string, Promise<Leg>>()
  const seen = new Set<string>()
  return {
    get({ campaignId, leg, runEpoch }: { campaignId: string; leg: number; runEpoch: number }): Promise<Leg> {
      const name = `${campaignId}.${leg}.${runEpoch}`
      const known = legs.get(name)
      if (known) return known
      const loading = getLeg(pool, { organizationId, campaignId, leg })
      legs.set(name, loading)
      loading.catch(() => legs.delete(name))
      if (legs.size > 200) legs.delete(legs.keys().next().value ?? '')
      return loading
    },
    isFirst({ campaignId }: Chunk): boolean {
      if (seen.has(campaignId)) return false
      seen.add(campaignId)
      return true
    },
  }
}
