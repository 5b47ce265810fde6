import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SendOutcome } from '../../../channels/provider.ts'
import { asSystem, inScope } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { setSmsPrice } from '../../../testing/money.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants, getBalance } from '../../balance/index.ts'
import { settleStopped } from '../housekeeping/complete-finished.ts'
import { isInFlight } from './plan-campaign.ts'
import { sendSingle } from '../single-sends/send-single.ts'
import {
  accept,
  buildCampaign,
  buildLane,
  fakeProvider,
  isCompleted,
  phoneOf,
  startTestSender,
  type FakeProvider,
} from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider
let release: () => void

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 20, owner: 3 })
})

afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

beforeEach(async () => {
  ;({ manager, senderId, fake } = await buildLane(opened.database, { window: 60 }))
  delayAnswers(fake, (seq) => seq % 50 === 7)
})

const seqOf = (to: string) => Number(to.slice(1)) - phoneOf(0)

/** The provider answers these only once they are released. */
function delayAnswers(provider: FakeProvider, isSlow: (seq: number) => boolean) {
  const { promise, resolve } = Promise.withResolvers<void>()
  release = resolve
  provider.answer = async (message): Promise<SendOutcome> => {
    if (isSlow(seqOf(message.to))) await promise
    return accept(message)
  }
}

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

const countBy = async (campaignId: string) =>
  Object.fromEntries(
    (
      await query<{ status: string; count: number }>(
        'select status, count(*)::int from messages where campaign_id = $1 group by 1',
        [campaignId],
      )
    ).map(({ status, count }) => [status, count]),
  )

const chunksOf = (campaignId: string) =>
  query<{ watermark: number; recorded: number; hi: number; lane_epoch: number; done: boolean }>(
    'select watermark, recorded, hi, lane_epoch, done_at is not null as done from chunks where campaign_id = $1 order by chunk_no',
    [campaignId],
  )

test('slow responses delay neither their slice, nor their chunk, nor the next chunks', async () => {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 1000, chunkSize: 100 })
  const sender = await startTestSender(opened, { provider: fake, chunksAtOnce: 2 })
  await until(async () => (await countBy(campaignId))['sent'] === 980, 'everybody else')
  expect(fake.handedOver).toHaveLength(1000)
  expect(await isCompleted(opened.database, campaignId)).toBe(false)
  // Records end before the first message without a result, in every chunk.
  expect(await chunksOf(campaignId)).toEqual(
    Array.from({ length: 10 }, (_, index) =>
      expect.objectContaining({ recorded: index * 100 + 7, watermark: index * 100 + 100, done: false }),
    ),
  )
  release()
  await until(() => isCompleted(opened.database, campaignId), 'completion')
  await sender.stop()
  expect(await countBy(campaignId)).toEqual({ sent: 1000 })
  expect(new Set(fake.handedOver.map(({ to }) => to)).size).toBe(1000)
  const { posted, held } = await asSystem(opened.database, (db) => getBalance(db, manager))
  expect({ posted, held }).toEqual({ posted: 1000 * 3000, held: 0 })
})

test('a window full of slow responses lets nothing more leave', async () => {
  delayAnswers(fake, () => true)
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 400, chunkSize: 40 })
  const sender = await startTestSender(opened, { provider: fake })
  await until(() => fake.handedOver.length === 60, 'a full window')
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(fake.handedOver).toHaveLength(60)
  release()
  await until(() => isCompleted(opened.database, campaignId), 'completion')
  await sender.stop()
  expect(fake.handedOver).toHaveLength(400)
})

test('a slice recorded in part: the next owner accounts for the rest, and late responses count', async () => {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 300, chunkSize: 300 })
  const sleeper = await startTestSender(opened, { provider: fake, chunksAtOnce: 1 })
  await until(async () => (await countBy(campaignId))['sent'] === 294, 'everybody else')
  await query(
    `update lanes set owner = 'another', epoch = epoch + 1, lease_until = now() - interval '1 second' where sender_id = $1`,
    [senderId],
  )
  const second = fakeProvider()
  const nextOwner = await startTestSender(opened, { provider: second })
  await until(async () => (await countBy(campaignId))['unknown'] === 6, 'the unknown ones')
  expect(await countBy(campaignId)).toEqual({ sent: 294, unknown: 6 })
  expect(second.handedOver).toEqual([])
  release()
  await until(async () => (await countBy(campaignId))['sent'] === 300, 'the late answers')
  await until(() => isCompleted(opened.database, campaignId), 'completion')
  await Promise.all([sleeper.stop(), nextOwner.stop()])
  const { posted, held } = await asSystem(opened.database, (db) => getBalance(db, manager))
  expect({ posted, held }).toEqual({ posted: 300 * 3000, held: 0 })
})

test('a chunk of a paused campaign is not leased again while its responses are awaited', async () => {
  fake = fakeProvider({ window: 30 })
  delayAnswers(fake, (seq) => seq === 3)
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 400, chunkSize: 400 })
  const sender = await startTestSender(opened, { provider: fake, ratePerSecond: 200, chunksAtOnce: 1 })
  await until(() => fake.handedOver.length > 60, 'the beginning')
  await query(`update campaigns set status = 'paused', run_epoch = run_epoch + 1 where id = $1`, [campaignId])
  await until(
    async () =>
      Object.values(await countBy(campaignId)).reduce((sum, count) => sum + count, 0) === fake.handedOver.length - 1,
    'all answers but one',
  )
  await query(`update campaigns set status = 'queued', run_epoch = run_epoch + 1 where id = $1`, [campaignId])
  sender.wake()
  const atPause = fake.handedOver.length
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(fake.handedOver).toHaveLength(atPause)
  const key = { organizationId: manager.organizationId, campaignId }
  expect(await asSystem(opened.database, (db) => isInFlight(db, key))).toBe(true)
  release()
  await until(() => isCompleted(opened.database, campaignId), 'completion')
  await sender.stop()
  expect(fake.handedOver).toHaveLength(400)
  expect(new Set(fake.handedOver.map(({ to }) => to)).size).toBe(400)
})

test('after a discard the in-flight responses are recorded and charged, and nothing more leaves', async () => {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 2000, chunkSize: 100 })
  const sender = await startTestSender(opened, { provider: fake, ratePerSecond: 400 })
  await until(() => fake.handedOver.length > 100, 'the beginning')
  await query(`update campaigns set status = 'cancelled', run_epoch = run_epoch + 1 where id = $1`, [campaignId])
  const slow = () => fake.handedOver.filter(({ to }) => seqOf(to) % 50 === 7).length
  await until(async () => (await countBy(campaignId))['sent'] === fake.handedOver.length - slow(), 'the other answers')
  const atAnswer = fake.handedOver.length
  expect(await settleStopped(opened.database.systemPool)).toEqual([])
  release()
  await until(async () => (await countBy(campaignId))['sent'] === atAnswer, 'the slow answers')
  const key = { organizationId: manager.organizationId, campaignId }
  await until(() => asSystem(opened.database, async (db) => !(await isInFlight(db, key))), 'silence')
  await settleStopped(opened.database.systemPool)
  await sender.stop()
  expect(fake.handedOver).toHaveLength(atAnswer)
  const { posted, held } = await asSystem(opened.database, (db) => getBalance(db, manager))
  expect({ posted, held }).toEqual({ posted: 2000 * 4000 - atAnswer * 1000, held: 0 })
})

test('a stopping sender waits for responses for a limited time; they are unknown to the next owner', async () => {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 100, chunkSize: 100 })
  const sender = await startTestSender(opened, { provider: fake, timing: { grace: 50 } })
  await until(async () => (await countBy(campaignId))['sent'] === 98, 'everybody else')
  await sender.stop()
  const second = fakeProvider()
  const nextOwner = await startTestSender(opened, { provider: second })
  await until(async () => (await countBy(campaignId))['unknown'] === 2, 'the unknown ones')
  await nextOwner.stop()
  expect(second.handedOver).toEqual([])
  expect(fake.handedOver).toHaveLength(100)
})

test('a rejection that is recorded after its pause ended is sent again at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const refusal: SendOutcome = {
    kind: 'retry',
    reason: 'template_paused',
    code: '132015',
    detail: 'Template is paused',
    afterMs: 3 * 3600_000,
    throttled: false,
  }
  const refused = new Set<string>()
  fake.answer = async (message): Promise<SendOutcome> => {
    if (refused.has(message.to)) return accept(message)
    refused.add(message.to)
    await promise
    return refusal
  }
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 10, chunkSize: 10 })
  const sender = await startTestSender(opened, { provider: fake })
  await until(() => fake.handedOver.length === 10, 'the first attempts')
  await query("update campaigns set status = 'paused', run_epoch = run_epoch + 1 where id = $1", [campaignId])
  await query("update campaigns set status = 'queued' where id = $1", [campaignId])
  resolve()
  await until(async () => (await countBy(campaignId))['sent'] === 10, 'the second attempts')
  await sender.stop()
  expect(fake.handedOver).toHaveLength(20)
})

test('a one-time password does not wait for the responses of earlier messages', async () => {
  await setSmsPrice(opened.database, manager, 100)
  await buildCampaign(opened.database, { owner: manager, senderId, total: 10, status: 'paused' })
  delayAnswers(fake, (seq) => seq < 5)
  const { organizationId, id: accountId, path } = manager
  const send = (seq: number) =>
    inScope(opened.database, { organizationId, path, descends: false }, (db) =>
      sendSingle(db, {
        channel: 'sms',
        organizationId,
        accountId,
        path,
        senderId,
        kind: 'api',
        phoneNumber: `+${phoneOf(seq)}`,
        header: 'ACMEIN',
        text: 'Your code is 1234',
        category: 'service_implicit',
      }),
    )
  const slow = await Promise.all([0, 1, 2, 3, 4].map(send))
  const sender = await startTestSender(opened, { provider: fake })
  await until(() => fake.handedOver.length === 5, 'those before it')
  const { messageId } = await send(9)
  sender.wake()
  await until(async () => (await countBy(messageId))['sent'] === 1, 'the password')
  expect(await countBy(slow[0]?.messageId ?? '')).toEqual({})
  release()
  await until(async () => (await countBy(slow[4]?.messageId ?? ''))['sent'] === 1, 'the others')
  await sender.stop()
  expect(fake.handedOver).toHaveLength(6)
})
