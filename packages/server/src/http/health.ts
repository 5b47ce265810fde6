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
}

export type Metrics = { registry: Registry }

/** Live: the loop turns. Ready: the database answers, the disk has room, and we are not on our way out. */
export function mountHealth(app: FastifyInstance, options: HealthOptions): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const sockets: Gauge = new Gauge({
    name: 'carillon_sockets',
    help: 'Open sockets',
    registers: [registry],
    collect(): void {
      sockets.set(options.connections())
    },
  })
  const frozen: Gauge = new Gauge({
    name: 'ledger_invariant_breaches',
    help: 'Organisations whose sending stopped because their ledger did not add up',
    registers: [registry],
    async collect(): Promise<void> {
      frozen.set(await countFrozen(options.database))
    },
  })
  const poison: Gauge = new Gauge({
    name: 'carillon_poison_events',
    help: 'Callbacks and events of providers that could not be applied and were set aside, of the last 30 days',
    registers: [registry],
    async collect(): Promise<void> {
      poison.set(await countPoison(options.database))
    },
  })
  const paused: Gauge = new Gauge({
    name: 'carillon_sending_paused',
    help: '1 while sending is paused after a restore',
    registers: [registry],
    collect(): void {
      paused.set(options.sendingNotice() === undefined ? 0 : 1)
    },
  })
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

  app.get('/health/live', { config: { policy: 'health', rateLimit: false } }, async () => ({ status: 'live' }))
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
