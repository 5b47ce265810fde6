import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { asSystem, inScope } from '../db/pool.ts'
import { createLogger } from '../lib/logger.ts'
import { newId } from '../lib/ids.ts'
import { buildManager, type Account } from '../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { until } from '../testing/until.ts'
import { consumeEvents, subscribe, sweepFailedEvents, type Consumer, type EventQueue } from './event-queue.ts'
import { recordEvents } from './record-events.ts'
import type { PublishedType } from './domain-events.ts'

let own: TestDatabase
let manager: Account
let stranger: Account
const target = newId()
const queues: EventQueue[] = []

beforeAll(async () => {
  own = await testDatabase({ app: 5, system: 20, owner: 3 })
  manager = await buildManager(own.database)
  stranger = await buildManager(own.database)
  await own.database.ownerPool.query(`
    create table acted (place bigint generated always as identity, queue_id bigint, subject text);
    grant all on acted to carillon_system`)
})
afterAll(() => own.drop())
beforeEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()))
  await own.database.ownerPool.query('truncate acted, event_queue, event_subscriptions')
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await own.database.systemPool.query<Row>(text, values)).rows

const scopeOf = ({ organizationId, path }: Account) => ({ organizationId, path, descends: false })

const want = (...types: PublishedType[]) =>
  inScope(own.database, scopeOf(manager), (db) =>
    subscribe(db, { organizationId: manager.organizationId, subscriber: 'webhooks', target, types }),
  )

/** A process that consumes events. */
function start(consumer: Consumer): void {
  queues.push(
    consumeEvents({
      database: own.database,
      databaseUrl: own.url,
      logger: createLogger('silent'),
      consumers: { webhooks: consumer },
    }),
  )
}

/** Writes down what it acts on, in the transaction of the queue. */
const act: Consumer = async (db, events) => {
  for (const { queueId, subjectIds } of events)
    await sql`insert into acted (queue_id, subject) values (${queueId}, ${subjectIds[0]})`.execute(db)
}

const changed = ({ organizationId }: Account, subject: string) => ({
  type: 'audience.changed' as const,
  organizationId,
  subjectIds: [subject],
  payload: {},
})

const record = (...subjects: string[]) =>
  asSystem(own.database, (db) =>
    recordEvents(
      db,
      subjects.map((subject) => changed(manager, subject)),
    ),
  )

const waiting = async () => (await query<{ count: number }>('select count(*)::int from event_queue'))[0]?.count

test('events are queued in the transaction of the change, for those who subscribed', async () => {
  await want('audience.changed', 'campaign.changed')
  await record(newId())
  await asSystem(own.database, (db) =>
    recordEvents(db, [changed(stranger, newId()), { ...changed(manager, newId()), type: 'agent.changed' }]),
  )
  await asSystem(own.database, async (db) => {
    await recordEvents(db, [changed(manager, newId())])
    throw new Error('rolled back')
  }).catch(() => undefined)
  expect(await query('select subscriber, target, type from event_queue')).toEqual([
    { subscriber: 'webhooks', target, type: 'audience.changed' },
  ])
  await want()
  await record(newId())
  expect(await waiting()).toBe(1)
})

test('two processes whose connections are cut act on each event once, and in order for a subject', async () => {
  await want('audience.changed')
  const subjects = Array.from({ length: 12 }, () => newId())
  start(act)
  start(act)
  for (let number = 1; number <= 300; number += 1) {
    await record(subjects[number % subjects.length] ?? '')
    if (number % 40 === 0)
      await query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%event_queue%'`,
      )
  }
  await until(async () => (await waiting()) === 0, 'the queue to be empty', 20_000)
  const acted = await query<{ queue_id: number; subject: string }>('select queue_id, subject from acted order by place')
  expect(acted).toHaveLength(300)
  for (const ofSubject of Map.groupBy(acted, ({ subject }) => subject).values()) {
    const ids = ofSubject.map(({ queue_id }) => queue_id)
    expect(new Set(ids).size).toBe(25)
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
  }
})

test('an event that fails does not hold up others, is tried again, and is set aside in the end', async () => {
  await want('audience.changed')
  const [bad, good] = [newId(), newId()]
  let isMended = false
  start(async (db, events) => {
    if (!isMended && events.some(({ subjectIds }) => subjectIds.includes(bad))) throw new Error('not yet')
    await act(db, events)
  })
  await record(bad, good)
  await until(async () => (await query('select from acted')).length === 1, 'the other event')
  const [failed] = await query<{ attempts: number; error: string }>('select attempts, error from event_queue')
  expect(failed).toMatchObject({ attempts: 1, error: 'Error: not yet' })

  isMended = true
  await until(async () => (await waiting()) === 0, 'the repeat')
  expect(await query('select subject from acted order by place')).toEqual([{ subject: good }, { subject: bad }])

  isMended = false
  await record(bad)
  await until(async () => (await query('select from event_queue where attempts > 0')).length === 1, 'the first attempt')
  await query('update event_queue set attempts = 11, due_at = now()')
  await until(async () => (await query('select from event_queue where failed_at is not null')).length === 1, 'the last')
  isMended = true
  await asSystem(own.database, sweepFailedEvents)
  expect(await waiting()).toBe(1)
  await query(`update event_queue set failed_at = now() - interval '31 days'`)
  await asSystem(own.database, sweepFailedEvents)
  expect(await waiting()).toBe(0)
})

test('a tenant sees neither the subscriptions nor the events of others, and writes none itself', async () => {
  await want('audience.changed')
  await record(newId())
  const seen = (account: Account) =>
    inScope(own.database, scopeOf(account), async (db) => {
      const subscriptions = await sql`select from event_subscriptions`.execute(db)
      const events = await sql`select from event_queue`.execute(db)
      return [subscriptions.rows.length, events.rows.length]
    })
  expect(await seen(stranger)).toEqual([0, 0])
  expect(await seen(manager)).toEqual([1, 1])
  await expect(
    inScope(own.database, scopeOf(manager), (db) => sql`delete from event_queue`.execute(db)),
  ).rejects.toThrow('permission denied')
  await expect(
    inScope(own.database, scopeOf(stranger), (db) =>
      subscribe(db, {
        organizationId: manager.organizationId,
        subscriber: 'webhooks',
        target: newId(),
        types: ['audience.changed'],
      }),
    ),
  ).rejects.toThrow('row-level security')
})
