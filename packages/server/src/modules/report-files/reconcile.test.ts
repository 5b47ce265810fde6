import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { applyProviderEvents } from '../messages/reports/apply-provider-events.ts'
import { acceptAll, buildShop, singleOf, type Shop } from '../messages/single-sends/test-shop.ts'
import { buildCampaign, fakeProvider, isCompleted, startTestSender } from '../messages/test-lane.ts'
import { prepare, today } from './test-reports.ts'

let server: TestServer
let shop: Shop

beforeAll(async () => {
  server = await testServer()
  shop = await buildShop(server.database, { units: 10_000_000 })
  await sendMessages()
})
afterAll(() => server.close())

/** 40 messages of a campaign and 12 single messages, of which every fourth was refused and every fifth not delivered. */
async function sendMessages() {
  const { manager, senderId } = shop
  const fake = fakeProvider()
  fake.answer = ({ reference }) =>
    fake.handedOver.findIndex((message) => message.reference === reference) % 4 === 3
      ? { kind: 'rejected', reason: 'undelivered', code: '1', detail: '', scope: 'message' }
      : { kind: 'accepted', providerMessageIds: [`p-${reference}`] }
  const campaignId = await buildCampaign(server.database, {
    owner: manager,
    senderId,
    total: 40,
    price: 1000,
    billableOn: 'delivered',
  })
  await acceptAll(
    server.database,
    shop,
    Array.from({ length: 12 }, (_, index) => singleOf(shop, { phoneNumber: `+91987650${1000 + index}` })),
  )
  const sender = await startTestSender({ database: server.database, url: server.databaseUrl }, { provider: fake })
  await until(
    async () => fake.handedOver.length === 52 && (await isCompleted(server.database, campaignId)),
    'the messages',
  )
  await sender.stop()
  await applyProviderEvents(
    server.database.systemPool,
    { organizationId: manager.organizationId, senderId },
    fake.handedOver.map(({ reference }, index) => ({
      kind: 'delivery-report' as const,
      providerMessageIds: [`p-${reference}`],
      status: index % 5 === 4 ? ('failed' as const) : ('delivered' as const),
      at: new Date(),
      raw: '',
    })),
  )
}

test('report, dashboard, team usage and statement have the same figures', async () => {
  const { manager } = shop
  const { summary } = await prepare(server, { as: manager, type: 'usage_and_billing' })
  const ofReport = (label: string) => summary.find((line) => line.label === label)?.value
  const log = await prepare(server, { as: manager, type: 'delivery_log' })
  const ofLog = (label: string) => log.summary.find((line) => line.label === label)?.value
  await until(async () => {
    const { rows } = await server.database.ownerPool.query('select from counter_deltas limit 1')
    return rows.length === 0
  }, 'the fold')
  const dashboard = await server.ask('dashboard.statusCounts', { as: manager, query: { days: 1 } })
  const team = await server.ask('reports.teamUsage', { as: manager, query: { startDate: today, endDate: today } })
  const statement = await server.ask('statement.list', { as: manager, query: { from: today, to: today, limit: 100 } })
  const paid = -statement.entries
    .filter(({ kind }) => kind === 'usage' || kind === 'refund')
    .reduce((sum, { amount }) => sum + amount, 0)

  expect(ofReport('Messages')).toBe(52)
  expect(ofReport('Sent')).toBe(dashboard.total.submitted)
  expect(team.total.submitted).toBe(dashboard.total.submitted)
  expect(log.rows).toBe(52)
  const cost = ofReport('Cost (₹)')
  expect(cost).toBeGreaterThan(2)
  expect([ofLog('Cost (₹)'), dashboard.total.cost, team.total.cost]).toEqual([cost, cost, cost])
  expect(Math.round(paid * 100) / 100).toBe(cost)
})
