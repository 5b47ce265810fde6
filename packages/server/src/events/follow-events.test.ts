import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem, inScope } from '../db/pool.ts'
import { createLogger } from '../lib/logger.ts'
import { buildManager, type Account } from '../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import type { EventOf } from './domain-events.ts'
import { createFollower, openEventFeed } from './follow-events.ts'
import { recordEvents } from './record-events.ts'

let own: TestDatabase
let manager: Account
let stranger: Account
let handled: string[]
let look: () => Promise<void>

beforeAll(async () => {
  own = await testDatabase()
  manager = await buildManager(own.database)
  stranger = await buildManager(own.database)
})
afterAll(() => own.drop())
beforeEach(async () => {
  handled = []
  look = createFollower(follower(), 'audience.changed', async (events) => {
    handled.push(...events.flatMap(({ subjectIds }) => subjectIds))
  })
  await look()
})

const follower = () => ({ pool: own.database.systemPool, logger: createLogger('silent') })

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

const changed = (number: number): EventOf<'audience.changed'> => ({
  type: 'audience.changed',
  organizationId: manager.organizationId,
  subjectIds: [id(number)],
  payload: {},
})

const record = (...numbers: number[]) => asSystem(own.database, (db) => recordEvents(db, numbers.map(changed)))

/** A transaction that has recorded an event, or only has a number, and stays open until the test ends it. */
async function begin(number?: number): Promise<(end: 'commit' | 'rollback') => Promise<void>> {
  const client = await own.database.connectAsOwner()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  if (number !== undefined)
    await client.query(
      `insert into domain_events (organization_id, type, subject_ids) values ($1, 'audience.changed', $2)`,
      [manager.organizationId, [id(number)]],
    )
  return async (end) => {
    await client.query(end)
    await client.end()
  }
}

test('each event is delivered once, in order, and none from before the start', async () => {
  await record(1, 2)
  await look()
  await record(3)
  await look()
  await look()
  expect(handled).toEqual([id(1), id(2), id(3)])
})

test('a transaction that commits after later ones is not skipped', async () => {
  const end = await begin(1)
  await record(2)
  await look()
  expect(handled).toEqual([id(2)])
  await end('commit')
  await look()
  await look()
  expect(handled).toEqual([id(2), id(1)])
})

test('a long transaction delays no event, and no event is delivered twice meanwhile', async () => {
  const end = await begin()
  await record(1)
  await look()
  await record(2)
  await look()
  await look()
  expect(handled).toEqual([id(1), id(2)])
  await end('commit')
  await look()
  expect(handled).toEqual([id(1), id(2)])
})

test('a rollback leaves no event', async () => {
  const end = await begin(1)
  await look()
  await end('rollback')
  await record(2)
  await look()
  expect(handled).toEqual([id(2)])
})

test('more events than one batch are all delivered', async () => {
  const numbers = Array.from({ length: 1234 }, (_, number) => number)
  await record(...numbers)
  await look()
  expect(handled).toEqual(numbers.map(id))
})

test('an event that failed because the database was unavailable is delivered again', async () => {
  let isAway = true
  const again: string[] = []
  const retrying = createFollower(follower(), 'audience.changed', async (events) => {
    if (isAway) throw Object.assign(new Error('away'), { code: 'ECONNRESET' })
    again.push(...events.flatMap(({ subjectIds }) => subjectIds))
  })
  await retrying()
  await record(1)
  await expect(retrying()).rejects.toThrow('away')
  isAway = false
  await record(2)
  await retrying()
  expect(again).toEqual([id(1), id(2)])
})

test('an event that cannot be read or handled does not delay the following ones', async () => {
  const { organizationId } = manager
  await own.database.ownerPool.query(
    `insert into domain_events (organization_id, type, subject_ids) values ($1, 'audience.changed', '{}')`,
    [organizationId],
  )
  await look()
  await record(1)
  await look()
  expect(handled).toEqual([id(1)])
})

test('a request writes events of its own organisation only, and reads none', async () => {
  const { organizationId, path } = stranger
  const scope = { organizationId, path, descends: false }
  await expect(inScope(own.database, scope, (db) => recordEvents(db, [changed(1)]))).rejects.toThrow(
    'row-level security',
  )
  await inScope(own.database, scope, (db) => recordEvents(db, [{ ...changed(2), organizationId }]))
  await expect(
    inScope(own.database, scope, (db) => db.selectFrom('domain_events').selectAll().execute()),
  ).rejects.toThrow('permission denied')
  await look()
  expect(handled).toEqual([id(2)])
})

test('a commit wakes the followers of every process', async () => {
  const options = { database: own.database, databaseUrl: own.url, logger: createLogger('silent') }
  const feeds = [openEventFeed(options), openEventFeed(options)]
  const received: string[][] = feeds.map(() => [])
  for (const [index, feed] of feeds.entries())
    feed.follow('audience.changed', async (events) => {
      received[index]?.push(...events.flatMap(({ subjectIds }) => subjectIds))
    })
  // The first read of a follower only finds its start position.
  await expect
    .poll(async () => {
      await record(1)
      return received.every((ids) => ids.length > 0)
    })
    .toBe(true)
  await Promise.all(feeds.map((feed) => feed.stop()))
})

test('days before yesterday are dropped, unless the table is locked for long', async () => {
  const days = async () => {
    const { rows } = await own.database.ownerPool.query<{ count: number }>(
      `select count(*)::int as count from pg_inherits where inhparent = 'domain_events'::regclass`,
    )
    return rows[0]?.count ?? 0
  }
  // The database may have been created before midnight.
  await own.database.systemPool.query('select drop_old_events()')
  const before = await days()
  await own.database.ownerPool.query('select ensure_partitions(current_date - 4, current_date - 2)')
  expect(await days()).toBe(before + 3)
  const end = await begin(1)
  await own.database.systemPool.query('select drop_old_events()')
  expect(await days()).toBe(before + 3)
  await end('commit')
  await own.database.systemPool.query('select drop_old_events()')
  expect(await days()).toBe(before)
})
