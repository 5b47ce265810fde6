/**
 * 50,000 webhooks to 100 receivers of one organisation, five of which never answer: 500 messages are delivered, and each endpoint gets a
 * webhook for each. Measured from the commit of the reports until the other 95 receivers have all of theirs. The limit is a bare loop that
 * signs the same bodies and sends them with the same number of requests at a time to the same receivers, and stores nothing.
 * Then the same number of webhooks arrives at half of our own rate, for the time from the commit to the receiver.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { asSystem, type Database } from '../packages/server/src/db/pool.ts'
import { createEgress } from '../packages/server/src/egress/egress.ts'
import { consumeEvents, subscribe } from '../packages/server/src/events/event-queue.ts'
import { systemClock } from '../packages/server/src/lib/clock.ts'
import { newId } from '../packages/server/src/lib/ids.ts'
import { createLogger } from '../packages/server/src/lib/logger.ts'
import { createSecretBox } from '../packages/server/src/lib/secrets.ts'
import { createWebhookConsumer, keepDays, startDelivering } from '../packages/server/src/modules/webhooks/index.ts'
import { newSecret, sealSecrets } from '../packages/server/src/modules/webhooks/secrets.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import type { Account } from '../packages/server/src/testing/builders.ts'
import { createOwner } from './dispatch.ts'
import { assertEqual, benchDatabase, contest, measure, type BenchDatabase } from './harness.ts'

const receivers = 100
const silent = 5
const messages = 500
const healthy = (receivers - silent) * messages
/** Messages of one report batch. */
const batch = 100
const atOnce = 4

type Counts = { requests: number; deliveries: number; unsigned: number; p50: number; p99: number }
type Stub = { child: ChildProcess; urls: string[]; ask(path: string): Promise<Counts> }

export async function benchWebhooksOut(): Promise<void> {
  const bench = await benchDatabase()
  const stub = await startReceivers()
  await keepDays(bench.database, 180)
  let fastest = 0
  try {
    await contest({
      name: 'webhooks-out',
      unit: 'webhooks',
      count: healthy,
      target: 0.4,
      database: bench.database,
      async ours() {
        const seconds = await deliver(bench, stub)
        fastest = Math.max(fastest, healthy / seconds)
        return seconds
      },
      limit: () => sendBare(stub),
    })
    await deliverPaced(bench, stub, fastest / 2)
  } finally {
    stub.child.kill()
    await bench.drop()
  }
}

async function startReceivers(): Promise<Stub> {
  const path = fileURLToPath(new URL('webhook-receivers-stub.ts', import.meta.url))
  const child = spawn(process.execPath, [path, String(receivers), String(silent)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { ports } = JSON.parse(line) as { ports: number[] }
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const control = urls.pop() ?? ''
  return { child, urls, ask: async (path) => (await (await fetch(`${control}${path}`)).json()) as Counts }
}

type Prepared = { owner: Account; campaignId: string }

/** A campaign whose messages were sent, and the endpoints of its organisation. */
async function prepare(
  database: Database,
  stub: Stub,
  secretBox: ReturnType<typeof createSecretBox>,
): Promise<Prepared> {
  const owner = await createOwner(database)
  const senderId = await buildSender(database, owner)
  const campaignId = await buildCampaign(database, { owner, senderId, total: messages, status: 'paused' })
  await database.ownerPool.query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, provider_message_id, sent_at, delivered_at)
    select $1, current_date, $2, seq, 1, $3, ${phoneOf(0)} + seq, 'delivered', 1, 1000, 'delivered', 'p' || seq, now(), now()
    from generate_series(0, ${messages - 1}) seq`,
    [owner.organizationId, campaignId, senderId],
  )
  await asSystem(database, async (db) => {
    await db
      .insertInto('account_modules')
      .values({ organization_id: owner.organizationId, account_id: owner.id, module: 'api' })
      .execute()
    for (const url of stub.urls) await addEndpoint(url)

    async function addEndpoint(url: string) {
      const key = { organizationId: owner.organizationId, id: newId() }
      await db
        .insertInto('webhook_endpoints')
        .values({
          organization_id: key.organizationId,
          id: key.id,
          account_id: owner.id,
          url,
          types: ['message.delivered'],
          signature: 'v1',
          secrets: sealSecrets(secretBox, key, { current: newSecret('v1').secret }),
        })
        .execute()
      await db
        .insertInto('webhook_lanes')
        .values({ organization_id: key.organizationId, endpoint_id: key.id })
        .execute()
      await subscribe(db, { ...key, subscriber: 'webhooks', target: key.id, types: ['message.status'] })
    }
  })
  await database.ownerPool.query('analyze')
  return { owner, campaignId }
}

async function withDelivery<Result>(
  { database, url }: BenchDatabase,
  stub: Stub,
  work: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const secretBox = createSecretBox('ab'.repeat(32))
  // What the silent receivers of the round before have not got.
  await database.ownerPool.query('truncate webhook_queue, webhook_endpoints, event_subscriptions, event_queue cascade')
  const prepared = await prepare(database, stub, secretBox)
  const allowedPrivate = stub.urls.map((one) => new URL(one).host)
  const common = {
    database,
    databaseUrl: url,
    logger: createLogger('silent'),
    clock: systemClock,
  }
  const egress = createEgress({ allowedPrivate, allowedPorts: [], connections: 2048 })
  const events = consumeEvents({ ...common, consumers: { webhooks: createWebhookConsumer(common) } })
  const deliveries = startDelivering({ ...common, egress, secretBox, timing: { grace: 0 } })
  await stub.ask('/reset')
  try {
    return await work(prepared)
  } finally {
    await events.stop()
    await deliveries.stop()
    await egress.close()
  }
}

/** As in the transaction of a report batch, without a notification: the queue of events is polled. */
async function publish(
  { systemPool }: Database,
  { owner, campaignId }: Prepared,
  { from, count }: { from: number; count: number },
): Promise<void> {
  const seqs = Array.from({ length: count }, (_, index) => from + index)
  await systemPool.query(`select publish_statuses($1, $2, 1::smallint, 'delivered', $3)`, [
    owner.organizationId,
    campaignId,
    seqs,
  ])
}

async function arrived(stub: Stub, count: number): Promise<Counts> {
  for (;;) {
    const counts = await stub.ask('/counts')
    if (counts.deliveries >= count) return counts
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function deliver(bench: BenchDatabase, stub: Stub): Promise<number> {
  return withDelivery(bench, stub, async (prepared) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const seconds = await measure(async () => {
      for (let from = 0; from < messages; from += batch) await publish(bench.database, prepared, { from, count: batch })
      await arrived(stub, healthy)
    })
    const { requests, deliveries, unsigned } = await stub.ask('/counts')
    assertEqual({ requests, deliveries, unsigned }, { requests: healthy, deliveries: healthy, unsigned: 0 }, 'webhooks')
    return seconds
  })
}

/** Publishes a few messages at a time. */
/** Publishes a few messages at a time. */
async function deliverPaced(bench: BenchDatabase, stub: Stub, rate: number): Promise<void> {
  const count = 5
  const pauseMs = ((count * (receivers - silent)) / rate) * 1000
  const counts = await withDelivery(bench, stub, async (prepared) => {
    const begin = performance.now()
    for (let from = 0; from < messages; from += count) {
      await publish(bench.database, prepared, { from, count })
      const dueAt = begin + (from / count + 1) * pauseMs
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())))
    }
    return arrived(stub, healthy)
  })
  console.log(
    `at ${Math.round(rate)} webhooks/s: p50 ${counts.p50} ms, p99 ${counts.p99} ms from the commit; wanted p99 at most 2000 ms`,
  )
}

async function sendBare(stub: Stub): Promise<number> {
  const agent = new Agent({ connections: 2048, pipelining: 1 })
  const key = randomBytes(32)
  const data = {
    id: `${newId()}.1.1`,
    kind: 'campaign',
    channel: 'sms',
    to: '+919800000000',
    from: 'ACMEIN',
    sender: { id: newId(), name: `Sender ${newId()}` },
    status: 'delivered',
    parts: 1,
    cost: 0.1,
    campaign: { id: newId(), name: 'Test campaign', position: 1 },
    sentAt: new Date().toISOString(),
    deliveredAt: new Date().toISOString(),
  }
  await stub.ask('/reset')
  const send = async (url: string) => {
    const body = JSON.stringify({ type: 'message.delivered', timestamp: new Date().toISOString(), data })
    const id = `msg_${newId().replaceAll('-', '')}`
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    }
    const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body })
    await answer.body.dump()
  }
  const seconds = await measure(async () => {
    await Promise.all(
      stub.urls.slice(silent).map(async (url) => {
        let left = messages
        await Promise.all(
          Array.from({ length: atOnce }, async () => {
            while (left > 0) {
              left -= 1
              await send(url)
            }
          }),
        )
      }),
    )
    await arrived(stub, healthy)
  })
  await agent.close()
  return seconds
}
