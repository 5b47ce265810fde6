import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem, inScope } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants, getBalance } from '../../balance/index.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { sendSingle } from '../single-sends/send-single.ts'
import type { Sender } from './sender.ts'
import {
  accept,
  buildCampaign,
  buildLane,
  type FakeProvider,
  fakeProvider,
  isCompleted,
  startTestSender,
  type TestSenderOptions,
} from '../test-lane.ts'
import { setSmsPrice } from '../../../testing/money.ts'
import { until } from '../../../testing/until.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider
const senders: Sender[] = []

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 30, owner: 3 })
})

beforeEach(async () => {
  ;({ manager, senderId, fake } = await buildLane(opened.database, { window: 20 }))
})

afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()))
})

afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

async function start(options: Partial<TestSenderOptions> = {}): Promise<Sender> {
  const sender = await startTestSender(opened, { provider: fake, ...options })
  senders.push(sender)
  return sender
}

const build = (total: number, chunkSize = 100) =>
  buildCampaign(opened.database, { owner: manager, senderId, total, chunkSize })

async function countBy(campaignId: string): Promise<Record<string, number>> {
  const rows = await query<{ status: string; count: number }>(
    `select concat_ws(' ', status, reason) as status, count(*)::int from messages where campaign_id = $1 group by 1`,
    [campaignId],
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

const hasEnded = (campaignId: string) => isCompleted(opened.database, campaignId)

/** No message may be sent meanwhile: counts messages instead of measuring time. */
async function staysStill() {
  const before = fake.handedOver.length
  await new Promise((resolve) => setTimeout(resolve, 800))
  expect(fake.handedOver).toHaveLength(before)
}

async function expectEachOnce(total: number) {
  expect(fake.handedOver).toHaveLength(total)
  expect(new Set(fake.handedOver.map(({ reference }) => reference)).size).toBe(total)
}

const inFlight = async (campaignId: string) =>
  (await query('select from chunks where campaign_id = $1 and done_at is null and watermark > recorded', [campaignId]))
    .length

/** Hours that include now, or hours half a day away. */
function hours({ open }: { open: boolean }): string {
  const at = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16)
  return JSON.stringify({ start: at(open ? -6 : 6), end: at(open ? 6 : -6), timezone: 'UTC' })
}

test('a leg outside its hours waits, also in one of several time zones, while the other legs are sent', async () => {
  const campaignId = await build(200)
  await query('update campaign_legs set lo = 0, hi = 100 where campaign_id = $1', [campaignId])
  await query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on, lo, hi, send_window)
    select organization_id, campaign_id, 2, channel, sender_id, content, price, billable_on, 100, 200, $2::jsonb from campaign_legs where campaign_id = $1`,
    [campaignId, JSON.stringify({ ...JSON.parse(hours({ open: true })), timezones: ['UTC', 'Etc/GMT-12'] })],
  )
  await query('update chunks set leg = 2, chunk_no = lo where campaign_id = $1 and lo >= 100', [campaignId])
  await query(
    `insert into retries (organization_id, campaign_id, leg, seq, sender_id, due_at, attempt, reason, code)
    select organization_id, campaign_id, 2, 100, sender_id, now(), 1, 'throughput_limited', '' from campaign_legs where campaign_id = $1 and leg = 2`,
    [campaignId],
  )
  await query(`update chunks set lo = 101, watermark = 101, recorded = 101 where campaign_id = $1 and lo = 100`, [
    campaignId,
  ])
  await start()
  await until(() => fake.handedOver.length === 100, 'the open leg')
  await staysStill()
  await query(`update campaign_legs set send_window = $2 where campaign_id = $1 and leg = 2`, [
    campaignId,
    hours({ open: true }),
  ])
  await until(() => hasEnded(campaignId), 'completion')
  await expectEachOnce(200)
})

test('a send window that closes midway stops the campaign; when it opens the rest is sent, once', async () => {
  const campaignId = await build(1000)
  const setHours = (open: boolean) =>
    query('update campaign_legs set send_window = $2 where campaign_id = $1', [campaignId, hours({ open })])
  await setHours(true)
  await start({ ratePerSecond: 400 })
  await until(() => fake.handedOver.length > 50, 'the beginning')
  await setHours(false)
  await until(async () => (await inFlight(campaignId)) === 0, 'quiet')
  await staysStill()
  expect(fake.handedOver.length).toBeLessThan(1000)
  expect(await hasEnded(campaignId)).toBe(false)
  await setHours(true)
  await until(() => hasEnded(campaignId), 'the end')
  expect(await countBy(campaignId)).toEqual({ sent: 1000 })
  await expectEachOnce(1000)
})

const statusOf = async (campaignId: string) =>
  (await query<{ status: string }>('select status from campaigns where id = $1', [campaignId]))[0]?.status

const setStatus = (campaignId: string, status: string, epochs: number) =>
  query('update campaigns set status = $2, run_epoch = run_epoch + $3 where id = $1', [campaignId, status, epochs])

test('a resumed campaign is running as soon as it sends', async () => {
  const campaignId = await build(1000)
  await start({ ratePerSecond: 300 })
  await until(() => fake.handedOver.length > 50, 'the beginning')
  await setStatus(campaignId, 'paused', 1)
  await until(async () => (await inFlight(campaignId)) === 0, 'quiet')
  const before = fake.handedOver.length
  await setStatus(campaignId, 'queued', 0)
  await until(() => fake.handedOver.length > before, 'the rest')
  expect(await statusOf(campaignId)).toBe('running')
  await until(() => hasEnded(campaignId), 'the end')
})

test('so does one that has only retries', async () => {
  const later = { kind: 'retry', afterMs: 600_000, reason: 'number_unreachable', code: '27', detail: '' } as const
  fake.answer = () => ({ ...later, throttled: false })
  const campaignId = await build(20)
  await start()
  await until(async () => (await query('select from retries where campaign_id = $1', [campaignId])).length === 20)
  await setStatus(campaignId, 'paused', 1)
  fake.answer = accept
  await query('update retries set due_at = now() where campaign_id = $1', [campaignId])
  await setStatus(campaignId, 'queued', 0)
  await until(() => fake.handedOver.length > 20, 'the second try')
  expect(await statusOf(campaignId)).toBe('running')
  await until(() => hasEnded(campaignId), 'the end')
})

test('a sender that is switched off midway lets leased messages finish; switched on, the rest is sent, once', async () => {
  const campaignId = await build(1000)
  const setActive = (isActive: boolean) =>
    query('update senders set is_active = $2 where id = $1', [senderId, isActive])
  await start({ ratePerSecond: 400 })
  await until(() => fake.handedOver.length > 50, 'the beginning')
  await setActive(false)
  const owners = () => query('select from lanes where sender_id = $1 and owner is not null', [senderId])
  await until(async () => (await owners()).length === 0, 'the lane to be given back')
  expect(await inFlight(campaignId)).toBe(0)
  await staysStill()
  expect(fake.handedOver.length).toBeLessThan(1000)
  await setActive(true)
  await until(() => hasEnded(campaignId), 'the end')
  expect(await countBy(campaignId)).toEqual({ sent: 1000 })
  await expectEachOnce(1000)
})

async function expectSettled(campaignId: string, expected: Record<string, number>) {
  expect(await countBy(campaignId)).toEqual(expected)
  await foldCounters(opened.database.systemPool)
  const [counted] = await query('select sent, failed, skipped, cost from counters where campaign_id = $1', [campaignId])
  const { sent = 0, 'failed expired': failed = 0, 'skipped campaign_expired': skipped = 0 } = expected
  expect(counted).toEqual({ sent, failed, skipped, cost: sent * 1000 })
  const total = Object.values(expected).reduce((sum, count) => sum + count, 0)
  const left = total * 4000 - sent * 1000
  expect(await asSystem(opened.database, (db) => getBalance(db, manager))).toEqual({
    posted: left,
    held: 0,
    available: left,
  })
}

const expire = (campaignId: string) =>
  query(`update campaigns set expires_at = now() - interval '1 second' where id = $1`, [campaignId])

test('a campaign whose time ends with people still queued skips them, charges what was sent and releases the rest', async () => {
  const campaignId = await build(2000)
  await start({ ratePerSecond: 200 })
  await until(() => fake.handedOver.length > 50, 'the beginning')
  await expire(campaignId)
  await until(() => hasEnded(campaignId), 'the end')
  const sent = fake.handedOver.length
  expect(sent).toBeLessThan(2000)
  await staysStill()
  await expectSettled(campaignId, { sent, 'skipped campaign_expired': 2000 - sent })
})

test.each([
  ['its sender is off', () => query('update senders set is_active = false where id = $1', [senderId])],
  [
    'its hours are closed',
    () =>
      query(
        'update campaign_legs set send_window = $1 where campaign_id in (select id from campaigns where status = $2)',
        [hours({ open: false }), 'queued'],
      ),
  ],
  ['no process sends', () => Promise.resolve([])],
])('a campaign that could not begin, since %s, ends at its end time', async (_, hinder) => {
  const campaignId = await build(2500, 40)
  await hinder()
  if (_ !== 'no process sends') await start()
  await expire(campaignId)
  await until(() => hasEnded(campaignId), 'the end')
  expect(fake.handedOver).toEqual([])
  await expectSettled(campaignId, { 'skipped campaign_expired': 2500 })
})

test('pending retries fail when the time is over', async () => {
  fake.answer = () => ({
    kind: 'retry',
    afterMs: 600_000,
    reason: 'number_unreachable',
    code: '27',
    detail: 'Absent subscriber',
    throttled: false,
  })
  const campaignId = await build(60)
  await start()
  await until(async () => (await query('select from retries where campaign_id = $1', [campaignId])).length === 60)
  expect(await hasEnded(campaignId)).toBe(false)
  await expire(campaignId)
  await until(() => hasEnded(campaignId), 'the end')
  expect(fake.handedOver).toHaveLength(60)
  await expectSettled(campaignId, { 'failed expired': 60 })
  expect(await query('select distinct code, attempt from messages where campaign_id = $1', [campaignId])).toEqual([
    { code: '27', attempt: 1 },
  ])
})

test('single sends go before a campaign that keeps the lane busy', async () => {
  await buildCampaign(opened.database, { owner: manager, senderId, total: 3000, price: 1000 })
  const { organizationId, path } = manager
  await setSmsPrice(opened.database, manager, 1500)
  const sender = await start({ ratePerSecond: 100 })
  await until(() => fake.handedOver.length > 20, 'the campaign')
  const send = (index: number) =>
    inScope(opened.database, { organizationId, path, descends: false }, (db) =>
      sendSingle(db, {
        channel: 'sms',
        organizationId,
        accountId: manager.id,
        path,
        senderId,
        kind: 'api',
        phoneNumber: `+9170000000${10 + index}`,
        header: 'ACMEIN',
        text: 'Your code is 1234',
        category: 'transactional',
      }),
    )
  await Promise.all(Array.from({ length: 30 }, (_, index) => send(index)))
  const asked = fake.handedOver.length
  sender.wake()
  const codes = () => fake.handedOver.filter(({ text }) => text.startsWith('Your code'))
  await until(() => codes().length === 30, 'the codes')
  const last = fake.handedOver.findLastIndex(({ text }) => text.startsWith('Your code'))
  // Only messages admitted already are sent before them.
  expect(last - asked - 29).toBeLessThan(100)
})

test('a lane that briefly has two owners, because a restored backup set its epoch back, sends no message twice', async () => {
  const slow = fakeProvider({ window: 20 })
  slow.answer = async (message) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return accept(message)
  }
  const campaignId = await build(1500, 50)
  const options = { provider: slow, ratePerSecond: 300 }
  await start(options)
  await until(() => slow.handedOver.length > 100, 'the beginning')
  // The backup has the lane's previous epoch; another process finds it free.
  await query('update lanes set epoch = epoch - 1, owner = null, lease_until = null where sender_id = $1', [senderId])
  await start(options)
  await until(() => hasEnded(campaignId), 'the end')
  expect(new Set(slow.handedOver.map(({ reference }) => reference)).size).toBe(slow.handedOver.length)
  const { sent = 0, unknown = 0 } = await countBy(campaignId)
  expect(sent + unknown).toBe(1500)
  expect(await query('select from chunks where campaign_id = $1 and done_at is null', [campaignId])).toEqual([])
})
