import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SendOutcome } from '../../../channels/provider.ts'
import { asSystem } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants, getBalance } from '../../balance/index.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import type { Sender } from './sender.ts'
import { buildCampaign, buildLane, type FakeProvider, isCompleted, phoneOf, startTestSender } from '../test-lane.ts'
import { until } from '../../../testing/until.ts'
import { findMismatches } from '../test-proof.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider
let sender: Sender

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

async function statuses(campaignId: string): Promise<Record<string, number>> {
  const { rows } = await opened.database.systemPool.query<{ status: string; count: number }>(
    'select status, count(*)::int from messages where organization_id = $1 and campaign_id = $2 group by status',
    [manager.organizationId, campaignId],
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

async function counters(campaignId: string): Promise<Record<string, number>> {
  await foldCounters(opened.database.systemPool)
  const { rows } = await opened.database.systemPool.query<Record<string, number>>(
    'select submitted, sent, failed, skipped, unknown, parts, cost from counters where organization_id = $1 and campaign_id = $2',
    [manager.organizationId, campaignId],
  )
  return rows[0] ?? {}
}

async function runToEnd(campaignId: string) {
  sender = await startTestSender(opened, { provider: fake })
  await until(() => isCompleted(opened.database, campaignId), 'completion')
  await sender.stop()
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
}

test('every recipient gets one message, charged once, and the rest of the hold is released', async () => {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 2345, price: 1000 })
  await runToEnd(campaignId)
  expect(fake.handedOver).toHaveLength(2345)
  expect(new Set(fake.handedOver.map(({ reference }) => reference)).size).toBe(2345)
  expect(fake.handedOver[0]).toMatchObject({
    from: 'ACMEIN',
    text: expect.stringMatching(/^Hello Name \d+$/),
    parts: 1,
    encoding: 'gsm7',
  })
  expect(await statuses(campaignId)).toEqual({ sent: 2345 })
  expect(await counters(campaignId)).toEqual({
    submitted: 2345,
    sent: 2345,
    failed: 0,
    skipped: 0,
    unknown: 0,
    parts: 2345,
    cost: 2_345_000,
  })
  const balance = await asSystem(opened.database, (db) => getBalance(db, manager))
  expect(balance).toEqual({ posted: 2345 * 4000 - 2_345_000, held: 0, available: 2345 * 4000 - 2_345_000 })
})

test('rejections, lost responses, opt-outs and rows without a value each get their own result', async () => {
  const outcomes: Record<number, SendOutcome> = {
    0: { kind: 'rejected', reason: 'invalid_number', code: '11', detail: 'Invalid destination', scope: 'message' },
    1: { kind: 'unknown', code: 'timeout', detail: 'No answer' },
  }
  fake.answer = ({ reference, to }) =>
    outcomes[Number(to.slice(1)) - phoneOf(0)] ?? { kind: 'accepted', providerMessageIds: [reference] }
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 500, billableOn: 'sent' })
  await opened.database.systemPool.query(
    'insert into opt_outs (organization_id, channel, phone, keyword) values ($1, $2, $3, $4)',
    [manager.organizationId, 'sms', phoneOf(2), 'STOP'],
  )
  await opened.database.ownerPool.query(
    `update recipients set variables = '{"",""}' where organization_id = $1 and seq = 3`,
    [manager.organizationId],
  )
  await runToEnd(campaignId)
  expect(await statuses(campaignId)).toEqual({ sent: 496, failed: 1, unknown: 1, skipped: 2 })
  expect(await counters(campaignId)).toMatchObject({
    submitted: 496,
    sent: 496,
    failed: 1,
    unknown: 1,
    skipped: 2,
    cost: 496_000,
  })
  expect(fake.handedOver.map(({ to }) => Number(to.slice(1)) - phoneOf(0))).not.toContain(2)
  const { rows } = await opened.database.systemPool.query(
    'select seq, reason, code from messages where campaign_id = $1 and seq < 4 order by seq',
    [campaignId],
  )
  expect(rows).toEqual([
    { seq: 0, reason: 'invalid_number', code: '11' },
    { seq: 1, reason: null, code: 'timeout' },
    { seq: 2, reason: 'opted_out', code: null },
    { seq: 3, reason: 'missing_variable', code: null },
  ])
})

test('where an opt-out applies to every channel, one of another channel is skipped as well', async () => {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 20 })
  await opened.database.systemPool.query(
    `insert into opt_outs (organization_id, channel, phone, keyword) values ($1, 'whatsapp', $2, 'STOP'), ($1, 'rcs', $2, 'STOP')`,
    [manager.organizationId, phoneOf(2)],
  )
  await opened.database.systemPool.query(
    `insert into sending_rules (organization_id, opt_out_scope) values ($1, 'all')`,
    [manager.organizationId],
  )
  await runToEnd(campaignId)
  expect(await statuses(campaignId)).toEqual({ sent: 19, skipped: 1 })
  expect(fake.handedOver.map(({ to }) => Number(to.slice(1)) - phoneOf(0))).not.toContain(2)
})

test('messages throttled by the operator are retried and arrive', async () => {
  const refused = new Set<string>()
  fake.answer = ({ reference }) => {
    if (refused.has(reference) || refused.size >= 30) return { kind: 'accepted', providerMessageIds: [reference] }
    refused.add(reference)
    return { kind: 'retry', afterMs: 0, reason: 'throughput_limited', code: '88', detail: 'Throttled', throttled: true }
  }
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 300 })
  await runToEnd(campaignId)
  expect(await statuses(campaignId)).toEqual({ sent: 300 })
  expect(await counters(campaignId)).toMatchObject({ submitted: 300, cost: 300_000 })
  expect(fake.handedOver).toHaveLength(330)
})

test('long messages have an id for each part and are charged per part', async () => {
  fake.answer = ({ reference, parts }) => ({
    kind: 'accepted',
    providerMessageIds: Array.from({ length: parts }, (_, part) => `${reference}/${part}`),
  })
  const campaignId = await buildCampaign(opened.database, {
    owner: manager,
    senderId,
    total: 20,
    body: `${'x'.repeat(170)}{#var#}`,
  })
  await runToEnd(campaignId)
  const { rows } = await opened.database.systemPool.query(
    'select count(*)::int as parts from message_parts where campaign_id = $1',
    [campaignId],
  )
  expect(rows).toEqual([{ parts: 40 }])
  expect(await counters(campaignId)).toMatchObject({ submitted: 20, parts: 40, cost: 40_000 })
})

test('broken connections during sending lose no response and send nothing twice', async () => {
  let count = 0
  fake.answer = async ({ reference }) => {
    count += 1
    if (count % 400 === 0) {
      await opened.database.ownerPool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'carillon carillon_system'`,
      )
    }
    return { kind: 'accepted', providerMessageIds: [reference] }
  }
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 2000, chunkSize: 250 })
  await runToEnd(campaignId)
  expect(fake.handedOver).toHaveLength(2000)
  expect(await statuses(campaignId)).toEqual({ sent: 2000 })
  expect(await counters(campaignId)).toMatchObject({ submitted: 2000, cost: 2_000_000 })
})
