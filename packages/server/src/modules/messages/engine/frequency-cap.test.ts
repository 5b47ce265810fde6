import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants } from '../../balance/index.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { findPostponed } from '../reads/postponed-recipients.ts'
import { countCapped } from '../reads/recently-messaged.ts'
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
import type { Sender } from './sender.ts'
import { findMismatches } from '../test-proof.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
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
  ;({ manager, senderId, fake } = await buildLane(opened.database))
})

async function stopSender() {
  await sender?.stop()
  sender = undefined
}

afterEach(async () => {
  await stopSender()
  await foldCounters(opened.database.systemPool)
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
})

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.ownerPool.query<Row>(text, values)).rows

const setCap = (messages: number, action: 'skip' | 'postpone') =>
  query(
    `insert into sending_rules (organization_id, cap_messages, cap_days, cap_action) values ($1, $2, 1, $3)
    on conflict (organization_id) do update set cap_messages = $2, cap_action = $3`,
    [manager.organizationId, messages, action],
  )

/** A marketing campaign, planned and paused. */
async function build(name: string, total: number, { from = senderId, ignoresCap = false } = {}): Promise<string> {
  const id = await buildCampaign(opened.database, {
    owner: manager,
    senderId: from,
    total,
    body: `${name} {#var#}`,
    chunkSize: 10,
    status: 'paused',
  })
  await query('update campaign_legs set is_promotion = true where campaign_id = $1', [id])
  await query('update campaigns set started_at = now(), ignores_cap = $2 where id = $1', [id, ignoresCap])
  return id
}

async function start(...ids: string[]) {
  await query(`update campaigns set status = 'queued', run_epoch = run_epoch + 1 where id = any($1)`, [ids])
  sender ??= await startTestSender(opened, { provider: fake })
  sender.wake()
}

async function run(id: string): Promise<string> {
  await start(id)
  await until(() => isCompleted(opened.database, id), 'completion')
  return id
}

async function resultsOf(id: string): Promise<Record<string, number>> {
  const rows = await query<{ result: string; count: number }>(
    `select concat_ws(' ', status, reason) as result, count(*)::int from messages where campaign_id = $1 group by 1`,
    [id],
  )
  return Object.fromEntries(rows.map(({ result, count }) => [result, count]))
}

const postponed = (id: string) =>
  query<{ seq: number }>(
    `select seq from retries where campaign_id = $1 and is_entry and attempt = 0 and reason = 'frequency_capped' and due_at > now() order by seq`,
    [id],
  )

const passDay = (...ids: string[]) =>
  query(`update messages set sent_at = sent_at - interval '25 hours' where campaign_id = any($1)`, [ids])

const makeDue = (id: string) => query('update retries set due_at = now() where campaign_id = $1', [id])

const sentTo = (name: string) =>
  fake.handedOver
    .filter(({ text }) => text.startsWith(name))
    .map(({ to }) => Number(to.slice(1)) - phoneOf(0))
    .toSorted((one, next) => one - next)

const all = (count: number) => [...Array(count).keys()]

test('a person gets at most the allowed number of marketing campaigns; the others are skipped at no cost', async () => {
  await setCap(2, 'skip')
  fake.answer = (message) =>
    message.text.startsWith('Second') && message.to.endsWith('7')
      ? { kind: 'rejected', reason: 'number_unreachable', code: '1', detail: '', scope: 'message' }
      : accept(message)
  const first = await run(await build('First', 20))
  const second = await run(await build('Second', 20))
  const third = await build('Third', 30)
  const [row] = await query<{ audience: string }>('select audience_id as audience from campaigns where id = $1', [
    third,
  ])
  const asked = { organizationId: manager.organizationId, audienceId: row?.audience ?? '', messages: 2, days: 1 }
  // Numbers 7 and 17 were refused on the second campaign.
  expect(await asSystem(opened.database, (db) => countCapped(db, asked))).toBe(18)
  await run(third)
  expect(await resultsOf(third)).toEqual({ sent: 12, 'skipped frequency_capped': 18 })
  expect(await run(await build('Service', 30, { ignoresCap: true }))).toBeTruthy()
  expect(sentTo('Service')).toEqual(all(30))
  await passDay(first, second)
  const fourth = await run(await build('Fourth', 20))
  // Those who got the third and the service campaign, which is marked as marketing in this test.
  expect(await resultsOf(fourth)).toEqual({ sent: 18, 'skipped frequency_capped': 2 })
})

test('postponed recipients are sent to when the cap allows, without using an attempt, after a restart of the sender as well', async () => {
  await setCap(1, 'postpone')
  const first = await run(await build('First', 20))
  await query(`update messages set sent_at = sent_at - interval '22 hours' where campaign_id = $1`, [first])
  const second = await build('Second', 25)
  await start(second)
  // Chunks are sent at the same time, in any order.
  await until(async () => (await postponed(second)).length === 20, 'the postponed')
  await until(async () => (await resultsOf(second))['sent'] === 5, 'the others')
  expect((await postponed(second)).map(({ seq }) => seq)).toEqual(all(20))
  expect(await isCompleted(opened.database, second)).toBe(false)
  const open = () => query('select from chunks where campaign_id = $1 and done_at is null', [second])
  await until(async () => (await open()).length === 0, 'the end of every chunk')
  await stopSender()

  // The cap still applies to half of them.
  await query(`update messages set sent_at = sent_at - interval '3 hours' where campaign_id = $1 and seq >= 10`, [
    first,
  ])
  await makeDue(second)
  await start(second)
  await until(async () => (await resultsOf(second))['sent'] === 15 && (await postponed(second)).length === 10, 'half')
  await passDay(first)
  await makeDue(second)
  await until(() => isCompleted(opened.database, second), 'completion')
  expect(await resultsOf(second)).toEqual({ sent: 25 })
  expect(sentTo('Second')).toEqual(all(25))
  expect(await query('select distinct attempt from messages where campaign_id = $1', [second])).toEqual([
    { attempt: 1 },
  ])
})

test('recipients whose message would be due after the end of the campaign are skipped, and those still postponed when it ends', async () => {
  await setCap(1, 'postpone')
  await run(await build('First', 10))
  const short = await build('Short', 10)
  await query(`update campaigns set expires_at = now() + interval '12 hours' where id = $1`, [short])
  await run(short)
  expect(await resultsOf(short)).toEqual({ 'skipped frequency_capped': 10 })

  const second = await build('Second', 10)
  await start(second)
  await until(async () => (await postponed(second)).length === 10, 'postponement')
  const key = { organizationId: manager.organizationId, campaignId: second }
  expect(await asSystem(opened.database, (db) => findPostponed(db, key))).toMatchObject({ people: 10 })
  await query(`update campaigns set expires_at = now() where id = $1`, [second])
  await until(() => isCompleted(opened.database, second), 'the end')
  expect(await resultsOf(second)).toEqual({ 'skipped frequency_capped': 10 })
})

test('a sender that dies with a slice in flight loses no postponed recipient and sends to none of them', async () => {
  await setCap(1, 'postpone')
  await run(await build('First', 5))
  const second = await build('Second', 10)
  let isSilent = true
  fake.answer = (message) => (isSilent ? new Promise(() => {}) : accept(message))
  await start(second)
  await until(() => Promise.resolve(sentTo('Second').length === 5), 'the slice in flight')
  expect((await postponed(second)).map(({ seq }) => seq)).toEqual(all(5))
  await query('update lanes set epoch = epoch + 1, owner = null, lease_until = null where organization_id = $1', [
    manager.organizationId,
  ])
  isSilent = false
  await until(async () => (await resultsOf(second))['unknown'] === 5, 'recovery')
  expect(await postponed(second)).toHaveLength(5)
  expect(sentTo('Second')).toEqual([5, 6, 7, 8, 9])
})

test('two campaigns at the same time exceed the cap by at most one message per person, and lose no one', async () => {
  await setCap(1, 'skip')
  const other = await buildSender(opened.database, manager)
  const ids = [await build('Left', 200), await build('Right', 200, { from: other })]
  await start(...ids)
  for (const id of ids) await until(() => isCompleted(opened.database, id), 'completion')
  for (const id of ids) {
    const results = await resultsOf(id)
    expect((results['sent'] ?? 0) + (results['skipped frequency_capped'] ?? 0)).toBe(200)
  }
  const [most] = await query<{ most: number }>(
    `select max(count)::int as most from (select count(*) from messages where campaign_id = any($1) and status = 'sent' group by seq) per`,
    [ids],
  )
  expect(most?.most).toBeLessThanOrEqual(2)
  expect(await resultsOf(await run(await build('Later', 200)))).toEqual({ 'skipped frequency_capped': 200 })
})
