import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import type { LaneKey } from './chunks.queries.ts'
import type { Sender } from './sender.ts'
import {
  buildCampaign,
  buildSender,
  fakeProvider,
  isCompleted,
  startTestSender,
  type FakeProvider,
  type TestSenderOptions,
} from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let fake: FakeProvider
let senders: Sender[]
let locks: pg.PoolClient[]

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 20, owner: 8 })
})

afterAll(() => opened.drop())

beforeEach(async () => {
  manager = await buildManager(opened.database)
  fake = fakeProvider()
  senders = []
  locks = []
})

afterEach(async () => {
  await Promise.all(locks.splice(0).map(unlock))
  await Promise.all(senders.map((sender) => sender.stop()))
})

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.ownerPool.query<Row>(text, values)).rows

async function start(options: Partial<TestSenderOptions> = {}): Promise<Sender> {
  const sender = await startTestSender(opened, { provider: fake, ...options })
  senders.push(sender)
  return sender
}

/** Locks rows as another transaction would, until it is unlocked. */
async function lock(text: string, values: unknown[]): Promise<pg.PoolClient> {
  const client = await opened.database.ownerPool.connect()
  locks.push(client)
  await client.query('begin')
  await client.query(text, values)
  return client
}

async function unlock(client: pg.PoolClient) {
  await client.query('rollback')
  client.release()
}

async function release(client: pg.PoolClient) {
  locks.splice(locks.indexOf(client), 1)
  await unlock(client)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const build = (senderId: string, total = 300) =>
  buildCampaign(opened.database, { owner: manager, senderId, total, chunkSize: 100 })
const finish = (campaignId: string) => until(() => isCompleted(opened.database, campaignId), 'the campaign to end')
const isOwned = async (senderId: string) =>
  (await query('select from lanes where sender_id = $1 and owner is not null and lease_until > now()', [senderId]))
    .length > 0
const isFree = async (senderId: string) => !(await isOwned(senderId))
const lockLane = (senderId: string) => lock('select from lanes where sender_id = $1 for update', [senderId])

test('a lane that is claimed while a renewal waits for a locked row is not closed', async () => {
  const locked = await buildSender(opened.database, manager)
  await start()
  await until(() => isOwned(locked), 'the first lane')
  const client = await lockLane(locked)
  await pause(1200)
  const senderId = await buildSender(opened.database, manager)
  const campaignId = await build(senderId)
  await pause(2000)
  await release(client)
  await finish(campaignId)
})

test('a locked lane does not delay the others, and resumes once it is unlocked', async () => {
  const [locked, other] = [await buildSender(opened.database, manager), await buildSender(opened.database, manager)]
  await start()
  await until(async () => (await isOwned(locked)) && (await isOwned(other)), 'both lanes')
  const client = await lockLane(locked)
  await until(() => isFree(locked), 'the lease of the locked lane to run out')
  expect(await isOwned(other)).toBe(true)
  await finish(await build(other))
  await release(client)
  await finish(await build(locked))
})

test('a sender that is locked during its claim does not delay the lanes of others', async () => {
  await start()
  const locked = await buildSender(opened.database, manager)
  const client = await lock('select from senders where id = $1 for update', [locked])
  const senderId = await buildSender(opened.database, manager)
  await finish(await build(senderId))
  await release(client)
  await finish(await build(locked))
})

test('a lane that this process owns but does not run is released', async () => {
  const senderId = await buildSender(opened.database, manager)
  await start()
  await until(() => isOwned(senderId), 'the lane')
  // The state after a claim whose response was lost.
  await query('update lanes set epoch = epoch + 1 where sender_id = $1', [senderId])
  await finish(await build(senderId))
})

test('a connection that cannot be loaded is tried again', async () => {
  const senderId = await buildSender(opened.database, manager)
  let attempts = 0
  const beforeConnecting = async (lane: LaneKey) => {
    if (lane.senderId !== senderId) return
    attempts += 1
    if (attempts < 3) throw new Error('The secrets cannot be opened')
  }
  await start({ beforeConnecting, timing: { rest: 300 } })
  await finish(await build(senderId))
})

test('a lane that never opens is released, and opened by the next attempt', async () => {
  const senderId = await buildSender(opened.database, manager)
  let attempts = 0
  const beforeConnecting = async (lane: LaneKey) => {
    if (lane.senderId === senderId && (attempts += 1) === 1) await new Promise(() => undefined)
  }
  await start({ beforeConnecting, timing: { open: 500, rest: 300 } })
  await finish(await build(senderId))
  expect(attempts).toBe(2)
})

test('a lane that never closes is abandoned, and resumes under its next epoch', async () => {
  const senderId = await buildSender(opened.database, manager)
  const never = new Promise<never>(() => undefined)
  fake.answer = () => never
  const first = await build(senderId, 50)
  await start({ timing: { grace: 200, lease: 2000 } })
  await until(() => fake.handedOver.length === 50, 'the first messages')
  fake.answer = ({ reference }) => ({ kind: 'accepted', providerMessageIds: [`p-${reference}`] })
  // A changed sender closes its lane, which waits for responses that never come.
  await query(`update senders set rate_per_second = rate_per_second + 1 where id = $1`, [senderId])
  const second = await build(senderId, 50)
  await finish(second)
  await finish(first)
  expect(new Set(fake.handedOver.map(({ reference }) => reference)).size).toBe(100)
  expect(fake.handedOver).toHaveLength(100)
})
