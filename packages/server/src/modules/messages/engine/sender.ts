import { hostname } from 'node:os'
import type pg from 'pg'
import { listen } from '../../../db/listen.ts'
import type { Database } from '../../../db/pool.ts'
import { inBackground, runEvery } from '../../../lib/background.ts'
import { newId } from '../../../lib/ids.ts'
import type { RestoreGuard } from '../../restores/index.ts'
import { openLane, type LaneDependencies, type LaneMeasure } from './lane.ts'
import type { LaneKey } from './chunks.queries.ts'
import type { LaneTiming } from './held-lane.ts'
import { laneChannel } from './lane-channel.ts'
import { createHeldLanes, type HeldLanes } from './held-lanes.ts'
import {
  abandonLanes,
  addLanes,
  claimLanes,
  countWaitingLanes,
  findLaneWork,
  releaseLane,
  renewLanes,
} from './lanes.queries.ts'
import type { Queryable } from '../statements.ts'

export type SenderDependencies = Pick<LaneDependencies, 'logger' | 'io' | 'loadConnection' | 'applyEvents'> & {
  database: Database
  /** For notifications; polling alone would be sufficient. */
  databaseUrl: string
  /** The first chunk of a queued campaign was leased: the campaign is running. */
  onCampaignStarted?(campaign: { organizationId: string; campaignId: string }): Promise<void>
  /** A provider limits this sender because of complaints; called for each batch it rejects for that reason. */
  onSenderLimited?(sender: { organizationId: string; senderId: string }): Promise<void>
  /** A provider rejects the credentials of this sender's account; called for each batch. */
  onSenderRefused?(refused: { organizationId: string; senderId: string; code: string; detail: string }): Promise<void>
  /** A provider accepts messages of this sender. */
  onSenderAccepted?(sender: { organizationId: string; senderId: string }): Promise<void>
  /** Recognises restored databases; without it, as in a benchmark, only a pause is obeyed. */
  guard?: Pick<RestoreGuard, 'currentPosition' | 'noteLanes'>
  chunksAtOnce?: number
  maximumLanes?: number
  /** Shorter in tests, where lanes change owners often. */
  timing?: Partial<LaneTiming>
}

export type Sender = {
  /** Checks for work now instead of at the next poll. */
  wake(): void
  /** One for each lane of this process; undefined for those that are not open yet. */
  measureLanes(): (LaneMeasure | undefined)[]
  /**
   * Resolves when the outcomes of this sender's messages that are known now are written. A report that is applied earlier does not find
   * its message, and has to be stored until it does. Resolves at once if another process sends for it.
   */
  caughtUp(senderId: string): Promise<void>
  /** Takes no new work, waits for messages in flight, releases its lanes. */
  stop(): Promise<void>
}

const timing: LaneTiming = { lease: 6000, poll: 500, open: 10_000, grace: 10_000, rest: 3000 }

/** Maximum number of idle lanes released per poll. */
const mostAtOnce = 20

/** The sender role of a process: owns lanes and sends their queued messages. */
export async function startSender(dependencies: SenderDependencies): Promise<Sender> {
  const { database, logger, guard, maximumLanes = 200 } = dependencies
  const pool = database.systemPool
  const times = { ...timing, ...dependencies.timing }
  const owner = `${hostname()}.${process.pid}.${newId().slice(-6)}`
  const leaseConnection = holdConnection(pool)
  const record = (what: string, work = Promise.resolve()) => inBackground(work, { name: `recording ${what}`, logger })
  let stopping = false
  const laneDependencies: LaneDependencies = {
    pool,
    logger,
    io: dependencies.io,
    loadConnection: dependencies.loadConnection,
    applyEvents: dependencies.applyEvents,
    onLimited: (lane) => reportLimited(dependencies, lane),
    onRefused: ({ organizationId, senderId }, { code, message: detail }) =>
      record('a refusal of credentials', dependencies.onSenderRefused?.({ organizationId, senderId, code, detail })),
    onAccepted: ({ organizationId, senderId }) =>
      record('that a provider accepts messages', dependencies.onSenderAccepted?.({ organizationId, senderId })),
    startCampaign: (lane, campaignId) => startCampaign(dependencies, lane, campaignId),
    chunksAtOnce: dependencies.chunksAtOnce ?? 4,
    onBroken(key, error) {
      logger.error({ sender: key.senderId, err: error }, 'a lane failed and is reopened')
      inBackground(lanes.release(key), { name: 'closing a lane', logger })
    },
  }
  const lanes = createHeldLanes({
    open: (key) => openLane(laneDependencies, key),
    onUnopened: (key, error) => releaseUnopened(pool, key, error),
    logger,
    timing: times,
  })

  const claim = createClaiming({ pool, owner, leaseMs: times.lease, maximumLanes, guard, lanes })

  async function poll(): Promise<void> {
    if (stopping) return
    await claim()
    const before = lanes.list()
    const strays = lanes.follow(before, await findLaneWork(pool, owner))
    if (strays.length > 0) await abandonLanes(pool, strays)
    if (await addLanes(pool)) polling.now()
  }

  async function renew(): Promise<void> {
    await leaseConnection.use(async (db) => {
      const askedAt = performance.now()
      const renewed = await renewLanes(db, { owner, leaseMs: times.lease }, lanes.list())
      lanes.renew(renewed, askedAt + times.lease)
    })
    lanes.writeStates()
  }

  const polling = runEvery(times.poll, poll, { name: 'looking for lanes with work', logger })
  const renewing = runEvery(times.lease / 6, renew, { name: 'renewing the leases of lanes', logger })
  // Does not wait for the database, so that a lane is given up before its lease can expire there.
  const inspecting = runEvery(times.lease / 24, async () => lanes.inspect(), { name: 'inspecting lanes', logger })
  const listener = listen({ url: dependencies.databaseUrl, channel: laneChannel, logger, onWake: polling.now })

  return {
    wake: polling.now,
    measureLanes: lanes.measure,
    caughtUp: lanes.caughtUp,
    async stop() {
      stopping = true
      await listener.stop()
      await polling.stop()
      await lanes.close()
      await renewing.stop()
      await inspecting.stop()
      leaseConnection.close()
    },
  }
}

type Claiming = {
  pool: pg.Pool
  owner: string
  leaseMs: number
  maximumLanes: number
  guard: SenderDependencies['guard']
  lanes: HeldLanes
}

/** Claims free lanes up to the maximum. With more senders than that, idle lanes are released for those with work. */
function createClaiming({ pool, owner, leaseMs, maximumLanes, guard, lanes }: Claiming): () => Promise<void> {
  /** Lanes with work are about to be claimed: idle ones are not. */
  let isFull = false

  async function makeRoom(): Promise<void> {
    const waiting = await countWaitingLanes(pool, mostAtOnce)
    if (waiting === 0) return
    isFull = true
    lanes.releaseIdle(waiting)
  }

  return async () => {
    const limit = maximumLanes - lanes.count()
    if (limit <= 0) return makeRoom()
    const askedAt = performance.now()
    const terms = { owner, leaseMs, limit, except: lanes.unclaimable(), withWorkOnly: isFull }
    const claimed = await claimLanes(pool, { ...terms, currentPosition: guard?.currentPosition() })
    if (claimed.length === 0) isFull = false
    guard?.noteLanes(claimed)
    lanes.add(claimed, askedAt + leaseMs)
  }
}

/** A dedicated connection, so that leases are renewed even if the pool is exhausted. */
function holdConnection(pool: pg.Pool) {
  let client: pg.PoolClient | undefined

  function close(isBroken = false) {
    client?.release(isBroken)
    client = undefined
  }

  return {
    close,
    async use(work: (db: Queryable) => Promise<void>): Promise<void> {
      client ??= await pool.connect()
      try {
        await work(client)
      } catch (error) {
        close(true)
        throw error
      }
    },
  }
}

async function releaseUnopened(pool: pg.Pool, key: LaneKey, error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  const lastError = { code: 'setup', message, at: new Date().toISOString() }
  await releaseLane(pool, key, {
    status: 'stopped',
    binds: [],
    allowedPerSecond: 0,
    sentPerSecond: 0,
    queued: 0,
    lastError,
  }).catch(() => undefined)
}

async function startCampaign(
  { database, onCampaignStarted }: SenderDependencies,
  { organizationId }: LaneKey,
  campaignId: string,
): Promise<void> {
  const { rows } = await database.systemPool.query<{ moved: boolean }>(
    `select move_campaign($1, $2, 'running') as moved`,
    [organizationId, campaignId],
  )
  if (rows[0]?.moved) await onCampaignStarted?.({ organizationId, campaignId })
}

function reportLimited({ logger, onSenderLimited }: SenderDependencies, { organizationId, senderId }: LaneKey) {
  onSenderLimited?.({ organizationId, senderId }).catch((error: unknown) => {
    logger.error({ sender: senderId, err: error }, 'the campaigns of a limited sender could not be paused')
  })
}
