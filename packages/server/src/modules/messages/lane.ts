import type { LaneState } from '@carillon/contract/senders'
import type pg from 'pg'
import type { Provider, ProviderEvent, ProviderIo, Session, SessionState } from '../../channels/provider.ts'
import type { Logger } from '../../lib/logger.ts'
import { createAdmission } from './admission.ts'
import { leaseChunks, leaseLostChunks, type Chunk, type LaneKey } from './chunks.queries.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { LaneContext } from './lane-context.ts'
import { getLeg, type Leg } from './legs.ts'
import { releaseLane, writeLaneState, type LaneWork } from './lanes.queries.ts'
import { runChunk } from './run-chunk.ts'
import { recoverExpress, runExpress } from './run-express.ts'
import { recoverRetries, runRetries } from './run-retries.ts'
import { createStopwatch } from './sent-rate.ts'
import { createTokenBucket } from './token-bucket.ts'

/** How a lane reaches its provider. */
export type Connection = {
  provider: Provider<unknown>
  config: unknown
  /** Parts a second agreed with the operator. */
  ratePerSecond: number
  callbackUrl: string
  idempotent: boolean
}

export type LaneDependencies = {
  pool: pg.Pool
  logger: Logger
  io: Pick<ProviderIo, 'clock' | 'egress'>
  loadConnection(lane: LaneKey): Promise<Connection>
  applyEvents(lane: LaneKey, events: ProviderEvent[]): Promise<void>
  announce(lane: LaneKey, campaignId: string): void
  startCampaign(lane: LaneKey, campaignId: string): Promise<void>
  /** Chunks in the air at once, so that commits overlap with the wire. */
  chunksAtOnce: number
  /** The lane cannot go on: give it up and claim it anew, which recovers what was in the air. */
  onBroken(lane: LaneKey, error: unknown): void
}

/** A lane that this process owns: one sender's queue, connection, rate and breaker. */
export type Lane = {
  key: LaneKey
  /** There is something to do. */
  wake(work: Pick<LaneWork, 'hasExpress' | 'hasRetries' | 'hasChunks'>): void
  writeState(): Promise<void>
  /** Takes nothing new. A lane that was lost does not touch the database again. */
  close(why: 'released' | 'lost', graceMs: number): Promise<void>
}

type Activity = 'hasExpress' | 'hasRetries' | 'hasChunks'

export async function openLane(dependencies: LaneDependencies, key: LaneKey): Promise<Lane> {
  const { pool, logger } = dependencies
  const connection = await dependencies.loadConnection(key)
  const sent = createStopwatch()
  let closing = false
  let refusal: LaneState['lastError']
  let writtenState = ''
  const session = connect(dependencies, key, connection)
  const { bucket, admission, breaker } = createFlow(connection, session)
  const context: LaneContext = {
    pool,
    key,
    session,
    isIdempotent: connection.idempotent,
    admission,
    bucket,
    breaker,
    isClosing: () => closing,
    countSent: sent.add,
    noteRefusal: ({ code, detail }) => (refusal = { code, message: detail, at: new Date().toISOString() }),
    announce: (campaignId) => dependencies.announce(key, campaignId),
  }
  const legs = createLegCache(pool, key)
  let retryNumber = 0
  const retryWork = { lane: context, getLeg: legs.get, nextKey: () => `${key.epoch}.${(retryNumber += 1)}` }
  const underWay = new Map<Activity, Promise<void>>()

  async function runChunks(): Promise<void> {
    const running = new Set<Promise<unknown>>()
    const failed: unknown[] = []
    const start = (chunk: Chunk) => {
      const work = runOne(chunk).catch((error: unknown) => failed.push(error))
      running.add(work)
      void work.finally(() => running.delete(work))
    }
    for (;;) {
      const canLease = !closing && failed.length === 0 && session.state().ready
      const chunks = canLease ? await leaseChunks(pool, key, dependencies.chunksAtOnce - running.size) : []
      chunks.forEach(start)
      if (running.size === 0) break
      if (running.size === dependencies.chunksAtOnce || chunks.length === 0) await Promise.race(running)
    }
    if (failed.length > 0) throw failed[0]
  }

  async function runOne(chunk: Chunk): Promise<void> {
    const leg = await legs.get(chunk)
    if (legs.isFirst(chunk)) await dependencies.startCampaign(key, chunk.campaignId)
    await runChunk({ lane: context, leg, chunk })
  }

  async function repeat(run: () => Promise<boolean>): Promise<void> {
    while (!closing && session.state().ready && (await run()));
  }

  async function recover(): Promise<void> {
    await recoverExpress(context)
    await recoverRetries(retryWork)
    for (const chunk of await leaseLostChunks(pool, key)) await runOne(chunk)
  }

  const activities: Record<Activity, () => Promise<void>> = {
    hasExpress: () => repeat(() => runExpress(context)),
    hasRetries: () => repeat(() => runRetries(retryWork)),
    hasChunks: runChunks,
  }

  function begin(activity: Activity) {
    if (closing || underWay.has(activity)) return
    const work = activities[activity]()
      .catch((error: unknown) => {
        if (!closing) dependencies.onBroken(key, error)
      })
      .finally(() => underWay.delete(activity))
    underWay.set(activity, work)
  }

  function describe(): LaneState {
    const state = session.state()
    const allowedPerSecond = Number.isFinite(bucket.allowedPerSecond()) ? bucket.allowedPerSecond() : 0
    return {
      ...present(state, { isHeld: allowedPerSecond === 0, refusal }),
      allowedPerSecond,
      sentPerSecond: sent.lastSecond(),
      queued: 0,
    }
  }

  const recovering = recover().catch((error: unknown) => dependencies.onBroken(key, error))

  return {
    key,
    wake(work) {
      void recovering.then(() => {
        if (work.hasExpress) begin('hasExpress')
        if (work.hasRetries) begin('hasRetries')
        if (work.hasChunks) begin('hasChunks')
      })
    },
    async writeState() {
      const state = describe()
      const text = JSON.stringify(state)
      if (text === writtenState && state.sentPerSecond === 0) return
      writtenState = text
      await writeLaneState(pool, key, { ...state, updatedAt: new Date().toISOString() })
    },
    async close(why, graceMs) {
      closing = true
      bucket.close()
      admission.close()
      await session.close(graceMs)
      await Promise.allSettled([recovering, ...underWay.values()])
      if (why === 'released')
        await releaseLane(pool, key, { ...describe(), status: 'off', binds: [], allowedPerSecond: 0 })
      logger.info({ sender: key.senderId, epoch: key.epoch, why }, 'a lane was closed')
    },
  }
}

function connect(
  { io, applyEvents }: LaneDependencies,
  key: LaneKey,
  { provider, config, callbackUrl }: Connection,
): Session {
  return provider.connect(config, {
    ...io,
    callbackUrl,
    onEvents: (events) => applyEvents(key, events),
    // The state is read once a second; nobody watches closer than that.
    onState: () => undefined,
  })
}

function createFlow({ ratePerSecond }: Connection, session: Session) {
  const bucket = createTokenBucket(ratePerSecond)
  const breaker = createCircuitBreaker()
  return { bucket, breaker, admission: createAdmission({ bucket, breaker, window: session.window }) }
}

/** Legs are frozen while a campaign runs, so each is read once an ownership. */
function createLegCache(pool: pg.Pool, { organizationId }: LaneKey) {
  const legs = new Map<string, Promise<Leg>>()
  const seen = new Set<string>()
  return {
    get({ campaignId, leg }: { campaignId: string; leg: number }): Promise<Leg> {
      const name = `${campaignId}.${leg}`
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

function present(
  { ready, binds, lastError }: SessionState,
  { isHeld, refusal }: { isHeld: boolean; refusal: LaneState['lastError'] },
) {
  const bound = binds.filter(({ status }) => status === 'bound').length
  const connected = bound === binds.length && !isHeld ? ('connected' as const) : ('degraded' as const)
  const error = lastError ? { ...lastError, at: lastError.at.toISOString() } : refusal
  return {
    status: ready ? connected : ('connecting' as const),
    binds: binds.map((bind) => ({ ...bind, since: bind.since.toISOString() })),
    ...(error ? { lastError: error } : {}),
  }
}
