import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { buildCampaign, buildLane, isCompleted, startTestSender, type FakeProvider } from '../test-lane.ts'
import { foldCounters } from './fold-counters.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider

beforeAll(async () => {
  opened = await testDatabase()
})

beforeEach(async () => {
  ;({ manager, senderId, fake } = await buildLane(opened.database))
})

afterAll(() => opened.drop())

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.ownerPool.query<Row>(text, values)).rows

async function sendCampaign(total: number): Promise<string> {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total })
  const sender = await startTestSender(opened, { provider: fake })
  await until(() => isCompleted(opened.database, campaignId), 'the campaign')
  await sender.stop()
  return campaignId
}

const report = (reference: string) =>
  applyProviderEvents(opened.database.systemPool, { organizationId: manager.organizationId, senderId }, [
    {
      kind: 'delivery-report',
      providerMessageIds: [`p-${reference}`],
      status: 'delivered',
      at: new Date(),
      raw: reference,
    },
  ])

test('a delivery counts on the day on which its message was sent', async () => {
  await sendCampaign(3)
  // As if the messages had been sent yesterday.
  await query('update messages set left_on = left_on - 1 where organization_id = $1', [manager.organizationId])
  await query('update counter_deltas set left_on = left_on - 1 where organization_id = $1', [manager.organizationId])
  await foldCounters(opened.database.systemPool)
  for (const { reference } of fake.handedOver.slice(0, 2)) await report(reference)
  await foldCounters(opened.database.systemPool)
  expect(
    await query(
      `select organization_day($1) - day as age, submitted, sent, delivered from daily_counters where organization_id = $1`,
      [manager.organizationId],
    ),
  ).toEqual([{ age: 1, submitted: 3, sent: 1, delivered: 2 }])
})

test("the day is that of the organisation's time zone", async () => {
  // 14 hours ahead of UTC: a different date for most of a UTC day.
  await query(`update accounts set timezone = 'Pacific/Kiritimati' where organization_id = $1`, [
    manager.organizationId,
  ])
  const campaignId = await sendCampaign(1)
  expect(
    await query(
      `select left_on = (sent_at at time zone 'Pacific/Kiritimati')::date as "isLocal" from messages where campaign_id = $1`,
      [campaignId],
    ),
  ).toEqual([{ isLocal: true }])
})

test('reports about messages of several days move the money of a leg once', async () => {
  fake.answer = () => ({ kind: 'unknown', code: 'timeout', detail: '' })
  await sendCampaign(2)
  await query('update messages set left_on = left_on - seq where organization_id = $1', [manager.organizationId])
  const { organizationId } = manager
  const refused = fake.handedOver.map(({ reference }) => ({
    kind: 'delivery-report' as const,
    providerMessageIds: [],
    reference,
    status: 'delivered' as const,
    at: new Date(),
    raw: reference,
  }))
  await applyProviderEvents(opened.database.systemPool, { organizationId, senderId }, refused)
  await foldCounters(opened.database.systemPool)
  expect(
    await query(
      `select organization_day($1) - day as age, delivered, cost::int from daily_counters where organization_id = $1 order by 1`,
      [organizationId],
    ),
  ).toEqual([
    { age: 0, delivered: 1, cost: 1000 },
    { age: 1, delivered: 1, cost: 1000 },
  ])
  const moves = await query(`select from ledger_entries where organization_id = $1 and op_key like 'recharge:%'`, [
    organizationId,
  ])
  expect(moves).toHaveLength(1)
})
