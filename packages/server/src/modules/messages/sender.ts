import { hostname } from 'node:os'
import type pg from 'pg'
import { listen } from '../../db/listen.ts'
import type { Database } from '../../db/pool.ts'
import { inBackground, runEvery } from '../../lib/background.ts'
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
      inBackground(close(key, 'released'), { name: 'closing a lane', logger })
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
      if (!work.isActive || owned.version !== work.version)
        inBackground(close(owned.key, 'released'), { name: 'closing a lane', logger })
      // A lane that could not be opened is dealt with where it was opened.
      else owned.lane.then((lane) => lane.wake(work)).catch(() => undefined)
    }
  }

  async function renew(): Promise<void> {
    // A lane claimed while the query runs is not in its answer.
    const held = [...lanes.values()]
    const kept = new Map((await renewLanes(pool, owner)).map((key) => [key.senderId, key.epoch]))
    for (const { key } of held)
      if (kept.get(key.senderId) !== key.epoch) inBackground(close(key, 'lost'), { name: 'closing a lane', logger })
    for (const { lane } of lanes.values()) lane.then((opened) => opened.writeState()).catch(() => undefined)
  }

  const polling = runEvery(pollMs, poll, { name: 'looking for lanes with work', logger })
  const renewing = runEvery(renewMs / 2, renew, { name: 'renewing the leases of lanes', logger })
  const listener = listen({ url: dependencies.databaseUrl, channel: 'carillon_lanes', logger, onWake: polling.now })

  return {
    wake: polling.now,
    async stop() {
      stopping = true
      await listener.stop()
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
