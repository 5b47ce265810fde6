import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManager, type Account } from '@carillon/server/testing/builders'
import { testServer, type TestServer } from '@carillon/server/testing/server'
import { until } from '@carillon/server/testing/until'
import { buildCampaign, isCompleted, phoneOf } from '@carillon/server/modules/messages/test-lane'
import { startGateway, type Gateway } from './gateway.ts'
import { startForeignSmsc, type ForeignSmsc } from './smsc.ts'

/** The operator's rate limit, and the account's setting. */
const limitPerSecond = 50
const ratePerSecond = 200
const people = 250

let smsc: ForeignSmsc
let gateway: Gateway
let server: TestServer
let manager: Account

beforeAll(async () => {
  smsc = await startForeignSmsc({ ratePerSecond: limitPerSecond })
  gateway = await startGateway({ limitPerSecond, answerDelayMs: 20 })
  server = await testServer({
    environment: { EGRESS_ALLOW: `127.0.0.1:${smsc.port},127.0.0.1:${gateway.port}`, SECRET_KEY: 'ab'.repeat(32) },
  })
  manager = await buildManager(server.database)
})

afterAll(async () => {
  await server.close()
  await smsc.close()
  await gateway.close()
})

async function connect(provider: string, config: Record<string, unknown>): Promise<string> {
  const body = { name: `Main ${provider}`, provider, headers: ['ACMEIN'], ratePerSecond, config }
  const { _id: id } = await server.ask('smsAccounts.create', { as: manager, body })
  await server.call('smsAccounts.activate', { as: manager, body: { id, isActive: true } })
  return id
}

const connectGateway = () =>
  connect('http-gateway', {
    url: gateway.url,
    contentType: 'json',
    bodyTemplate: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","ref":"{{reference}}"}',
    idPath: 'id',
  })

/** Sends a campaign and returns the rate limit that the account shows. */
async function sendCampaign(senderId: string): Promise<number | undefined> {
  const campaignId = await buildCampaign(server.database, {
    owner: manager,
    senderId,
    total: people,
    chunkSize: people,
  })
  await until(() => isCompleted(server.database, campaignId), 'the campaign to end', 120_000)
  const { rows } = await server.database.systemPool.query(
    "select status, count(*)::int from messages where campaign_id = $1 and status in ('failed', 'unknown') group by 1",
    [campaignId],
  )
  expect(rows).toEqual([])
  return (await server.ask('smsAccounts.get', { as: manager, path: { id: senderId } })).state.operatorLimitPerSecond
}

const numbers = Array.from({ length: people }, (_, seq) => String(phoneOf(seq)))

test('everyone gets one message from an SMSC that throttles at a quarter of the agreed rate', async () => {
  const limit = await sendCampaign(
    await connect('smpp', { host: '127.0.0.1', port: smsc.port, systemId: 'a', window: 50 }),
  )
  expect(smsc.counts.throttled).toBeGreaterThan(0)
  expect(numbers.filter((number) => smsc.handset(number).length !== 1)).toEqual([])
  expect(limit).toBeLessThan(ratePerSecond)
}, 150_000)

test.each([undefined, 1])(
  'everyone gets one message from a gateway that throttles, with Retry-After %s',
  async (seconds) => {
    gateway.handsets.clear()
    gateway.plan.retryAfterSeconds = seconds
    const limit = await sendCampaign(await connectGateway())
    expect(gateway.totals().throttled).toBeGreaterThan(0)
    expect(numbers.filter((number) => gateway.handsets.get(number)?.length !== 1)).toEqual([])
    expect(limit).toBeLessThan(ratePerSecond)
  },
  150_000,
)
