import { hostname } from 'node:os'
import pg from 'pg'
import type { Database } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { openLane, type Lane, type LaneDependencies } from './lane.ts'
import type { LaneKey } from './chunks.queries.ts'
import { claimLanes, findLaneWork, releaseLane, renewLanes } from './lanes.queries.ts'

export type SenderDependencies = Pick<LaneDependencies, 'logger' | 'io' | 'loadConnection' | 'applyEvents'> & {
  database: Database
  /** For wake-ups; polling is the truth. */
  databaseUrl: string
  /** The numbers of these campaigns changed; told at most four times a second. */
  onStatusChange(change: { organizationId: string; campaignIds: string[] }): void
  /** The first chunk of a queued campaign was leased: it runs. */
  onCampaignStarted?(campaign: { organizationId: string; campaignId: string }): Promise<void>
  /** A provider limits this sender for complaints; told with each batch that it refuses for that. */
  onSenderLimited?(sender: { organizationId: string; senderId: string }): Promise<void>
  chunksAtOnce?: number
  maximumLanes?: number
}

export type Sender = {
  /** Looks for work now instead of with the next poll. */
  wake(): void
  /** Takes nothing new, waits for what is in the air, gives its lanes back. */
  stop(): Promise<void>
}

const pollMs = 500
const renewMs = 2000
const graceMs = 10_000

/** The sending role of a process: owns lanes while it lives, and sends what stands in their queues. */
export async function startSender(dependencies: SenderDependencies): Promise<Sender> {
  const { database, logger } = dependencies
  const pool = database.systemPool
  const owner = `${hostname()}.${process.pid}.${newId().slice(-6)}`
  const lanes = new Map<string, { lane: Promise<Lane>; key: LaneKey; version: string | undefined }>()
  const announcements = createAnnouncements(dependencies)
  let stopping = false
  const laneDependencies: LaneDependencies = {
    pool,
    logger,
    io: dependencies.io,
    loadConnection: dependencies.loadConnection,
    applyEvents: dependencies.applyEvents,
    announce: announcements.add,
    onLimited: (lane) => tellLimited(dependencies, lane),
    startCampaign: (lane, campaignId) => startCampaign(dependencies, lane, campaignId),
    chunksAtOnce: dependencies.chunksAtOnce ?? 4,
    onBroken(key, error) {
      logger.error({ sender: key.senderId, err: error }, 'a lane broke and is opened anew')
      void close(key, 'released')
    },
  }

  async function close(key: LaneKey, why: 'released' | 'lost'): Promise<void> {
    const owned = lanes.get(key.senderId)
    if (!owned || owned.key.epoch !== key.epoch) return
    lanes.delete(key.senderId)
    const lane = await owned.lane.catch(() => undefined)
    await lane
      ?.close(why, graceMs)
      .catch((error: unknown) => logger.warn({ sender: key.senderId, err: error }, 'a lane closed badly'))
  }

  function open(key: LaneKey) {
    const lane = openLane(laneDependencies, key)
    lanes.set(key.senderId, { lane, key, version: undefined })
    lane.catch(async (error: unknown) => {
      logger.error({ sender: key.senderId, err: error }, 'a lane could not be opened')
      lanes.delete(key.senderId)
      // Kept until its lease runs out, so that a sender that cannot work is not tried in a tight circle.
      await releaseLaneLater(pool, key, error)
    })
  }

  async function poll(): Promise<void> {
    if (stopping) return
    for (const key of await claimLanes(pool, owner, (dependencies.maximumLanes ?? 200) - lanes.size)) open(key)
    for (const work of await findLaneWork(pool, owner)) {
      const owned = lanes.get(work.senderId)
      if (!owned || owned.key.epoch !== work.epoch) continue
      owned.version ??= work.version
      if (!work.isActive || owned.version !== work.version) void close(owned.key, 'released')
      else void owned.lane.then((lane) => lane.wake(work)).catch(() => undefined)
    }
  }

  async function renew(): Promise<void> {
    const kept = new Map((await renewLanes(pool, owner)).map((key) => [key.senderId, key.epoch]))
    for (const { key } of lanes.values()) if (kept.get(key.senderId) !== key.epoch) void close(key, 'lost')
    for (const { lane } of lanes.values()) void lane.then((opened) => opened.writeState()).catch(() => undefined)
  }

  const polling = createBeat(pollMs, poll, (error) =>
    logger.warn({ err: error }, 'the senders could not look for work'),
  )
  const renewing = createBeat(renewMs / 2, renew, (error) =>
    logger.warn({ err: error }, 'the senders could not renew their leases'),
  )
  const listener = createListener(dependencies.databaseUrl, polling.now)
  polling.now()

  return {
    wake: polling.now,
    async stop() {
      stopping = true
      listener.stop()
      await polling.stop()
      await Promise.all([...lanes.values()].map(({ key }) => close(key, 'released')))
      await renewing.stop()
      announcements.flush()
    },
  }
}

async function releaseLaneLater(pool: pg.Pool, key: LaneKey, error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  const lastError = { code: 'setup', message, at: new Date().toISOString() }
  await new Promise((resolve) => setTimeout(resolve, 3000).unref())
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
  const { rowCount } = await database.systemPool.query(
    `update campaigns set status = 'running', started_at = coalesce(started_at, now()), updated_at = now()
    where organization_id = $1 and id = $2 and status = 'queued'`,
    [organizationId, campaignId],
  )
  if (rowCount) await onCampaignStarted?.({ organizationId, campaignId })
}

function tellLimited({ logger, onSenderLimited }: SenderDependencies, { organizationId, senderId }: LaneKey) {
  onSenderLimited?.({ organizationId, senderId }).catch((error: unknown) => {
    logger.error({ sender: senderId, err: error }, 'the campaigns of a limited sender could not be paused')
  })
}

/** Gathers campaigns whose numbers changed and tells them together, four times a second. */
function createAnnouncements({ onStatusChange }: SenderDependencies) {
  const changed = new Map<string, Set<string>>()
  let timer: NodeJS.Timeout | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    for (const [organizationId, campaignIds] of changed)
      onStatusChange({ organizationId, campaignIds: [...campaignIds] })
    changed.clear()
  }

  return {
    flush,
    add({ organizationId }: LaneKey, campaignId: string) {
      const campaigns = changed.get(organizationId) ?? new Set()
      changed.set(organizationId, campaigns.add(campaignId))
      timer ??= setTimeout(flush, 250)
    },
  }
}

/** Runs work at a beat, or now; never twice at once. */
function createBeat(everyMs: number, work: () => Promise<void>, onError: (error: unknown) => void) {
  let stopped = false
  let again = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function now() {
    if (stopped) return
    if (running) {
      again = true
      return
    }
    clearTimeout(timer)
    again = false
    running = work()
      .catch(onError)
      .finally(() => {
        running = undefined
        if (stopped) return
        if (again) now()
        else timer = setTimeout(now, everyMs)
      })
  }

  timer = setTimeout(now, everyMs)
  return {
    now,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** A connection of its own that hears wake-ups. When it breaks, polling goes on and it is opened again. */
function createListener(databaseUrl: string, onWake: () => void) {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function listen() {
    const next = new pg.Client({ connectionString: databaseUrl, application_name: 'carillon lanes', keepAlive: true })
    client = next
    next.on('error', () => again(next))
    next.on('end', () => again(next))
    next.on('notification', onWake)
    await next.connect()
    await next.query('listen carillon_lanes')
  }

  function again(broken: pg.Client | undefined) {
    if (stopped || client !== broken) return
    client = undefined
    timer = setTimeout(() => void listen().catch(() => again(client)), 2000)
  }

  listen().catch(() => again(client))
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      void client?.end().catch(() => undefined)
    },
  }
}
