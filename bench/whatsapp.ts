/**
 * 100,000 template messages over the real Cloud API provider to the simulated Meta in another process, each with its reports
 * through signed webhooks, until the last is stored as delivered. First without a rate limit: the bound is the sum of
 * three parts, each run alone: the HTTP requests, leasing and appending, and applying reports
 * in thousands. Then from a number with 1,000 messages a second, which must be reached and never exceeded.
 */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { Pool } from 'undici'
import { demoAccount } from '../packages/simulator/src/graph/demo-account.ts'
import { cloudApi } from '../packages/server/src/channels/whatsapp/cloud-api/cloud-api.ts'
import type { CloudApiConfig } from '../packages/server/src/channels/whatsapp/cloud-api/config.ts'
import type { ProviderEvent, WebhookResult } from '../packages/server/src/channels/provider.ts'
import { asSystem, type Database } from '../packages/server/src/db/pool.ts'
import { createEgress } from '../packages/server/src/egress/egress.ts'
import { systemClock } from '../packages/server/src/lib/clock.ts'
import { coalesce } from '../packages/server/src/lib/coalesce.ts'
import { createLogger } from '../packages/server/src/lib/logger.ts'
import { checkInvariants } from '../packages/server/src/modules/balance/index.ts'
import { foldCounters } from '../packages/server/src/modules/messages/housekeeping/fold-counters.ts'
import { applyProviderEvents, startHousekeeping, startSender } from '../packages/server/src/modules/messages/index.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { createOwner, leaseAndAppend } from './dispatch.ts'
import { assertEqual, benchDatabase, contest, measure, type BenchDatabase } from './harness.ts'
import { applyBareReports, startSimulatorProcess } from './smpp.ts'

const people = 100_000
const concurrency = 64
const limit = 1000
const [lineId] = demoAccount.phoneNumberIds
const template = { name: 'hello_world', language: 'en_US', content: { body: 'Hello World' } }

type Meta = { http: number; baseUrl: string }

export async function benchWhatsapp(): Promise<void> {
  const bench = await benchDatabase()
  const simulator = await startSimulatorProcess()
  const meta = { http: simulator.http, baseUrl: `http://127.0.0.1:${simulator.http}/graph` }
  try {
    await set(meta, { throughput: 0, pairLimit: false, tierLimit: false, readShare: 0, webhookGatherMs: 50 })
    await contest({
      name: 'whatsapp',
      unit: 'messages',
      count: people,
      target: 0.5,
      database: bench.database,
      ours: async () => (await sendCampaign(bench, meta, Number.POSITIVE_INFINITY)).seconds,
      limit: async () =>
        (await bareRequests(meta)) +
        (await leaseAndAppend(bench.database, people, 45)) +
        (await applyBareReports(bench.database)),
    })
    await set(meta, { throughput: limit })
    const { sendingSeconds, throttled } = await sendCampaign(bench, meta, limit)
    const rate = people / sendingSeconds
    console.log(
      `from a number of ${limit} messages/s: ${rate.toFixed(1)}/s, ${((1 - rate / limit) * 100).toFixed(2)} % under it, ${throttled} throttled`,
    )
    assertEqual(throttled, 0, 'throttled')
  } finally {
    simulator.process.kill('SIGTERM')
    await once(simulator.process, 'exit')
    await bench.drop()
  }
}

async function set({ http }: Meta, settings: object): Promise<void> {
  await post(http, '/api/graph/settings', settings)
}

async function post(port: number, path: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

type Sent = {
  /** Until the last is delivered. */ seconds: number
  /** Until the last was accepted. */ sendingSeconds: number
  throttled: number
}

async function sendCampaign({ database, url }: BenchDatabase, meta: Meta, ratePerSecond: number): Promise<Sent> {
  const owner = await createOwner(database)
  const senderId = await buildSender(database, owner, { ratePerSecond: 10_000 })
  const campaignId = await buildCampaign(database, { owner, senderId, total: people, status: 'paused' })
  await asWhatsapp(database, { senderId, campaignId })
  await database.ownerPool.query('analyze')
  const config = configOf(meta)
  const key = { organizationId: owner.organizationId, senderId }
  const apply = coalesce<ProviderEvent>(
    async (events) => void (await applyProviderEvents(database.systemPool, key, events)),
    { size: 1000, waitMs: 20 },
  )
  const hooks = await receive(config, apply)
  await post(meta.http, '/api/graph/webhook', { url: hooks.url, verifyToken: config.verifyToken })
  const sender = await startSender({
    database,
    databaseUrl: url,
    logger: createLogger('error'),
    io: {
      clock: systemClock,
      readInstallationSettings: async () => undefined,
      egress: createEgress({ allowedPrivate: [`127.0.0.1:${meta.http}`], allowedPorts: [], connections: concurrency }),
    },
    loadConnection: async () => ({
      provider: cloudApi as never,
      config,
      ratePerSecond,
      callbackUrl: '',
      idempotent: false,
      lineId,
    }),
    applyEvents: (_key, events) => apply(events),
  })
  const housekeeping = startHousekeeping({
    pool: database.systemPool,
    logger: createLogger('error'),
    onCampaignDrained: async () => undefined,
  })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  let sendingSeconds = 0
  const begin = performance.now()
  const seconds = await measure(async () => {
    await database.ownerPool.query(`update campaigns set status = 'queued', run_epoch = run_epoch + 1 where id = $1`, [
      campaignId,
    ])
    sender.wake()
    for (;;) {
      const { submitted, delivered } = await progress(database, campaignId)
      if (submitted === people && sendingSeconds === 0) sendingSeconds = (performance.now() - begin) / 1000
      if (delivered === people) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  await sender.stop()
  await housekeeping.stop()
  await hooks.close()

  await foldCounters(database.systemPool)
  const counted = await database.ownerPool.query(
    'select status, count(*) from messages where campaign_id = $1 group by status',
    [campaignId],
  )
  assertEqual(counted.rows, [{ status: 'delivered', count: people }], 'messages')
  assertEqual(await asSystem(database, checkInvariants), [], 'ledger')
  const { rows } = await database.ownerPool.query<{ count: number }>(
    'select count(*) from messages where campaign_id = $1 and attempt > 1',
    [campaignId],
  )
  return { seconds, sendingSeconds, throttled: rows[0]?.count ?? 0 }
}

/** The campaign was built for SMS: same recipients, other channel. */
async function asWhatsapp(database: Database, { senderId, campaignId }: { senderId: string; campaignId: string }) {
  await database.ownerPool.query(`update senders set channel = 'whatsapp' where id = $1`, [senderId])
  await database.ownerPool.query(`update campaigns set channel = 'whatsapp' where id = $1`, [campaignId])
  await database.ownerPool.query(`update campaign_legs set channel = 'whatsapp', content = $2 where campaign_id = $1`, [
    campaignId,
    JSON.stringify({ template, values: {} }),
  ])
}

function configOf({ baseUrl }: Meta): CloudApiConfig {
  const { wabaId, appId, appSecret, token: accessToken, verifyToken } = demoAccount
  return cloudApi.config.parse({ wabaId, appId, accessToken, appSecret, verifyToken, graphUrl: baseUrl, concurrency })
}

/** Verified on the raw bytes and answered after the commit, as the product does. */
async function receive(
  config: CloudApiConfig,
  apply: (events: ProviderEvent[]) => Promise<void>,
): Promise<{ url: string; close(): Promise<void> }> {
  return listen((request, response) => {
    void read(request).then(async (rawBody) => {
      const result = judge(request, rawBody, config)
      if (result.kind === 'refused') return response.writeHead(result.status).end(result.message)
      await apply(result.events)
      return response
        .writeHead(result.reply.status, { 'content-type': result.reply.contentType })
        .end(result.reply.body)
    })
  })
}

async function listen(answer: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/events`,
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function judge(request: IncomingMessage, rawBody: Buffer, config: CloudApiConfig): WebhookResult {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
  const asked = {
    method: request.method ?? 'GET',
    action: 'events',
    url: url.href,
    headers,
    query: Object.fromEntries(url.searchParams),
    rawBody,
  }
  const result = cloudApi.webhook?.(asked, config)
  if (!result) throw new Error('The provider takes no callbacks')
  return result
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

async function progress(database: Database, campaignId: string): Promise<{ submitted: number; delivered: number }> {
  const { rows } = await database.ownerPool.query<{ submitted: number; delivered: number }>(
    `select coalesce(sum(submitted), 0) as submitted, coalesce(sum(delivered), 0) as delivered from (
      select submitted, delivered from counter_deltas where campaign_id = $1
      union all select submitted, delivered from counters where campaign_id = $1) counted`,
    [campaignId],
  )
  return { submitted: Number(rows[0]?.submitted), delivered: Number(rows[0]?.delivered) }
}

/** The same requests from a bare client that ignores the results. */
async function bareRequests({ http }: Meta): Promise<number> {
  const hooks = await listen((request, response) => {
    request.resume().on('end', () => response.end())
  })
  await post(http, '/api/graph/webhook', { url: hooks.url, handshake: false })
  const pool = new Pool(`http://127.0.0.1:${http}`, { connections: concurrency })
  let sent = 0
  const next = async (): Promise<void> => {
    while (sent < people) {
      const to = `+${phoneOf(sent)}`
      sent += 1
      const { statusCode, body } = await pool.request({
        path: `/graph/v25.0/${lineId}/messages`,
        method: 'POST',
        headers: { authorization: `Bearer ${demoAccount.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          to,
          type: 'template',
          template: { name: template.name, language: { code: template.language } },
        }),
      })
      await body.text()
      if (statusCode !== 200) throw new Error(`The simulator answered ${statusCode}`)
    }
  }
  const seconds = await measure(async () => {
    await Promise.all(Array.from({ length: concurrency }, next))
  })
  await pool.close()
  await hooks.close()
  return seconds
}
