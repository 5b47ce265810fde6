import type pg from 'pg'
import { listen } from '../db/listen.ts'
import { isCollision } from '../db/collisions.ts'
import type { Database } from '../db/pool.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { runEvery, type Repeated } from '../lib/background.ts'
import type { Logger } from '../lib/logger.ts'
import { DomainEvent, eventChannel, type EventOf, type EventType } from './domain-events.ts'

export type EventFeed = {
  /**
   * Calls `handle` with each event of a type that commits from now on, roughly in the order of writing. While the database is
   * unavailable the same events are delivered again, so an event may be delivered twice. Events that fail for another reason
   * are logged and skipped, so that they do not block later ones.
   */
  follow<Type extends EventType>(type: Type, handle: (events: EventOf<Type>[]) => Promise<void>): void
  stop(): Promise<void>
}

export type FeedOptions = { database: Database; databaseUrl: string; logger: Logger }

/** Maximum delay of events if a notification is lost. */
const everyMs = 1000

/** This process's feed of events: one listening connection notifies all followers, and each follower has its own cursor. */
export function openEventFeed({ database, databaseUrl, logger }: FeedOptions): EventFeed {
  const followers: Repeated[] = []
  const listener = listen({
    url: databaseUrl,
    channel: eventChannel,
    logger,
    onWake: () => followers.forEach((follower) => follower.now()),
  })
  return {
    follow(type, handle) {
      const look = createFollower({ pool: database.systemPool, logger }, type, handle)
      followers.push(runEvery(everyMs, look, { name: `following ${type}`, logger }))
    },
    async stop() {
      await listener.stop()
      await Promise.all(followers.map((follower) => follower.stop()))
    },
  }
}

/**
 * The cursor is the snapshot of the last read. Events visible now and not in that snapshot are new, whenever their transaction
 * began: late commits are not skipped, and long transactions delay no others.
 */
export function createFollower<Type extends EventType>(
  { pool, logger }: { pool: pg.Pool; logger: Logger },
  type: Type,
  handle: (events: EventOf<Type>[]) => Promise<void>,
): () => Promise<void> {
  let seen: string | undefined

  async function pass(rows: EventRow[]): Promise<void> {
    try {
      await handle(rows.map((row) => parseEvent(type, row)))
    } catch (error) {
      if (isUnavailable(error) || isCollision(error)) throw error
      logger.error(
        { type, events: rows.map(({ id }) => id), err: error },
        'events could not be handled and are skipped',
      )
    }
  }

  return async () => {
    const snapshot = await readSnapshot(pool)
    // A promoted standby may lack its primary's latest transactions, whose ids are then assigned again.
    if (seen === undefined || xmaxOf(snapshot) < xmaxOf(seen)) {
      seen = snapshot
      return
    }
    if (snapshot === seen) return
    let after = 0
    for (;;) {
      const rows = await readEvents(pool, { type, seen, snapshot, after })
      if (rows.length > 0) await pass(rows)
      const last = rows.at(-1)
      if (!last || rows.length < mostAtOnce) break
      after = last.id
    }
    seen = snapshot
  }
}

async function readSnapshot(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
  const [row] = rows
  if (!row) throw new Error('The database returned no snapshot')
  return row.snapshot
}

/** A snapshot is written xmin:xmax:xip; xip lists the transactions in progress between the two. */
function xmaxOf(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? 0)
}

const mostAtOnce = 500

type Window = { type: string; seen: string; snapshot: string; after: number }
type EventRow = { id: number; organizationId: string; subjectIds: string[]; payload: unknown }

/**
 * The events between two snapshots. The index on xid also finds late ones, which the first snapshot lists. The statement has no
 * name, so that it is planned for these snapshots: a generic plan reads all events.
 */
async function readEvents(pool: pg.Pool, { type, seen, snapshot, after }: Window): Promise<EventRow[]> {
  const { rows } = await pool.query<EventRow>({
    text: `select id, organization_id as "organizationId", subject_ids as "subjectIds", payload from domain_events
      where (xid >= pg_snapshot_xmax($1::pg_snapshot) or xid = any (array(select pg_snapshot_xip($1::pg_snapshot))))
        and pg_visible_in_snapshot(xid, $2::pg_snapshot) and type = $3 and id > $4
      order by id limit ${mostAtOnce}`,
    values: [seen, snapshot, type, after],
  })
  return rows
}

function parseEvent<Type extends EventType>(type: Type, { id: _id, ...row }: EventRow): EventOf<Type> {
  // The schema parsed it by this type, so it is the event of this type.
  return DomainEvent.parse({ ...row, type }) as EventOf<Type>
}
