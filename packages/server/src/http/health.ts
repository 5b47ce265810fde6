import type { FastifyInstance } from 'fastify'
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import { lowShare, readFreeShare } from './disk-guard.ts'

export type HealthOptions = {
  database: Database
  dataDirectory: string
  /** True from the first signal to stop. */
  isDraining(): boolean
  connections(): number
  /** Why sending is paused; undefined while it is not. */
  sendingNotice(): string | undefined
  version: string
  /** Why this process cannot recover and has to be replaced; undefined while it can. */
  failure(): string | undefined
  /** Rejections without a handler since the start. */
  unhandledRejections(): number
}

export type Metrics = { registry: Registry }

/** Live: the process can recover by itself. Ready: the database answers, the disk has room, and we are not on our way out. */
export function mountHealth(app: FastifyInstance, options: HealthOptions): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const gauge = (metric: { name: string; help: string }, read: () => number | Promise<number>) =>
    addGauge(registry, metric, read)
  gauge({ name: 'carillon_sockets', help: 'Open sockets' }, options.connections)
  gauge(
    {
      name: 'ledger_invariant_breaches',
      help: 'Organisations whose sending stopped because their ledger did not add up',
    },
    () => countFrozen(options.database),
  )
  gauge(
    {
      name: 'carillon_unhandled_rejections',
      help: 'Promises rejected without a handler since the start; each is a defect and is logged',
    },
    options.unhandledRejections,
  )
  gauge(
    {
      name: 'carillon_poison_events',
      help: 'Callbacks and events of providers that could not be applied and were set aside, of the last 30 days',
    },
    () => countPoison(options.database),
  )
  gauge({ name: 'carillon_sending_paused', help: '1 while sending is paused after a restore' }, () =>
    options.sendingNotice() === undefined ? 0 : 1,
  )
  const durations = new Histogram({
    name: 'carillon_http_seconds',
    help: 'Time to answer, by call',
    labelNames: ['call', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    durations.observe(
      { call: request.routeOptions.config.policy ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
  })

  app.get('/health/live', { config: { policy: 'health', rateLimit: false } }, async (_request, reply) => {
    const failure = options.failure()
    return reply
      .status(failure ? 503 : 200)
      .send(failure ? { status: 'not live', reason: failure } : { status: 'live' })
  })
  app.get('/health/ready', { config: { policy: 'health', rateLimit: false } }, async (_request, reply) => {
    const problem = await findProblem(options)
    if (problem) return reply.status(503).send({ status: 'not ready', reason: problem })
    // Still ready: calls and callbacks are served, and an admin has to be able to sign in.
    const sending = options.sendingNotice()
    return reply.send({ status: 'ready', version: options.version, ...(sending ? { sending } : {}) })
  })
  app.get('/metrics', { config: { policy: 'metrics', rateLimit: false } }, async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
  return { registry }
}

/** A number read when it is asked for. Without the database the last known one stays, and the other metrics are still told. */
function addGauge(registry: Registry, metric: { name: string; help: string }, read: () => number | Promise<number>) {
  const gauge: Gauge = new Gauge({
    ...metric,
    registers: [registry],
    async collect(): Promise<void> {
      try {
        gauge.set(await read())
      } catch {
        return
      }
    },
  })
}

async function countFrozen(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct organization_id) from ledger_accounts where frozen_at is not null`.execute(database.system)
  return rows[0]?.count ?? 0
}

async function countPoison(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from poison_events`.execute(database.system)
  return rows[0]?.count ?? 0
}

async function findProblem({ database, dataDirectory, isDraining }: HealthOptions): Promise<string | undefined> {
  if (isDraining()) return 'stopping'
  try {
    await sql`select 1`.execute(database.system)
  } catch {
    return 'the database does not answer'
  }
  const share = await readFreeShare(dataDirectory)
  return share !== undefined && share < lowShare ? 'less than a tenth of the disk is free' : undefined
}
