/** A campaign over a provider that is reached by HTTP and reports to a webhook. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import type { Channel } from '@carillon/contract/channels'
import { Pool } from 'undici'
import type { Provider, ProviderEvent, WebhookResult } from '../packages/server/src/channels/provider.ts'
import { asSystem, type Database } from '../packages/server/src/db/pool.ts'
import { createEgress } from '../packages/server/src/egress/egress.ts'
import { systemClock } from '../packages/server/src/lib/clock.ts'
import { coalesce } from '../packages/server/src/lib/coalesce.ts'
import { createLogger } from '../packages/server/src/lib/logger.ts'
import { checkInvariants } from '../packages/server/src/modules/balance/index.ts'
import { foldCounters } from '../packages/server/src/modules/messages/housekeeping/fold-counters.ts'
import { applyProviderEvents, startHousekeeping, startSender } from '../packages/server/src/modules/messages/index.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { createOwner } from './dispatch.ts'
import { assertEqual, measure, type BenchDatabase } from './harness.ts'

export const people = 100_000
export const concurrency = 64

/** A provider with its settings for a simulated platform, and the message that is sent over it. */
export type Route<Config> = {
  channel: Channel
  provider: Pick<Provider<Config, never>, 'webhook'>
  config: Config
  lineId?: string
  /** The platform ignores a message with a reference that it knows. */
  isIdempotent: boolean
  /** Input of the channel's `compileLeg`. */
  content: object
  /** Of the platform. */
  port: number
  /** The installation's settings of the provider, if it has any. */
  settings?: unknown
  /** Sets the URL for reports. A bare receiver cannot validate itself. */
  setWebhook(url: string, options: { isBare: boolean }): Promise<void>
  /** The same message as a request of a bare client. */
  bareRequest(to: string): { path: string; headers: Record<string, string>; body: object }
}

type Sent = {
  /** Until the last is delivered. */
  seconds: number
  /** Until the last was accepted. */
  sendingSeconds: number
  throttled: number
}

/** A sender's connection. */
export type Connection = {
  provider: unknown
  config: unknown
  ratePerSecond: number
  /** The provider ignores a message with a reference that it knows. */
  idempotent: boolean
  lineId?: string
}

export type Product = {
  /** Stores the events of a sender that its webhook got; resolves after the commit. */
  apply(senderId: string, events: readonly ProviderEvent[]): Promise<void>
  wake(): void
  stop(): Promise<void>
}

type ProductOptions = {
  organizationId: string
  connections: ReadonlyMap<string, Connection>
  /** Ports of this machine that may be called. */
  ports: readonly number[]
  /** Of the installation. */
  settings?: unknown
}

/** The sender and the housekeeping of the product, with its batches of events. */
export async function startProduct(
  { database, url }: BenchDatabase,
  { organizationId, connections, ports, settings }: ProductOptions,
): Promise<Product> {
  const logger = createLogger('error')
  const sinks = new Map(
    [...connections.keys()].map((senderId) => [
      senderId,
      coalesce<ProviderEvent>(
        async (events) => void (await applyProviderEvents(database.systemPool, { organizationId, senderId }, events)),
        { size: 1000, waitMs: 100, quietMs: 2 },
      ),
    ]),
  )
  const apply = async (senderId: string, events: readonly ProviderEvent[]) => sinks.get(senderId)?.(events)
  const allowedPrivate = ports.map((port) => `127.0.0.1:${port}`)
  const sender = await startSender({
    database,
    databaseUrl: url,
    logger,
    io: {
      clock: systemClock,
      readInstallationSettings: async () => settings,
      egress: createEgress({ allowedPrivate, allowedPorts: [], connections: concurrency }),
    },
    async loadConnection({ senderId }) {
      const connection = connections.get(senderId)
      if (!connection) throw new Error('This sender has no connection')
      return { callbackUrl: '', ...connection, provider: connection.provider as never }
    },
    applyEvents: ({ senderId }, events) => apply(senderId, events),
  })
  const housekeeping = startHousekeeping({
    pool: database.systemPool,
    logger,
    onCampaignDrained: async () => undefined,
  })
  // Until its connections exist.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  return {
    async apply(senderId, events) {
      await sender.caughtUp(senderId)
      await apply(senderId, events)
    },
    wake: () => sender.wake(),
    async stop() {
      await sender.stop()
      await housekeeping.stop()
      // Later rounds must not open their lanes.
      await database.ownerPool.query('update senders set is_active = false where id = any($1)', [
        [...connections.keys()],
      ])
    },
  }
}

/** Sends the campaign through the product until every message is stored as delivered, and checks the result. */
export async function sendOver<Config>(
  bench: BenchDatabase,
  route: Route<Config>,
  { ratePerSecond, total = people }: { ratePerSecond: number; total?: number },
): Promise<Sent> {
  const { database } = bench
  const { provider, config, isIdempotent, lineId, port, settings } = route
  const owner = await createOwner(database)
  const senderId = await buildSender(database, owner, { ratePerSecond: 10_000 })
  const campaignId = await buildCampaign(database, { owner, senderId, total, status: 'paused' })
  await moveToChannel(database, { senderId, campaignId }, route)
  await database.ownerPool.query('analyze')
  const connection = { provider, config, ratePerSecond, idempotent: isIdempotent, ...(lineId && { lineId }) }
  const product = await startProduct(bench, {
    organizationId: owner.organizationId,
    connections: new Map([[senderId, connection]]),
    ports: [port],
    settings,
  })
  const hooks = await receive(route, (events) => product.apply(senderId, events))
  await route.setWebhook(hooks.url, { isBare: false })
  let sendingSeconds = 0
  const begin = performance.now()
  const seconds = await measure(async () => {
    await startCampaign(database, campaignId)
    product.wake()
    for (;;) {
      const { submitted, delivered } = await progress(database, campaignId)
      if (submitted === total && sendingSeconds === 0) sendingSeconds = (performance.now() - begin) / 1000
      if (delivered === total) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  await product.stop()
  await hooks.close()
  return { seconds, sendingSeconds, throttled: await assertDelivered(database, { campaignId, total }) }
}

export async function startCampaign(database: Database, campaignId: string) {
  await database.ownerPool.query(`update campaigns set status = 'queued', run_epoch = run_epoch + 1 where id = $1`, [
    campaignId,
  ])
}

/** The campaign was built for SMS: same recipients, but its first leg uses another channel. */
export async function moveToChannel(
  database: Database,
  { senderId, campaignId }: { senderId: string; campaignId: string },
  { channel, content }: Pick<Route<unknown>, 'channel' | 'content'>,
) {
  await database.ownerPool.query(`update senders set channel = $2 where id = $1`, [senderId, channel])
  await database.ownerPool.query(`update campaigns set channel = $2 where id = $1`, [campaignId, channel])
  await database.ownerPool.query(
    `update campaign_legs set channel = $2, content = $3 where campaign_id = $1 and leg = 1`,
    [campaignId, channel, JSON.stringify(content)],
  )
}

export async function progress(
  database: Database,
  campaignId: string,
): Promise<{ submitted: number; delivered: number }> {
  const { rows } = await database.ownerPool.query<{ submitted: number; delivered: number }>(
    `select coalesce(sum(submitted), 0) as submitted, coalesce(sum(delivered), 0) as delivered from (
      select submitted, delivered from counter_deltas where campaign_id = $1
      union all select submitted, delivered from counters where campaign_id = $1) counted`,
    [campaignId],
  )
  return { submitted: Number(rows[0]?.submitted), delivered: Number(rows[0]?.delivered) }
}

/** Every message is delivered and charged once. Returns how many were throttled. */
async function assertDelivered(
  database: Database,
  { campaignId, total }: { campaignId: string; total: number },
): Promise<number> {
  await foldCounters(database.systemPool)
  const counted = await database.ownerPool.query(
    'select status, count(*) from messages where campaign_id = $1 group by status',
    [campaignId],
  )
  assertEqual(counted.rows, [{ status: 'delivered', count: total }], 'messages')
  assertEqual(await asSystem(database, checkInvariants), [], 'ledger')
  const { rows } = await database.ownerPool.query<{ count: number }>(
    'select count(*) from messages where campaign_id = $1 and attempt > 1',
    [campaignId],
  )
  return rows[0]?.count ?? 0
}

/** The same requests from a bare client that ignores the results and the reports. */
export async function sendBare<Config>(
  { port, setWebhook, bareRequest }: Route<Config>,
  { expected = [200] }: { expected?: readonly number[] } = {},
): Promise<number> {
  const hooks = await listen((request, response) => {
    request.resume().on('end', () => response.end())
  })
  await setWebhook(hooks.url, { isBare: true })
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency })
  let sent = 0
  const next = async (): Promise<void> => {
    while (sent < people) {
      const { path, headers, body } = bareRequest(`+${phoneOf(sent)}`)
      sent += 1
      const answer = await pool.request({
        path,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      await answer.body.text()
      if (!expected.includes(answer.statusCode)) throw new Error(`The simulator answered ${answer.statusCode}`)
    }
  }
  const seconds = await measure(async () => {
    await Promise.all(Array.from({ length: concurrency }, next))
  })
  await pool.close()
  await hooks.close()
  return seconds
}

/** Verified on the raw bytes and answered after the commit, as the product does. */
export async function receive<Config>(
  route: Pick<Route<Config>, 'provider' | 'config'>,
  apply: (events: ProviderEvent[]) => Promise<void>,
): Promise<{ url: string; close(): Promise<void> }> {
  return listen((request, response) => {
    void read(request).then(async (rawBody) => {
      const result = judge(request, rawBody, route)
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

function judge<Config>(
  request: IncomingMessage,
  rawBody: Buffer,
  { provider, config }: Pick<Route<Config>, 'provider' | 'config'>,
): WebhookResult {
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
  const result = provider.webhook?.(asked, config)
  if (!result) throw new Error('The provider takes no callbacks')
  return result
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Calls the control API of the simulator. */
export async function control(port: number, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
