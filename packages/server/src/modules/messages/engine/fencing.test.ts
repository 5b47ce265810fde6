import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SendOutcome } from '../../../channels/provider.ts'
import { asSystem } from '../../../db/pool.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants, getBalance } from '../../balance/index.ts'
import { completeFinished, settleStopped } from '../housekeeping/complete-finished.ts'
import { isInFlight } from './plan-campaign.ts'
import { accept, buildCampaign, buildSender, fakeProvider, startTestSender } from '../test-lane.ts'
import { until } from '../../../testing/until.ts'

let opened: TestDatabase
let manager: Account
let senderId: string

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 30, owner: 3 })
})

afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

beforeEach(async () => {
  manager = await buildManager(opened.database)
  senderId = await buildSender(opened.database, manager)
})

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

const raiseEpoch = (campaignId: string, status: string) =>
  query('update campaigns set status = $2, run_epoch = run_epoch + 1 where id = $1', [campaignId, status])

const countBy = async (campaignId: string) =>
  Object.fromEntries(
    (
      await query<{ status: string; count: number }>(
        'select status, count(*)::int from messages where campaign_id = $1 group by 1',
        [campaignId],
      )
    ).map(({ status, count }) => [status, count]),
  )

test('after a discard was answered nothing is handed over, with four senders, fifty times', async () => {
  for (let round = 0; round < 50; round += 1) {
    const fake = fakeProvider({ window: 50 })
    fake.answer = async (message) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return accept(message)
    }
    const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 3000, chunkSize: 100 })
    const senders = await Promise.all([0, 1, 2, 3].map(() => startTestSender(opened, { provider: fake })))
    await until(() => fake.handedOver.length > 10 * (round % 7), 'sending')
    await raiseEpoch(campaignId, 'cancelled')
    const key = { organizationId: manager.organizationId, campaignId }
    await until(() => asSystem(opened.database, async (db) => !(await isInFlight(db, key))), 'quiet')
    const atAnswer = fake.handedOver.length
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(fake.handedOver.length).toBe(atAnswer)
    await Promise.all(senders.map((sender) => sender.stop()))
    expect(fake.handedOver.length).toBe(atAnswer)
    expect((await countBy(campaignId))['sent'] ?? 0).toBe(atAnswer)
    await settleStopped(opened.database.systemPool)
    const { held } = await asSystem(opened.database, (db) => getBalance(db, manager))
    expect(held).toBe(0)
  }
}, 120_000)

test('an owner taken for dead moves no watermark; its responses still count', async () => {
  const first = fakeProvider({ window: 200 })
  let release = () => {}
  const stuck = new Promise<void>((resolve) => (release = resolve))
  first.answer = async (message): Promise<SendOutcome> => {
    await stuck
    return accept(message)
  }
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 600, chunkSize: 300 })
  const sleeper = await startTestSender(opened, { provider: first, chunksAtOnce: 1 })
  await until(() => first.handedOver.length === 200, 'the first slice')
  // The sleeper's lease runs out while it waits; another process takes the lane.
  await query(
    `update lanes set owner = 'someone else', epoch = epoch + 1, lease_until = now() - interval '1 second' where sender_id = $1`,
    [senderId],
  )
  const second = fakeProvider()
  const nextOwner = await startTestSender(opened, { provider: second })
  await until(async () => (await countBy(campaignId))['sent'] === 400, 'the rest')
  expect(await countBy(campaignId)).toEqual({ sent: 400, unknown: 200 })
  release()
  await until(async () => (await countBy(campaignId))['sent'] === 600, 'the late answers')
  expect(first.handedOver).toHaveLength(200)
  expect(second.handedOver).toHaveLength(400)
  await Promise.all([sleeper.stop(), nextOwner.stop()])
  await completeFinished(opened.database.systemPool)
  const { posted, held } = await asSystem(opened.database, (db) => getBalance(db, manager))
  expect({ posted, held }).toEqual({ posted: 600 * 3000, held: 0 })
})

test('where the provider recognises a repeat, in-flight messages are handed over again', async () => {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 500, chunkSize: 500 })
  await query(
    'insert into lanes (organization_id, sender_id, epoch) values ($1, $2, 7) on conflict (organization_id, sender_id) do update set epoch = 7',
    [manager.organizationId, senderId],
  )
  await query('update chunks set lane_epoch = 7, watermark = 200 where campaign_id = $1', [campaignId])
  const fake = fakeProvider({ idempotent: true })
  const sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await countBy(campaignId))['sent'] === 500, 'the whole')
  await sender.stop()
  expect(fake.handedOver).toHaveLength(500)
})

test('a paused campaign sends nothing, and resumes where it stopped', async () => {
  const fake = fakeProvider({ window: 20 })
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 1000, chunkSize: 100 })
  const sender = await startTestSender(opened, { provider: fake, ratePerSecond: 400 })
  await until(() => fake.handedOver.length > 50, 'the beginning')
  await raiseEpoch(campaignId, 'paused')
  await until(
    () =>
      asSystem(
        opened.database,
        async (db) => !(await isInFlight(db, { organizationId: manager.organizationId, campaignId })),
      ),
    'quiet',
  )
  const atPause = fake.handedOver.length
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(fake.handedOver).toHaveLength(atPause)
  await raiseEpoch(campaignId, 'queued')
  sender.wake()
  await until(async () => (await countBy(campaignId))['sent'] === 1000, 'the rest')
  await sender.stop()
  expect(new Set(fake.handedOver.map(({ reference }) => reference)).size).toBe(1000)
  expect(fake.handedOver).toHaveLength(1000)
})

test('a person who opted out gets no message whose watermark moves after that', async () => {
  const fake = fakeProvider({ window: 20 })
  // With the window full of messages without a response, no slice is being taken while the opt-outs are stored.
  const answered = Promise.withResolvers<void>()
  fake.answer = async (message) => {
    await answered.promise
    return accept(message)
  }
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 600, chunkSize: 600 })
  const sender = await startTestSender(opened, { provider: fake, ratePerSecond: 600 })
  await until(() => fake.handedOver.length === 20, 'the beginning')
  await query(
    `insert into opt_outs (organization_id, channel, phone, keyword) select organization_id, 'sms', phone, 'STOP' from recipients
    where organization_id = $1 and audience_id = (select audience_id from campaigns where id = $2)`,
    [manager.organizationId, campaignId],
  )
  const [chunk] = await query<{ watermark: number }>('select watermark from chunks where campaign_id = $1', [
    campaignId,
  ])
  answered.resolve()
  await until(
    async () => Object.values(await countBy(campaignId)).reduce((sum, count) => sum + count, 0) === 600,
    'the end',
  )
  await sender.stop()
  expect(chunk?.watermark).toBe(20)
  expect(fake.handedOver).toHaveLength(20)
  expect((await countBy(campaignId))['skipped']).toBe(600 - fake.handedOver.length)
})

test('a short campaign does not wait for a long one', async () => {
  const fake = fakeProvider({ window: 10 })
  const long = await buildCampaign(opened.database, { owner: manager, senderId, total: 5000, chunkSize: 50 })
  const short = await buildCampaign(opened.database, { owner: manager, senderId, total: 50, chunkSize: 50 })
  const sender = await startTestSender(opened, { provider: fake, ratePerSecond: 500, chunksAtOnce: 2 })
  await until(async () => (await countBy(short))['sent'] === 50, 'the short one')
  expect((await countBy(long))['sent'] ?? 0).toBeLessThan(2500)
  await sender.stop()
})
