import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants } from '../../balance/index.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { findNextDay, openDays } from '../housekeeping/open-days.ts'
import { replanCampaign } from './plan-campaign.ts'
import { countRecentlyMessaged } from '../reads/recently-messaged.ts'
import type { Sender } from './sender.ts'
import {
  accept,
  buildCampaign,
  buildLane,
  buildSender,
  type FakeProvider,
  isCompleted,
  phoneOf,
  startTestSender,
} from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider
let sender: Sender | undefined

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(() => opened.drop())

beforeEach(async () => {
  ;({ manager, senderId, fake } = await buildLane(opened.database))
})

type Rules = { total: number; body?: string; skipRecentHours?: number; days?: { hi: number; inHours: number }[] }

/** Paused until released, so that its rules are stored before anything is sent. */
async function build({ total, body = 'Hello {#var#}', skipRecentHours, days }: Rules): Promise<string> {
  const id = await buildCampaign(opened.database, {
    owner: manager,
    senderId,
    total,
    body,
    chunkSize: 10,
    status: 'paused',
  })
  const { ownerPool } = opened.database
  if (skipRecentHours)
    await ownerPool.query('update campaigns set skip_recent_hours = $2 where id = $1', [id, skipRecentHours])
  for (const { hi, inHours } of days ?? [])
    await ownerPool.query(
      `update chunks set not_before = now() + make_interval(hours => $3) where campaign_id = $1 and lo >= $2`,
      [id, hi, inHours],
    )
  await ownerPool.query(
    `update campaigns set last_part_at = (select max(not_before) from chunks where campaign_id = $1), started_at = now() where id = $1`,
    [id],
  )
  return id
}

async function setStatus(campaignId: string, status: 'queued' | 'paused' | 'cancelled') {
  await opened.database.ownerPool.query('update campaigns set status = $2, run_epoch = run_epoch + 1 where id = $1', [
    campaignId,
    status,
  ])
}

async function hasEnded(campaignId: string): Promise<boolean> {
  await openDays(opened.database.systemPool)
  return isCompleted(opened.database, campaignId)
}

async function run(campaignId: string) {
  await setStatus(campaignId, 'queued')
  sender ??= await startTestSender(opened, { provider: fake })
  sender.wake()
  await until(() => hasEnded(campaignId), 'completion')
}

async function finish() {
  await sender?.stop()
  sender = undefined
  await foldCounters(opened.database.systemPool)
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
}

async function countResults(campaignId: string): Promise<Record<string, number>> {
  const { rows } = await opened.database.systemPool.query<{ fate: string; count: number }>(
    `select concat_ws(' ', status, reason, nullif(price, 0)) as fate, count(*)::int from messages where campaign_id = $1 group by 1`,
    [campaignId],
  )
  return Object.fromEntries(rows.map(({ fate, count }) => [fate, count]))
}

const goneOut = (text: string) =>
  fake.handedOver.filter((message) => message.text.startsWith(text)).map(({ to }) => Number(to.slice(1)) - phoneOf(0))

const moveBack = (campaignId: string, by: string) =>
  opened.database.ownerPool.query(
    `update messages set sent_at = sent_at - $2::interval, unknown_at = unknown_at - $2::interval where campaign_id = $1`,
    [campaignId, by],
  )

const inFuture = async (campaignId: string) =>
  asSystem(opened.database, (db) => findNextDay(db, { organizationId: manager.organizationId, campaignId }))

const comeTrue = (campaignId: string) =>
  opened.database.ownerPool.query(
    `update chunks set not_before = not_before - (select min(not_before) - now() from chunks where campaign_id = $1)
    where campaign_id = $1 and not_before is not null`,
    [campaignId],
  )

test('a person who recently got another campaign is excluded, not charged, and counted separately', async () => {
  const refused = [2, 3].map((seq) => phoneOf(seq))
  fake.answer = (message) => {
    const number = Number(message.to.slice(1))
    if (message.text.startsWith('First') && refused.includes(number))
      return { kind: 'rejected', reason: 'number_unreachable', code: '1', detail: '', scope: 'message' }
    if (message.text.startsWith('First') && number === phoneOf(4))
      return { kind: 'unknown', code: 'timeout', detail: '' }
    return accept(message)
  }
  const first = await build({ total: 20, body: 'First {#var#}' })
  await run(first)
  const second = await build({ total: 30, body: 'Second {#var#}', skipRecentHours: 24 })
  const asked = {
    organizationId: manager.organizationId,
    audienceId: await audienceOf(second),
    channel: 'sms' as const,
    isOnAny: false,
  }
  expect(await asSystem(opened.database, (db) => countRecentlyMessaged(db, { ...asked, hours: 24 }))).toBe(18)
  await run(second)
  // A rejected recipient was not messaged; one whose response was lost may have been.
  expect(goneOut('Second').toSorted((one, next) => one - next)).toEqual([
    2,
    3,
    ...Array.from({ length: 10 }, (_, seq) => seq + 20),
  ])
  expect(await countResults(second)).toEqual({ 'sent 1000': 12, 'skipped recently_messaged': 18 })
  const third = await build({ total: 30, body: 'Third {#var#}' })
  await run(third)
  expect(goneOut('Third')).toHaveLength(30)
  await finish()
})

test('messages before the interval, on another channel or of another organisation exclude no recipient', async () => {
  const first = await build({ total: 10, body: 'First {#var#}' })
  await run(first)
  await moveBack(first, '25 hours')
  const second = await build({ total: 10, body: 'Second {#var#}', skipRecentHours: 24 })
  await run(second)
  expect(goneOut('Second')).toHaveLength(10)
  await opened.database.ownerPool.query(`update campaign_legs set channel = 'whatsapp' where campaign_id = any($1)`, [
    [first, second],
  ])
  const third = await build({ total: 10, body: 'Third {#var#}', skipRecentHours: 720 })
  await run(third)
  expect(goneOut('Third')).toHaveLength(10)
  // Unless messages on every channel count.
  const fourth = await build({ total: 10, body: 'Fourth {#var#}', skipRecentHours: 24 })
  await opened.database.ownerPool.query('update campaigns set skip_recent_on_any = true where id = $1', [fourth])
  await opened.database.ownerPool.query(`update campaign_legs set channel = 'whatsapp' where campaign_id = $1`, [third])
  await run(fourth)
  expect(await countResults(fourth)).toEqual({ 'skipped recently_messaged': 10 })
  await finish()

  manager = await buildManager(opened.database)
  senderId = await buildSender(opened.database, manager)
  const theirs = await build({ total: 10, body: 'Theirs {#var#}', skipRecentHours: 720 })
  await run(theirs)
  expect(goneOut('Theirs')).toHaveLength(10)
  await finish()
})

test('a retry is excluded as well when another campaign came first, and does not fail over', async () => {
  fake.answer = (message) =>
    message.text.startsWith('Slow') && !isOpen
      ? { kind: 'retry', reason: 'throughput_limited', code: '88', detail: 'Busy', afterMs: 60_000, throttled: false }
      : accept(message)
  let isOpen = false
  const slow = await build({ total: 10, body: 'Slow {#var#}', skipRecentHours: 24 })
  await opened.database.ownerPool.query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on, enter_reasons)
    select organization_id, campaign_id, 2, 'sms', sender_id, content, 0, billable_on, '{number_unreachable}' from campaign_legs where campaign_id = $1`,
    [slow],
  )
  await setStatus(slow, 'queued')
  sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await retriesOf(slow)) === 10, 'retries')
  const first = await build({ total: 4, body: 'First {#var#}' })
  await run(first)
  isOpen = true
  await opened.database.ownerPool.query('update retries set due_at = now() where campaign_id = $1', [slow])
  await until(async () => (await retriesOf(slow)) === 0, 'the retries')
  expect(await countResults(slow)).toEqual({ 'sent 1000': 6, 'skipped recently_messaged': 4 })
  const { rows } = await opened.database.ownerPool.query('select from leg_entries where campaign_id = $1', [slow])
  expect(rows).toEqual([])
  await finish()
})

test('a part is sent when its day has come; until then the time is known, and others continue', async () => {
  const split = await build({
    total: 50,
    body: 'Split {#var#}',
    days: [
      { hi: 20, inHours: 24 },
      { hi: 40, inHours: 48 },
    ],
  })
  await setStatus(split, 'queued')
  sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await countResults(split))['sent 1000'] === 20, 'the first day')
  expect(await inFuture(split)).toMatchObject({ people: 20 })
  const other = await build({ total: 30, body: 'Other {#var#}' })
  await run(other)
  expect(goneOut('Split')).toHaveLength(20)
  expect(await hasEnded(split)).toBe(false)

  await comeTrue(split)
  await openDays(opened.database.systemPool)
  await until(async () => (await countResults(split))['sent 1000'] === 40, 'the second day')
  expect(await inFuture(split)).toMatchObject({ people: 10 })
  await comeTrue(split)
  await until(() => hasEnded(split), 'the last day')
  expect(goneOut('Split').toSorted((one, next) => one - next)).toEqual([...Array(50).keys()])
  await finish()
})

test('a pause moves the following days no more than needed, and the end with them', async () => {
  const split = await build({
    total: 50,
    body: 'Split {#var#}',
    days: [
      { hi: 20, inHours: 24 },
      { hi: 40, inHours: 48 },
    ],
  })
  const replan = () =>
    asSystem(opened.database, (db) => replanCampaign(db, { organizationId: manager.organizationId, campaignId: split }))
  const days = async () => {
    const { rows } = await opened.database.ownerPool.query<{ hours: number | null }>(
      `select distinct round(extract(epoch from not_before - now()) / 360)::int / 10.0 as hours from chunks where campaign_id = $1 and done_at is null order by 1 nulls first`,
      [split],
    )
    return rows.map(({ hours }) => hours)
  }
  // The first part is not done: the next part stays a day later.
  await opened.database.ownerPool.query(
    `update chunks set not_before = not_before - interval '30 hours' where campaign_id = $1`,
    [split],
  )
  await replan()
  expect(await days()).toEqual([null, 24, 48])
  const { rows } = await opened.database.ownerPool.query(
    `select round(extract(epoch from last_part_at - now()) / 3600)::int as last, round(extract(epoch from campaign_end(organization_id, id) - now()) / 3600)::int as ends
    from campaigns where id = $1`,
    [split],
  )
  expect(rows).toEqual([{ last: 48, ends: 120 }])
  // The first part is done, and the pause ended before the next: nothing moves.
  await setStatus(split, 'queued')
  sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await countResults(split))['sent 1000'] === 20, 'the first day')
  await setStatus(split, 'paused')
  await replan()
  expect(await days()).toEqual([24, 48])
  // While the campaign is paused, no day begins.
  await comeTrue(split)
  expect(await openDays(opened.database.systemPool)).toEqual([])
  await setStatus(split, 'queued')
  await replan()
  await until(async () => {
    await openDays(opened.database.systemPool)
    return (await countResults(split))['sent 1000'] === 40
  }, 'the second day')
  await setStatus(split, 'cancelled')
  await comeTrue(split)
  expect(await openDays(opened.database.systemPool)).toEqual([])
  expect(goneOut('Split')).toHaveLength(40)
  await sender.stop()
  sender = undefined
})

test('a sender that dies between two days loses neither', async () => {
  const split = await build({ total: 40, body: 'Split {#var#}', days: [{ hi: 20, inHours: 24 }] })
  await setStatus(split, 'queued')
  sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await countResults(split))['sent 1000'] === 20, 'the first day')
  await sender.stop()
  await comeTrue(split)
  await openDays(opened.database.systemPool)
  sender = await startTestSender(opened, { provider: fake })
  await until(() => hasEnded(split), 'completion')
  expect(goneOut('Split').toSorted((one, next) => one - next)).toEqual([...Array(40).keys()])
  await finish()
})

async function retriesOf(campaignId: string): Promise<number> {
  const { rows } = await opened.database.ownerPool.query('select from retries where campaign_id = $1', [campaignId])
  return rows.length
}

async function audienceOf(campaignId: string): Promise<string> {
  const { rows } = await opened.database.ownerPool.query<{ audience_id: string }>(
    'select audience_id from campaigns where id = $1',
    [campaignId],
  )
  return rows[0]?.audience_id ?? ''
}

// Reports change the message's status, and leave it counted for the person.
test('a delivered message counts as a sent one; a failed one does not', async () => {
  const first = await build({ total: 10, body: 'First {#var#}' })
  await run(first)
  const report = (seq: number, status: 'delivered' | 'failed') => {
    const sent = fake.handedOver.find(({ to }) => Number(to.slice(1)) === phoneOf(seq))
    return {
      kind: 'delivery-report' as const,
      providerMessageIds: [`p-${sent?.reference}`],
      status,
      at: new Date(),
      raw: `${seq} ${status}`,
    }
  }
  await applyProviderEvents(opened.database.systemPool, { organizationId: manager.organizationId, senderId }, [
    report(0, 'delivered'),
    report(1, 'failed'),
  ])
  const second = await build({ total: 10, body: 'Second {#var#}', skipRecentHours: 24 })
  await run(second)
  expect(goneOut('Second')).toEqual([1])
  await finish()
})
