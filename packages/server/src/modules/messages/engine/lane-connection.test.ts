import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import type { Sender } from './sender.ts'
import {
  accept,
  buildCampaign,
  buildLane,
  buildSender,
  isCompleted,
  startTestSender,
  type FakeProvider,
  type TestSenderOptions,
} from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider
const senders: Sender[] = []

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 20, owner: 3 })
})

beforeEach(async () => {
  ;({ manager, senderId, fake } = await buildLane(opened.database))
})

afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()))
})

afterAll(() => opened.drop())

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.ownerPool.query<Row>(text, values)).rows

async function start(options: Partial<TestSenderOptions> = {}): Promise<Sender> {
  const sender = await startTestSender(opened, { provider: fake, ...options })
  senders.push(sender)
  return sender
}

async function epochOf(): Promise<number> {
  const [lane] = await query<{ epoch: number }>('select epoch from lanes where sender_id = $1', [senderId])
  return lane?.epoch ?? 0
}

test('a lane stays open while its settings are unchanged, and reopens when they change', async () => {
  await start({ timing: { poll: 20 } })
  await until(async () => (await epochOf()) > 0, 'the lane')
  const before = await epochOf()
  await query(
    `update senders set checked_at = now(), name = 'Verified name', facts = '{"quality": "green"}' where id = $1`,
    [senderId],
  )
  await query(`update provider_accounts set failure = '{}', updated_at = now()
    where id = (select provider_account_id from senders where id = '${senderId}')`)
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 20 })
  await until(() => isCompleted(opened.database, campaignId), 'a campaign of its time')
  expect(await epochOf()).toBe(before)
  await query('update senders set rate_per_second = rate_per_second + 1 where id = $1', [senderId])
  await until(async () => (await epochOf()) > before, 'the lane with its new rate')
})

test('retried messages keep the agreed rate of parts per second, however long they are', async () => {
  const ratePerSecond = 200
  fake.answer = () => ({
    kind: 'retry',
    afterMs: 600_000,
    reason: 'number_unreachable',
    code: '27',
    detail: '',
    throttled: false,
  })
  const body = `Hello {#var#} ${'x'.repeat(580)}`
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 120, body })
  await start({ ratePerSecond })
  const waiting = async () => (await query('select from retries where campaign_id = $1', [campaignId])).length
  await until(async () => (await waiting()) === 120, 'the first try')

  const left: { at: number; parts: number }[] = []
  fake.answer = (message) => {
    left.push({ at: performance.now(), parts: message.parts })
    return accept(message)
  }
  await query('update retries set due_at = now() where campaign_id = $1', [campaignId])
  await until(() => isCompleted(opened.database, campaignId), 'the end')
  const parts = left.reduce((sum, message) => sum + message.parts, 0)
  const seconds = ((left.at(-1)?.at ?? 0) - (left[0]?.at ?? 0)) / 1000
  expect(parts).toBe(480)
  // The bucket's initial capacity, and what a late timer may catch up, are far less than half a second's.
  expect(parts).toBeLessThan(ratePerSecond * (seconds + 0.5))
})

test('with more senders than lanes, idle ones give up their lanes: everyone sends', async () => {
  const others = await Promise.all(Array.from({ length: 4 }, () => buildSender(opened.database, manager)))
  await start({ maximumLanes: 2, timing: { poll: 20 } })
  const held = async () => (await query('select from lanes where owner is not null')).length
  await until(async () => (await held()) === 2, 'as many lanes as there may be')
  for (const owner of [senderId, ...others, senderId]) {
    const campaignId = await buildCampaign(opened.database, { owner: manager, senderId: owner, total: 30 })
    await until(() => isCompleted(opened.database, campaignId), 'the campaign of each sender')
    expect(await held()).toBeLessThanOrEqual(2)
  }
})
