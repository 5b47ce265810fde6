import { listen } from '../../../db/listen.ts'
import { asSystem, type Database } from '../../../db/pool.ts'
import type { Egress } from '../../../egress/egress.ts'
import { inBackground, runEvery } from '../../../lib/background.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { SecretBox } from '../../../lib/secrets.ts'
import { disableEndpoint } from '../disable-endpoint.ts'
import { webhookChannel } from './channel.ts'
import { countResult } from './delivery-metrics.ts'
import type { DeliveryLane, LaneDependencies } from './delivery-lane.ts'
import { createHeldLanes, type HeldLanes } from './held-lanes.ts'
import { claimLanes, readDueDeliveries, releaseLanes, renewLanes, retainDeliveries } from './lanes.queries.ts'
import { createRecorder } from './recorder.ts'

export type DeliveryTiming = {
  /** In milliseconds. */
  poll: number
  /** Leases are renewed and endpoints read again. */
  beat: number
  lease: number
  /** A lane without deliveries is released after this time. */
  rest: number
  /** For the whole response to a request. */
  timeout: number
  /** How long running requests may take when the process stops. */
  grace: number
}

const usual: DeliveryTiming = { poll: 500, beat: 2000, lease: 10_000, rest: 10_000, timeout: 15_000, grace: 5000 }
const claimedAtOnce = 100

export type DeliveryOptions = {
  database: Database
  databaseUrl: string
  logger: Logger
  clock: Clock
  egress: Egress
  secretBox: SecretBox
  /** Shorter in tests. */
  timing?: Partial<DeliveryTiming>
}

export type Deliveries = { stop(): Promise<void> }

/**
 * Sends queued deliveries. An endpoint is a lane: one process owns it by a lease with an epoch, so that its limits hold without shared
 * counters. A delivery leaves the queue with its result, so the deliveries of a process that dies are sent again by the next owner.
 */
export function startDelivering(options: DeliveryOptions): Deliveries {
  const { database, logger } = options
  const pool = database.systemPool
  const timing = { ...usual, ...options.timing }
  const owner = newId()
  let isEnding = false

  const recorder = createRecorder({
    pool,
    logger,
    onStored(results) {
      lanes.settle(results)
      reading.now()
    },
  })
  const lanes = createHeldLanes({
    ...options,
    pool,
    lane: {
      ...options,
      isEnding: () => isEnding,
      timeoutMs: timing.timeout,
      record(result) {
        countResult(result)
        recorder.add(result)
      },
      onRoom: () => reading.now(),
      onDisabled: (key, reason) => disable(options, lanes, { key, reason }),
    },
  })
  const context = { ...options, pool, timing, owner, lanes }
  const reading = runEvery(timing.poll, () => read(context), { name: 'reading due webhooks', logger })
  const wake = () => {
    for (const lane of lanes.list()) lane.wake()
    reading.now()
  }
  const claiming = runEvery(timing.poll, () => claim(context).then(wake), {
    name: 'claiming webhook endpoints',
    logger,
  })
  const beating = runEvery(timing.beat, () => beat(context), { name: 'renewing webhook endpoints', logger })
  const retaining = runEvery(timing.beat, () => retain(context), {
    name: 'keeping webhooks of disabled endpoints',
    logger,
  })
  const listener = listen({
    url: options.databaseUrl,
    channel: webhookChannel,
    logger,
    onWake() {
      wake()
      claiming.now()
    },
  })

  return {
    async stop() {
      await Promise.all([listener, claiming, reading, beating, retaining].map((task) => task.stop()))
      await lanes.closeAll(timing.grace)
      isEnding = true
      await recorder.stop()
      await abandon(context)
    },
  }
}

type Context = DeliveryOptions & {
  pool: Database['systemPool']
  timing: DeliveryTiming
  owner: string
  lanes: HeldLanes
}

async function claim({ pool, owner, clock, timing, lanes }: Context): Promise<void> {
  for (;;) {
    const leasedUntil = performance.now() + timing.lease
    const keys = await claimLanes(pool, { owner, now: clock.now(), leaseMs: timing.lease, limit: claimedAtOnce })
    await lanes.add(keys, leasedUntil)
    if (keys.length < claimedAtOnce) return
  }
}

/** Reads due deliveries for every lane with room, in one statement. */
async function read({ pool, clock, lanes }: Context): Promise<void> {
  const wanting = lanes.list().filter((lane) => lane.wantsMore())
  if (wanting.length > 0) {
    const asked = wanting.map((lane) => ({ key: lane.key, most: lane.beginRead() }))
    const found = await readDueDeliveries(pool, asked, clock.now())
    for (const [index, lane] of wanting.entries()) lane.offer(found[index] ?? [])
  }
  for (const lane of lanes.list()) lane.send()
}

async function beat(context: Context): Promise<void> {
  const { pool, owner, timing, lanes } = context
  const held = lanes.list()
  if (held.length === 0) return
  const leasedUntil = performance.now() + timing.lease
  lanes.renew(await renewLanes(pool, { owner, leaseMs: timing.lease }, keysOf(held)), leasedUntil)
  await lanes.follow()
  await lanes.writeStates()
  const isDone = (lane: DeliveryLane) => lane.isClosed() || lane.isHeld() || hasRested(lane, timing)
  await release(
    context,
    lanes.list().filter((lane) => isAtRest(lane) && !lanes.isShut(lane) && isDone(lane)),
  )
}

/** Apart from the leases, which must not wait for many deliveries. */
async function retain(context: Context): Promise<void> {
  const { pool, lanes, clock } = context
  for (const lane of lanes.list().filter((one) => lanes.isShut(one) && isAtRest(one))) {
    await retainDeliveries(pool, lane.key, clock.now())
    await release(context, [lane])
  }
}

const keysOf = (lanes: readonly DeliveryLane[]) => lanes.map(({ key }) => key)

const isAtRest = (lane: DeliveryLane) => lane.idleSince() !== undefined

function hasRested(lane: DeliveryLane, { rest }: DeliveryTiming): boolean {
  const since = lane.idleSince()
  return since !== undefined && performance.now() - since > rest
}

async function release({ pool, lanes }: Context, released: readonly DeliveryLane[]): Promise<void> {
  for (const lane of released) lane.close()
  await lanes.writeStates()
  lanes.remove(released)
  await releaseLanes(pool, keysOf(released))
}

/** The leases of a process that cannot reach the database run out. */
async function abandon(context: Context): Promise<void> {
  const { lanes, logger } = context
  try {
    await release(context, lanes.list())
  } catch (error) {
    logger.warn({ err: error }, 'webhook endpoints were not released')
  }
}

type Disabled = { key: Parameters<LaneDependencies['onDisabled']>[0]; reason: 'gone' | 'failing' }

function disable({ database, clock, logger }: DeliveryOptions, lanes: HeldLanes, { key, reason }: Disabled): void {
  lanes.closeLane(key)
  const disabling = asSystem(database, (db) => disableEndpoint(db, { ...key, reason, now: clock.now() }))
  inBackground(disabling, { name: 'disabling a webhook endpoint', logger })
}
