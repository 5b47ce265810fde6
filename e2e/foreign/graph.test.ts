import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { asSystem } from '@carillon/server/db/pool'
import { checkInvariants } from '@carillon/server/modules/balance/index'
import { buildAdmin, buildManager, type Account } from '@carillon/server/testing/builders'
import { testServer, type Calls, type TestServer } from '@carillon/server/testing/server'
import { until } from '@carillon/server/testing/until'
import { fileOfPeople } from '@carillon/server/testing/whatsapp-campaigns'
import { giveRatesAndMoney } from '@carillon/server/testing/whatsapp-server'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { account, startForeignGraph, type ForeignGraph } from './graph.ts'

let graph: ForeignGraph
let server: TestServer
let manager: Account
let connection: WhatsappConnection
let templateId: string

beforeAll(async () => {
  graph = await startForeignGraph()
  server = await testServer({ environment: { EGRESS_ALLOW: `127.0.0.1:${graph.port}`, GRAPH_URL: graph.url } })
  const admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  await giveRatesAndMoney(server, { admin, payers: [manager] })
  connection = await connect()
  templateId = await createTemplate()
}, 60_000)
afterEach(() => graph.phones.clear())
afterAll(async () => {
  await server.close()
  await graph.close()
})

const ask: Calls['ask'] = (name, ...options) => server.as(manager).ask(name, ...options)

async function connect(): Promise<WhatsappConnection> {
  const { wabaId, appId, appSecret } = account
  const connected = await ask('wabas.connect', {
    body: { waba_id: wabaId, accessToken: graph.plan.token, appId, appSecret, graphUrl: graph.url },
  })
  const [number] = connected.numbers
  if (!number) throw new Error(`No number was found: ${JSON.stringify(connected.steps)}`)
  await ask('wabas.activate', { body: { id: number._id, isActive: true } })
  return connected
}

async function createTemplate(): Promise<string> {
  const { _id } = await ask('waTemplates.create', {
    body: {
      waba_id: account.wabaId,
      name: 'order_ready',
      language: 'en',
      category: 'UTILITY',
      components: { body: 'Hello {{1}}, your order is ready.', samples: [{ name: '1', sample: 'Asha' }] },
    },
  })
  return _id
}

const read = (id: string) => ask('campaigns.get', { path: { id } })

async function start(name: string, numbers: readonly string[]): Promise<string> {
  const { _id } = await ask('waCampaigns.create', {
    body: {
      campaignName: name,
      waba_id: account.wabaId,
      phone_number_id: account.phoneNumberId,
      message: { templateId, values: { body: [{ column: 1, fallback: '' }] } },
    },
    files: fileOfPeople(numbers.map((number) => `+${number}`)),
  })
  await until(async () => (await read(_id)).status === 'ready', 'validation')
  await ask('waCampaigns.start', { path: { id: _id }, body: {} })
  return _id
}

const numbersFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => String(919_845_000_000 + first + index))

/** Numbers that did not receive exactly one message. */
const miscounted = (numbers: readonly string[]) => numbers.filter((number) => graph.phones.get(number)?.length !== 1)

/** Skips rows locked by a lane: waiting for them could deadlock. */
const hurryRetries = `update retries set due_at = now()
  from (select organization_id, leg, seq from retries where campaign_id = $1 for update skip locked) free
  where retries.organization_id = free.organization_id and retries.campaign_id = $1
    and retries.leg = free.leg and retries.seq = free.seq`

/** Makes retries due immediately. */
async function waitForStats(id: string, isReached: (stats: CampaignDetail['stats']) => boolean, what: string) {
  await until(
    async () => {
      await server.database.ownerPool.query(hurryRetries, [id])
      return isReached((await read(id)).stats)
    },
    what,
    90_000,
  )
  expect(await asSystem(server.database, checkInvariants)).toEqual([])
}

test('a token that expires midway pauses the campaign; with a new one everyone gets one message', async () => {
  const numbers = numbersFrom(0, 300)
  const withoutWhatsapp = new Set(numbers.filter((_, index) => index % 10 === 9))
  graph.plan.hasWhatsapp = (to) => !withoutWhatsapp.has(to)
  graph.plan.expiresAfter = graph.counts.taken + 120
  const id = await start('Token expires', numbers)
  await until(async () => (await read(id)).status === 'paused', 'the pause')
  expect(await read(id)).toMatchObject({ pauseReason: 'channel_disconnected' })
  expect(graph.counts.taken).toBe(120)

  graph.plan.expiresAfter = undefined
  graph.plan.token = 'EAAJBsecond'
  await ask('wabas.change', { path: { id: connection._id }, body: { accessToken: graph.plan.token } })
  await waitForStats(id, ({ failed, read: seen }) => failed + seen === numbers.length, 'every report')
  expect((await read(id)).stats).toMatchObject({ failed: withoutWhatsapp.size })
  expect(miscounted(numbers.filter((number) => !withoutWhatsapp.has(number)))).toEqual([])
  expect(graph.phones.get(numbers[7] ?? '')).toMatchObject([{ template: 'order_ready', parameters: ['Person 7'] }])
  graph.plan.hasWhatsapp = () => true
}, 180_000)

// The second limit is below the rate that was found under the first.
test.each([
  [400, 25, 150],
  [429, 8, 60],
] as const)(
  'everyone gets one message from a number that throttles below its agreed rate, with status %i',
  async (throttleStatus, limitPerSecond, people) => {
    Object.assign(graph.plan, { limitPerSecond, throttleStatus })
    const throttledBefore = graph.counts.throttled
    const numbers = numbersFrom(throttleStatus * 1000, people)
    const id = await start(`Throttled with ${throttleStatus}`, numbers)
    await waitForStats(id, ({ read: seen }) => seen === numbers.length, 'every report')
    expect(miscounted(numbers)).toEqual([])
    expect(graph.counts.throttled).toBeGreaterThan(throttledBefore)
    graph.plan.limitPerSecond = Number.POSITIVE_INFINITY
  },
  180_000,
)

test('messages whose responses are late or lost are sent once, and callbacks complete them', async () => {
  Object.assign(graph.plan, { slow: { every: 25, delayMs: 3000 }, dropEvery: 40 })
  const numbers = numbersFrom(800_000, 200)
  const id = await start('Responses are lost', numbers)
  await waitForStats(id, ({ read: seen }) => seen === numbers.length, 'every report')
  expect(graph.counts.dropped).toBe(5)
  expect(miscounted(numbers)).toEqual([])
}, 180_000)
