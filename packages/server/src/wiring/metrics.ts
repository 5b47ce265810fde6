import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Database } from '../db/pool.ts'
import { mountHealth } from '../http/health.ts'
import { createHttpServer } from '../http/server.ts'
import { addGauge, readSeldom, type Sample } from '../lib/metrics.ts'
import {
  countWaitingReports,
  measureQueues,
  type LaneMeasure,
  type QueueMeasure,
  type Sender,
} from '../modules/messages/index.ts'
import type { RestoreGuard } from '../modules/restores/index.ts'
import { measureWebhooks, type WebhookMeasure } from '../modules/webhooks/index.ts'
import { countQueuedReceipts, type SmppServer } from '../modules/smpp-server/index.ts'
import type { Services } from './services.ts'

/** Minimum interval of database reads for metrics, however many scrapes there are. */
const readEveryMs = 5000

/** The gauges of this process; counters are defined next to the code they count. */
export function createMetrics(services: Services, guard: RestoreGuard): Registry {
  const { database, realtime } = services
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addGauge(registry, { name: 'carillon_sockets', help: 'Open sockets' }, realtime.connections)
  addGauge(
    registry,
    {
      name: 'carillon_unhandled_rejections',
      help: 'Promises rejected without a handler since the start; each is a defect and is logged',
    },
    services.unhandledRejections,
  )
  addGauge(registry, { name: 'carillon_sending_paused', help: '1 while sending is paused after a restore' }, () =>
    guard.notice() === undefined ? 0 : 1,
  )
  addPoolGauges(registry, database)
  addDatabaseGauges(registry, database)
  return registry
}

function addPoolGauges(registry: Registry, { usage }: Database) {
  addGauge(
    registry,
    {
      name: 'carillon_database_connections',
      help: 'Connections to the database, by pool and state',
      labelNames: ['pool', 'state'],
    },
    () =>
      usage().flatMap(({ pool, inUse, idle }) => [
        { labels: { pool, state: 'in_use' }, value: inUse },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
  )
  addGauge(
    registry,
    {
      name: 'carillon_database_waiting',
      help: 'Tasks waiting for a database connection, by pool',
      labelNames: ['pool'],
    },
    () => usage().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  )
}

/** The same in every process, because they are read from the database. */
function addDatabaseGauges(registry: Registry, database: Database) {
  const { systemPool } = database
  const count = (text: string) =>
    readSeldom(readEveryMs, async () => (await systemPool.query<{ count: number }>(text)).rows[0]?.count ?? 0)
  addGauge(
    registry,
    {
      name: 'ledger_invariant_breaches',
      help: 'Organisations whose sending stopped because their ledger did not add up',
    },
    count('select count(distinct organization_id) from ledger_accounts where frozen_at is not null'),
  )
  addGauge(
    registry,
    {
      name: 'carillon_poison_events',
      help: 'Callbacks and events of providers that could not be applied and were set aside, of the last 30 days',
    },
    count('select count(*) from poison_events'),
  )
  addGauge(
    registry,
    {
      name: 'carillon_delivery_reports_waiting',
      help: 'Delivery reports that have found no message for five minutes, up to 10000',
    },
    readSeldom(readEveryMs, () => countWaitingReports(systemPool)),
  )
  addQueueGauges(
    registry,
    readSeldom(readEveryMs, () => measureQueues(systemPool)),
  )
  addWebhookGauges(
    registry,
    readSeldom(readEveryMs, () => measureWebhooks(database)),
  )
}

function addWebhookGauges(registry: Registry, read: () => Promise<WebhookMeasure>) {
  addGauge(
    registry,
    {
      name: 'carillon_webhooks_queued',
      help: 'Webhooks that are due or wait for another attempt, up to 100000',
    },
    async () => (await read()).queued,
  )
  addGauge(
    registry,
    {
      name: 'carillon_webhooks_oldest_due_seconds',
      help: 'Age of the oldest webhook that is due, of endpoints that are not held because they do not answer',
    },
    async () => (await read()).oldestDueSeconds,
  )
  addGauge(
    registry,
    { name: 'carillon_webhook_endpoints_disabled', help: 'Webhook endpoints that are disabled' },
    async () => (await read()).disabledEndpoints,
  )
}

const queues = ['single', 'retry', 'campaign'] as const

function addQueueGauges(registry: Registry, read: () => Promise<QueueMeasure[]>) {
  addGauge(
    registry,
    {
      name: 'carillon_queue_oldest_due_seconds',
      help: 'Age of the oldest message that is due and was not handed over, by channel and queue: single messages, messages to be tried again, campaigns',
      labelNames: ['channel', 'queue'],
    },
    async () =>
      (await read()).flatMap((measure) =>
        queues.map((queue) => ({ labels: { channel: measure.channel, queue }, value: measure[queue] ?? 0 })),
      ),
  )
  addGauge(
    registry,
    {
      name: 'carillon_lanes_unheld',
      help: 'Senders with due messages whose lane no process holds',
      labelNames: ['channel'],
    },
    async () => (await read()).map(({ channel, unheldLanes }) => ({ labels: { channel }, value: unheldLanes })),
  )
}

/** Sessions are those of this process, receipts those of all. */
export function addSmppGauges(registry: Registry, { database }: Services, { boundSessions }: SmppServer) {
  addGauge(registry, { name: 'carillon_smpp_sessions', help: 'Bound SMPP sessions of customers' }, boundSessions)
  addGauge(
    registry,
    { name: 'carillon_smpp_receipts_queued', help: 'Due SMPP receipts that no receiver has confirmed, up to 100000' },
    readSeldom(readEveryMs, () => countQueuedReceipts(database)),
  )
}

/** The lanes of this process. */
export function addSenderGauges(registry: Registry, { measureLanes }: Sender) {
  addGauge(
    registry,
    { name: 'carillon_lanes_held', help: 'Lanes that this process holds, by status', labelNames: ['status'] },
    () => sumBy(measureLanes(), (lane) => ({ labels: { status: lane?.status ?? 'opening' }, value: 1 })),
  )
  const addRate = (name: string, help: string, rateOf: (lane: LaneMeasure) => number) =>
    addGauge(registry, { name, help, labelNames: ['channel', 'provider'] }, () =>
      sumBy(
        measureLanes().filter((lane) => lane !== undefined),
        (lane) => ({ labels: { channel: lane.channel, provider: lane.provider }, value: rateOf(lane) }),
      ),
    )
  addRate(
    'carillon_rate_allowed_per_second',
    'Parts a second that the lanes of this process may send now',
    ({ allowedPerSecond }) => allowedPerSecond,
  )
  addRate(
    'carillon_rate_agreed_per_second',
    'Parts a second that were agreed for the lanes of this process',
    ({ agreedPerSecond }) => agreedPerSecond,
  )
}

function sumBy<Entry, Label extends string>(
  entries: readonly Entry[],
  sampleOf: (entry: Entry) => Sample<Label>,
): Sample<Label>[] {
  const sums = new Map<string, Sample<Label>>()
  for (const entry of entries) {
    const { labels, value } = sampleOf(entry)
    const key = JSON.stringify(labels)
    sums.set(key, { labels, value: (sums.get(key)?.value ?? 0) + value })
  }
  return [...sums.values()]
}

/** A server with health and metrics only, for processes without the web role. */
export async function createMonitoring(
  services: Services,
  { guard, registry }: { guard: RestoreGuard; registry: Registry },
): Promise<FastifyInstance> {
  const { config, logger } = services
  const app = await createHttpServer({
    logger,
    webDirectory: undefined,
    trustProxy: config.TRUST_PROXY,
    requestsPerSecond: config.REQUESTS_PER_SECOND,
  })
  mountHealth(app, { ...services, dataDirectory: config.dataDirectory, sendingNotice: guard.notice, registry })
  return app
}
