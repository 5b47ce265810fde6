import { sql } from 'kysely'
import { listen } from '../db/listen.ts'
import { isCollision } from '../db/collisions.ts'
import { asSystem, type Database, type Db } from '../db/pool.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { runEvery, type Repeated } from '../lib/background.ts'
import { failPoint } from '../lib/fail-points.ts'
import type { Logger } from '../lib/logger.ts'
import { eventChannel, PublishedEvent, type PublishedType } from './domain-events.ts'

/** The parts of the program that act on events. */
export type Subscriber = 'webhooks' | 'smpp' | 'workflows' | 'agents'

/** Who wants which events; `target` is what the subscriber acts for, such as an endpoint. */
export type Subscription = {
  organizationId: string
  subscriber: Subscriber
  target: string
  types: readonly PublishedType[]
}

/** Subscribes from the commit on, or changes the types; without types it unsubscribes. */
export async function subscribe(db: Db, { organizationId, subscriber, target, types }: Subscription): Promise<void> {
  if (types.length === 0) {
    await db
      .deleteFrom('event_subscriptions')
      .where('organization_id', '=', organizationId)
      .where('subscriber', '=', subscriber)
      .where('target', '=', target)
      .execute()
    return
  }
  await db
    .insertInto('event_subscriptions')
    .values({ organization_id: organizationId, subscriber, target, types: [...types] })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'subscriber', 'target']).doUpdateSet({ types: [...types] }),
    )
    .execute()
}

export type QueuedEvent = PublishedEvent & {
  /** Unique in the organisation. A repeated attempt has the same one. */
  queueId: number
  target: string
  at: Date
}

/** Acts on events in the transaction that removes them from the queue. Slow work is only enqueued here. */
export type Consumer = (db: Db, events: readonly QueuedEvent[]) => Promise<void>

export type EventQueue = { stop(): Promise<void> }

type Options = {
  database: Database
  databaseUrl: string
  logger: Logger
  consumers: Partial<Record<Subscriber, Consumer>>
}

const everyMs = 500
const mostAtOnce = 200
/** Shards that a process works on at the same time. */
const atOnce = 2

/**
 * Passes queued events to their consumers, each once: a shard is locked by the transaction that takes its oldest events, acts on them and
 * deletes them. If a process dies, the transaction is rolled back and another process takes the shard. An event that fails is
 * tried again later, up to `maximumAttempts`, and does not hold up the others.
 */
export function consumeEvents({ database, databaseUrl, logger, consumers }: Options): EventQueue {
  const work = { database, logger, consumers }
  const loops: Repeated[] = Array.from({ length: atOnce }, (_, index) =>
    runEvery(everyMs, () => workOff(work), { name: `event queue ${index + 1}`, logger }),
  )
  const listener = listen({
    url: databaseUrl,
    channel: eventChannel,
    logger,
    onWake: () => loops.forEach((loop) => loop.now()),
  })
  return {
    async stop() {
      await listener.stop()
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

type Work = Omit<Options, 'databaseUrl'>

/** Works until no shard that is free has events. */
async function workOff(work: Work): Promise<void> {
  for (;;) {
    const shards = await findShards(work)
    let passed = 0
    for (const shard of shards) passed += await takeShard(work, shard)
    if (passed === 0) return
  }
}

/** In a random order, so that processes meet rarely. */
async function findShards({ database, consumers }: Work): Promise<number[]> {
  const { rows } = await asSystem(database, (db) =>
    sql<{ shard: number }>`
      select shard from generate_series(0, 63) as shard
      where exists (select from event_queue where event_queue.shard = shard.shard and failed_at is null and due_at <= now()
        and subscriber = any(${Object.keys(consumers)}))
      order by random()`.execute(db),
  )
  return rows.map(({ shard }) => shard)
}

const lockClass = 71_930

/** Returns the number of events that were taken. */
async function takeShard(work: Work, shard: number): Promise<number> {
  return asSystem(work.database, async (db) => {
    const locked = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(lockClass)}, ${shard}) as "isMine"`.execute(db)
    if (!locked.rows[0]?.isMine) return 0
    const rows = await readOldest(db, { shard, subscribers: Object.keys(work.consumers) })
    for (const [subscriber, ofSubscriber] of Map.groupBy(rows, (row) => row.subscriber)) {
      await pass(db, work, { subscriber, rows: ofSubscriber })
    }
    failPoint('before-events-are-done')
    return rows.length
  })
}

type Row = {
  organizationId: string
  queueId: number
  subscriber: Subscriber
  target: string
  type: string
  subjectIds: string[]
  payload: unknown
  at: Date
  attempts: number
}

async function readOldest(
  db: Db,
  { shard, subscribers }: { shard: number; subscribers: readonly string[] },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select organization_id as "organizationId", id as "queueId", subscriber, target, type, subject_ids as "subjectIds", payload, at, attempts
    from event_queue
    where shard = ${shard} and failed_at is null and due_at <= now() and subscriber = any(${subscribers})
    order by id limit ${sql.lit(mostAtOnce)}`.execute(db)
  return rows
}

type Batch = { subscriber: Subscriber; rows: readonly Row[] }

/** Passes all of them together; if that fails, each alone. */
async function pass(db: Db, work: Work, { subscriber, rows }: Batch): Promise<void> {
  const error = await tryToPass(db, work, { subscriber, rows })
  if (error === undefined) return remove(db, rows)
  if (rows.length > 1) {
    for (const row of rows) await pass(db, work, { subscriber, rows: [row] })
    return
  }
  const [row] = rows
  if (row) await postpone(db, work.logger, { row, error })
}

/** Returns the error of the events. Errors of the database are thrown: all is tried again. */
async function tryToPass(db: Db, { consumers }: Work, { subscriber, rows }: Batch): Promise<unknown> {
  await sql`savepoint passing`.execute(db)
  try {
    await consumers[subscriber]?.(db, rows.map(parseRow))
    await sql`release savepoint passing`.execute(db)
    return undefined
  } catch (error) {
    if (isUnavailable(error) || isCollision(error)) throw error
    await sql`rollback to savepoint passing`.execute(db)
    return error
  }
}

function parseRow({ organizationId, queueId, target, type, subjectIds, payload, at }: Row): QueuedEvent {
  return { ...PublishedEvent.parse({ organizationId, type, subjectIds, payload }), queueId, target, at }
}

async function remove(db: Db, rows: readonly Row[]): Promise<void> {
  await sql`delete from event_queue using unnest(${rows.map(({ organizationId }) => organizationId)}::uuid[],
      ${rows.map(({ queueId }) => queueId)}::bigint[]) as done (organization_id, id)
    where event_queue.organization_id = done.organization_id and event_queue.id = done.id`.execute(db)
}

/** Over half a day in all. */
const maximumAttempts = 12

async function postpone(db: Db, logger: Logger, { row, error }: { row: Row; error: unknown }): Promise<void> {
  const { organizationId, queueId, subscriber, target, type, attempts } = row
  const isLast = attempts + 1 >= maximumAttempts
  const about = { organizationId, queueId, subscriber, target, type, attempts: attempts + 1, err: error }
  logger.error(about, isLast ? 'an event could not be acted on and is set aside' : 'an event could not be acted on')
  await sql`update event_queue set attempts = attempts + 1, error = ${String(error).slice(0, 1000)},
      due_at = now() + least(power(3, attempts), 21600) * interval '1 second', failed_at = ${isLast ? sql`now()` : null}
    where organization_id = ${organizationId}::uuid and id = ${queueId}`.execute(db)
}

/** Set-aside events are kept for 30 days. */
export async function sweepFailedEvents(db: Db): Promise<void> {
  await sql`delete from event_queue where failed_at < now() - interval '30 days'`.execute(db)
}
