import type { FastifyInstance } from 'fastify'
import type { Database } from './db/pool.ts'
import type { Egress } from './egress/egress.ts'
import { every } from './lib/every.ts'
import { startKeyUse } from './modules/api-keys/index.ts'
import { startTemporarySweep } from './modules/files/index.ts'
import type { Sender } from './modules/messages/index.ts'
import type { SmppServer } from './modules/smpp-server/index.ts'
import type { Realtime } from './realtime/realtime.ts'
import { mountCallbacks } from './wiring/callbacks.ts'
import { createEventSink } from './wiring/event-sink.ts'
import { createHttp } from './wiring/calls.ts'
import { addSenderGauges, addSmppGauges, createMetrics, createMonitoring } from './wiring/metrics.ts'
import { createSmpp, guardRestores, startSending, startPushing, startWorker, type Role } from './wiring/roles.ts'
import { createServices, type AppOptions } from './wiring/services.ts'

export type App = {
  http: FastifyInstance
  /** Serves health and metrics only, if METRICS_PORT is set. */
  monitoring: FastifyInstance | undefined
  /** The server for customers' SMPP, if this process has one. */
  smpp: SmppServer | undefined
  database: Database
  egress: Egress
  realtime: Realtime
  /** Why sending is paused and what to do, in one line; undefined if it is not. */
  sendingNotice(): string | undefined
  /** From now on reports not ready, and continues to serve. */
  drain(): void
  /** From now on reports not live: the process cannot recover and must be replaced. */
  fail(reason: string): void
  /** Rejects new work, waits for running work, and closes everything. */
  close(): Promise<void>
}

/** Assembles the product; the connections between its parts are defined only in `wiring/`. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config } = options
  let draining = false
  let failure: string | undefined
  let port = config.PORT
  const services = createServices(options, {
    isDraining: () => draining,
    failure: () => failure,
    port: () => port,
  })
  const guard = await guardRestores(services)
  const registry = createMetrics(services, guard)
  const smpp = createSmpp(services)
  if (smpp) addSmppGauges(registry, services, smpp)
  const http = await createHttp(services, { guard, registry, smpp })
  http.server.on('listening', () => {
    const address = http.server.address()
    if (address !== null && typeof address === 'object') port = address.port
  })
  const applyEvents = createEventSink(services)
  let sender: Sender | undefined
  await mountCallbacks(http, services, { applyEvents, caughtUp: async (senderId) => sender?.caughtUp(senderId) })
  await http.ready()
  const monitoring =
    config.METRICS_PORT === undefined ? undefined : await createMonitoring(services, { guard, registry })
  if (config.roles.has('web')) services.realtime.attach(http.server)

  const drain = () => {
    draining = true
  }
  const roles: Role[] = [
    guard,
    startTemporarySweep({
      directory: services.temporaryDirectory,
      logger: services.logger,
      isShared: config.DATABASE_URL !== undefined,
    }),
  ]
  if (config.roles.has('web'))
    roles.push(
      startKeyUse(services.apiKeys, services.logger),
      services.requestLog.start(),
      services.clicks.start(),
      ...startPushing(services),
    )
  if (config.roles.has('worker')) roles.push(...(await startWorker(services)))
  if (config.roles.has('sender')) {
    sender = await startSending(services, applyEvents, guard)
    addSenderGauges(registry, sender)
    roles.push(sender)
  }

  return {
    http,
    monitoring,
    smpp,
    database: services.database,
    egress: services.egress,
    realtime: services.realtime,
    sendingNotice: guard.notice,
    drain,
    fail(reason) {
      failure = reason
      drain()
    },
    async close() {
      drain()
      await services.realtime.close()
      await smpp?.close()
      await closeHttp(http)
      await monitoring?.close()
      for (const role of roles.toReversed()) await role.stop()
      await services.egress.close()
      await services.database.close()
    },
  }
}

const closeGraceMs = 15_000

/** Answers running requests, within a time limit. Keep-alive connections are closed as soon as they are idle. */
async function closeHttp(http: FastifyInstance): Promise<void> {
  const reaping = every(100, () => http.server.closeIdleConnections())
  const ending = setTimeout(() => http.server.closeAllConnections(), closeGraceMs)
  await http.close()
  reaping.stop()
  clearTimeout(ending)
}
