import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SendOutcome } from '../../../channels/provider.ts'
import { asSystem, type Db } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants, getBalance } from '../../balance/index.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { campaignHasEntries, campaignStats, failureGroups, type CountedCampaign } from '../reads/campaign-numbers.ts'
import { completeFinished, settleStopped } from './complete-finished.ts'
import { failoverNumbers } from '../reads/failover-numbers.ts'
import { foldCounters } from './fold-counters.ts'
import { listResponses } from '../reads/responses.ts'
import type { Sender } from '../engine/sender.ts'
import {
  accept,
  buildCampaign,
  buildLane,
  buildSender,
  type FakeProvider,
  phoneOf,
  startTestSender,
} from '../test-lane.ts'
import { watchLegs } from './watch-legs.ts'
import { findMismatches } from '../test-proof.ts'

const price = 1000

let opened: TestDatabase
let manager: Account
let first: string
let backup: string
let fake: FakeProvider
let sender: Sender | undefined

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})

beforeEach(async () => {
  ;({ manager, senderId: first, fake } = await buildLane(opened.database))
  backup = await buildSender(opened.database, manager)
})

const overLimit: SendOutcome = {
  kind: 'rejected',
  reason: 'user_marketing_cap',
  code: '131049',
  detail: '',
  scope: 'message',
}
const unreachable: SendOutcome = { ...overLimit, reason: 'number_unreachable', code: '131026' }

const key = (campaignId: string) => ({ organizationId: manager.organizationId, campaignId })
const seqOf = ({ to }: { to: string }) => Number(to.slice(1)) - phoneOf(0)
/** The n-th message a person got handed over, from 0. */
const attemptOf = (seq: number) => fake.handedOver.filter((message) => seqOf(message) === seq).length - 1
const countTo = (seq: number, header = 'ACMEIN') =>
  fake.handedOver.filter((message) => seqOf(message) === seq && message.from === header).length

type Terms = { total: number; sms?: string[]; smsAfterSeconds?: number; end?: string }

/** A campaign that waits one day and then two for recipients over the limit, and has a fourth leg for failover if given. */
async function build({ total, sms, smsAfterSeconds, end }: Terms): Promise<string> {
  const campaignId = await buildCampaign(opened.database, {
    owner: manager,
    senderId: first,
    total,
    price,
    billableOn: 'delivered',
    status: 'paused',
  })
  await opened.database.ownerPool.query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on,
      enter_reasons, enter_delay_seconds)
    select organization_id, campaign_id, 1 + number, channel, sender_id, content, price, billable_on, '{user_marketing_cap}', number * 86400
    from campaign_legs, generate_series(1, 2) as number where campaign_id = $1`,
    [campaignId],
  )
  if (sms)
    await opened.database.ownerPool.query(
      `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on, enter_reasons,
        enter_after_seconds)
      select organization_id, campaign_id, 4, channel, $2, content || '{"header":"BACKUP"}', 0, billable_on, $3, $4
      from campaign_legs where campaign_id = $1 and leg = 1`,
      [campaignId, backup, sms, smsAfterSeconds ?? null],
    )
  await opened.database.ownerPool.query(
    `update campaigns set status = 'queued', started_at = now(), expires_at = now() + $2::interval where id = $1`,
    [campaignId, end ?? null],
  )
  return campaignId
}

async function setStatus(campaignId: string, status: string) {
  await opened.database.ownerPool.query('update campaigns set status = $2::campaign_status where id = $1', [
    campaignId,
    status,
  ])
}

type Waiting = { seq: number; leg: number; hours: number }

async function waiting(campaignId: string): Promise<Waiting[]> {
  const { rows } = await opened.database.systemPool.query<Waiting>(
    `select retry.seq, retry.leg, round(extract(epoch from due_at - entry.at) / 3600)::int as hours
    from retries retry join leg_entries entry using (organization_id, campaign_id, leg, seq)
    where campaign_id = $1 order by seq`,
    [campaignId],
  )
  return rows
}

async function countResults(campaignId: string): Promise<Record<string, number>> {
  const { rows } = await opened.database.systemPool.query<{ leg: number; status: string; count: number }>(
    'select leg, status, count(*)::int from messages where campaign_id = $1 group by 1, 2 order by 1, 2',
    [campaignId],
  )
  return Object.fromEntries(rows.map(({ leg, status, count }) => [`${leg} ${status}`, count]))
}

/** Sends the first channel's reports of each person's last message. */
async function report(seqs: number[], status: 'delivered' | 'failed') {
  const events = seqs.map((seq) => ({
    kind: 'delivery-report' as const,
    providerMessageIds: [
      `p-${fake.handedOver.findLast((message) => seqOf(message) === seq && message.from === 'ACMEIN')?.reference ?? ''}`,
    ],
    status,
    at: new Date(),
    ...(status === 'failed' ? { reason: 'user_marketing_cap' as const, code: '131049' } : {}),
    raw: `${seq} ${status}`,
  }))
  await applyProviderEvents(
    opened.database.systemPool,
    { organizationId: manager.organizationId, senderId: first },
    events,
  )
}

/** Moves times back, as if the days of the wait had passed. */
async function passDays(campaignId: string) {
  await opened.database.ownerPool.query(`update retries set due_at = now() where campaign_id = $1`, [campaignId])
}

async function statusOf(campaignId: string): Promise<string> {
  await opened.database.ownerPool.query(`update leg_watches set due_at = now() where campaign_id = $1`, [campaignId])
  await watchLegs(opened.database.systemPool)
  await completeFinished(opened.database.systemPool)
  const { rows } = await opened.database.ownerPool.query<{ status: string }>(
    `select status::text from campaigns where id = $1`,
    [campaignId],
  )
  return rows[0]?.status ?? ''
}

async function finish(campaignId: string) {
  await until(async () => (await statusOf(campaignId)) === 'completed', 'completion')
  await stop()
}

async function stop() {
  await sender?.stop()
  await foldCounters(opened.database.systemPool)
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
}

async function start() {
  sender = await startTestSender(opened, { provider: fake })
}

const money = async () => {
  const { posted, held } = await asSystem(opened.database, (db) =>
    getBalance(db, { organizationId: manager.organizationId, accountId: manager.id }),
  )
  return { posted, held }
}

/** Each person once, with the best message. */
async function counted(campaignId: string) {
  return asSystem(opened.database, async (db) => {
    const question = { organizationId: manager.organizationId, campaignIds: [campaignId] }
    const [numbers] = await campaignStats(db, question)
    const outranked = (await failoverNumbers(db, question)).get(campaignId)?.outranked ?? {}
    const count = (status: 'sent' | 'delivered' | 'failed') => (numbers?.[status] ?? 0) - (outranked[status] ?? 0)
    const { cost = 0, refunded = 0 } = numbers ?? {}
    return { sent: count('sent'), delivered: count('delivered'), failed: count('failed'), paid: cost - refunded }
  })
}

test('rejected at once or after acceptance, a person is retried after a day, and charged once', async () => {
  fake.answer = (message) => (seqOf(message) === 0 && attemptOf(0) === 0 ? overLimit : accept(message))
  const campaignId = await build({ total: 10 })
  const { posted } = await money()
  await start()
  await until(async () => (await countResults(campaignId))['1 sent'] === 9, 'the first try')
  await report([1], 'failed')
  await report([2, 3, 4, 5, 6, 7, 8, 9], 'delivered')
  expect(await waiting(campaignId)).toEqual([
    { seq: 0, leg: 2, hours: 24 },
    { seq: 1, leg: 2, hours: 24 },
  ])
  // It runs as long as a person waits, and the money reserved for these two cannot be spent otherwise.
  await until(async () => (await money()).posted === posted - 8 * price, 'the charge')
  expect(await statusOf(campaignId)).toBe('running')
  expect(await money()).toEqual({ posted: posted - 8 * price, held: 2 * price })
  expect(await counted(campaignId)).toEqual({ sent: 0, delivered: 8, failed: 0, paid: 8 * price })
  const question = { organizationId: manager.organizationId, campaignIds: [campaignId] }
  const numbers = (await asSystem(opened.database, (db) => failoverNumbers(db, question))).get(campaignId)
  expect(numbers).toMatchObject({ entered: 0, sent: 0, outranked: { failed: 2 }, waiting: { people: 2 } })
  expect(await asSystem(opened.database, (db) => readFailures(db, campaignId))).toEqual([])

  await passDays(campaignId)
  await until(async () => (await countResults(campaignId))['2 sent'] === 2, 'the second try')
  await report([0, 1], 'delivered')
  await finish(campaignId)
  expect(await money()).toEqual({ posted: posted - 10 * price, held: 0 })
  expect(await counted(campaignId)).toEqual({ sent: 0, delivered: 10, failed: 0, paid: 10 * price })
  const { responses } = await asSystem(opened.database, (db) =>
    listResponses(db, { ...key(campaignId), page: 1, limit: 10 }),
  )
  expect(responses.map(({ seq, status }) => `${seq} ${status}`)).toEqual(
    Array.from({ length: 10 }, (_, seq) => `${seq} delivered`),
  )
})

test('a person rejected three times has failed, and is not retried', async () => {
  fake.answer = (message) => (seqOf(message) === 0 ? overLimit : accept(message))
  const campaignId = await build({ total: 3 })
  const { posted } = await money()
  await start()
  await until(async () => (await countResults(campaignId))['1 sent'] === 2, 'the first try')
  await report([1], 'failed')
  await report([2], 'delivered')
  await passDays(campaignId)
  await until(async () => (await countResults(campaignId))['2 sent'] === 1, 'the second try')
  await report([1], 'failed')
  await until(async () => (await waiting(campaignId)).length === 2, 'the second wait')
  expect(await waiting(campaignId)).toEqual([
    { seq: 0, leg: 3, hours: 48 },
    { seq: 1, leg: 3, hours: 48 },
  ])
  await passDays(campaignId)
  await until(async () => (await countResults(campaignId))['3 sent'] === 1, 'the third try')
  await report([1], 'failed')
  await finish(campaignId)
  expect([countTo(0), countTo(1), countTo(2)]).toEqual([3, 3, 1])
  expect(await counted(campaignId)).toEqual({ sent: 0, delivered: 1, failed: 2, paid: price })
  expect(await money()).toEqual({ posted: posted - price, held: 0 })
  const failures = await asSystem(opened.database, (db) => readFailures(db, campaignId))
  expect(failures).toMatchObject([{ reason: 'user_marketing_cap', count: 2 }])
})

test('other failures skip the waits, and the third rejection leads where any failure does', async () => {
  fake.answer = (message) =>
    message.from === 'BACKUP' ? accept(message) : ([unreachable, overLimit][seqOf(message)] ?? accept(message))
  const campaignId = await build({ total: 2, sms: ['number_unreachable', 'user_marketing_cap'] })
  await start()
  await until(async () => (await countResults(campaignId))['4 sent'] === 1, 'the other channel')
  expect(await waiting(campaignId)).toEqual([{ seq: 1, leg: 2, hours: 24 }])
  for (const leg of [2, 3]) {
    await passDays(campaignId)
    await until(async () => (await countResults(campaignId))[`${leg} failed`] === 1, 'a further try')
  }
  await until(async () => countTo(1, 'BACKUP') === 1, 'the other channel')
  const question = { organizationId: manager.organizationId, campaignIds: [campaignId] }
  await until(async () => (await countResults(campaignId))['4 sent'] === 2, 'both')
  const numbers = (await asSystem(opened.database, (db) => failoverNumbers(db, question))).get(campaignId)
  expect(numbers).toMatchObject({ entered: 2, sent: 2, waiting: undefined })
  await finish(campaignId)
  expect([countTo(0), countTo(1)]).toEqual([1, 3])
})

test('a person not reached in time by a later attempt fails over as after the first', async () => {
  fake.answer = (message) =>
    message.from === 'ACMEIN' && attemptOf(seqOf(message)) === 0 ? overLimit : accept(message)
  const campaignId = await build({ total: 2, sms: ['not_delivered_in_time'], smsAfterSeconds: 600 })
  await start()
  await until(async () => (await countResults(campaignId))['1 failed'] === 2, 'the first try')
  await passDays(campaignId)
  await until(async () => (await countResults(campaignId))['2 sent'] === 2, 'the second try')
  await report([0], 'delivered')
  await opened.database.ownerPool.query(
    `update messages set sent_at = sent_at - interval '1 hour' where campaign_id = $1`,
    [campaignId],
  )
  await statusOf(campaignId)
  await until(async () => countTo(1, 'BACKUP') === 1, 'the other channel')
  // Reported as rejected after the failover: the person is not retried.
  await report([1], 'failed')
  await finish(campaignId)
  expect([countTo(0, 'BACKUP'), countTo(0), countTo(1)]).toEqual([0, 2, 2])
})

test.each<[string, Waiting[]]>([
  ['12 hours', []],
  ['30 hours', [{ seq: 0, leg: 2, hours: 24 }]],
])('nobody waits beyond the end of the campaign: %s', async (end, expected) => {
  fake.answer = () => overLimit
  const campaignId = await build({ total: 1, end })
  await start()
  await until(async () => (await countResults(campaignId))['1 failed'] === 1, 'the first try')
  expect(await waiting(campaignId)).toEqual(expected)
  await passDays(campaignId)
  // In the second case the next wait of two days would be too long.
  await finish(campaignId)
  expect(countTo(0)).toBe(1 + expected.length)
  const failures = await asSystem(opened.database, (db) => readFailures(db, campaignId))
  expect(failures).toMatchObject([{ reason: 'user_marketing_cap', count: 1 }])
})

test('without an end of its own a campaign lasts until all of its waits are over; those who still wait then have failed', async () => {
  fake.answer = () => overLimit
  const campaignId = await build({ total: 1 })
  const { posted } = await money()
  await start()
  await until(async () => (await waiting(campaignId)).length === 1, 'the wait')
  const startedDaysAgo = (days: number) =>
    opened.database.ownerPool.query(
      `update campaigns set started_at = now() - make_interval(days => $2) where id = $1`,
      [campaignId, days],
    )
  await startedDaysAgo(5)
  expect(await statusOf(campaignId)).toBe('running')
  await startedDaysAgo(6)
  await finish(campaignId)
  expect(await countResults(campaignId)).toEqual({ '1 failed': 1, '2 failed': 1 })
  expect(await money()).toEqual({ posted, held: 0 })
})

/** Gives the lane other work, so that it has checked everything that is due. */
async function waitForLane() {
  const other = await buildCampaign(opened.database, { owner: manager, senderId: first, total: 1, price: 0 })
  await until(async () => Object.keys(await countResults(other)).length === 1, 'the other campaign')
}

test('a pause and closed hours keep people waiting; a cancelled campaign ends the wait', async () => {
  fake.answer = (message) => (attemptOf(seqOf(message)) === 0 ? overLimit : accept(message))
  const campaignId = await build({ total: 2 })
  const { posted } = await money()
  await start()
  await until(async () => (await waiting(campaignId)).length === 2, 'the wait')
  await setStatus(campaignId, 'paused')
  await passDays(campaignId)
  await waitForLane()
  expect(await countResults(campaignId)).toEqual({ '1 failed': 2 })
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  const closed = JSON.stringify({ start: at(6), end: at(-6), timezone: 'UTC' })
  await opened.database.ownerPool.query('update campaign_legs set send_window = $2 where campaign_id = $1', [
    campaignId,
    closed,
  ])
  await setStatus(campaignId, 'running')
  await waitForLane()
  expect(await countResults(campaignId)).toEqual({ '1 failed': 2 })
  expect((await money()).held).toBe(2 * price)

  await setStatus(campaignId, 'cancelled')
  await settleStopped(opened.database.systemPool)
  expect(await waiting(campaignId)).toEqual([])
  await stop()
  const { responses } = await asSystem(opened.database, (db) =>
    listResponses(db, { ...key(campaignId), page: 1, limit: 10 }),
  )
  expect(responses.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  expect((await money()).held).toBe(0)
  expect((await money()).posted).toBeGreaterThanOrEqual(posted)
  expect(await countResults(campaignId)).toEqual({ '1 failed': 2 })
})

/** As calls read them, after the campaign. */
async function readFailures(db: Db, campaignId: string) {
  const { rows } = await sql<Pick<CountedCampaign, 'createdOn' | 'hasEntries'>>`
    select created_on as "createdOn", ${campaignHasEntries} as "hasEntries" from campaigns where id = ${campaignId}::uuid`.execute(
    db,
  )
  return failureGroups(db, {
    createdOn: null,
    hasEntries: false,
    ...rows[0],
    organizationId: manager.organizationId,
    campaignId,
  })
}
