import type { FastifyInstance } from 'fastify'
import { Histogram, register, Registry } from 'prom-client'
import type pg from 'pg'
import type { Database } from '../db/pool.ts'
import { hasRoom } from './disk-guard.ts'

export type HealthOptions = {
  database: Database
  dataDirectory: string
  /** Metrics of this product; process metrics are added. */
  registry: Registry
  /** True from the first stop signal. */
  isDraining(): boolean
  /** Why sending is paused; undefined if it is not. */
  sendingNotice(): string | undefined
  version: string
  /** Why this process cannot recover and must be replaced; undefined if it can. */
  failure(): string | undefined
}

/** Live: the process can recover by itself. Ready: the database responds, the disk has room, and the process is not stopping. */
export function mountHealth(app: FastifyInstance, options: HealthOptions): void {
  app.get('/health/live', { config: { policy: 'health', rateLimit: false } }, async (_request, reply) => {
    const failure = options.failure()
    return reply
      .status(failure ? 503 : 200)
      .send(failure ? { status: 'not live', reason: failure } : { status: 'live' })
  })
  app.get('/health/ready', { config: { policy: 'health', rateLimit: false } }, async (_request, reply) => {
    const problem = await findProblem(options)
    if (problem) return reply.status(503).send({ status: 'not ready', reason: problem })
    // Still ready: calls and callbacks are served, and an admin must be able to sign in.
    const sending = options.sendingNotice()
    return reply.send({ status: 'ready', version: options.version, ...(sending ? { sending } : {}) })
  })
  app.get('/metrics', { config: { policy: 'metrics', rateLimit: false } }, async (_request, reply) => {
    const metrics = Registry.merge([options.registry, register])
    return reply.header('content-type', metrics.contentType).send(await metrics.metrics())
  })
}

/** Measures every call answered by `app`. */
export function measureCalls(app: FastifyInstance, registry: Registry): void {
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
}

/** Readiness probes wait only seconds. */
const longestAnswerMs = 3000

async function answers({ systemPool }: Database): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), longestAnswerMs)
  // pg's types lack query_timeout for single queries.
  const query: pg.QueryConfig & { query_timeout: number } = { text: 'select 1', query_timeout: longestAnswerMs }
  const answer = systemPool.query(query).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
}

async function findProblem({ database, dataDirectory, isDraining }: HealthOptions): Promise<string | undefined> {
  if (isDraining()) return 'stopping'
  if (!(await answers(database))) return 'the database does not respond'
  return (await hasRoom(dataDirectory)) ? undefined : 'less than a tenth of the disk is free'
}
