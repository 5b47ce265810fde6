import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { openDatabase, type Database } from './db/pool.ts'
import { createEgress, type Egress } from './egress/egress.ts'
import { mountDocs } from './http/docs.ts'
import { mountHealth } from './http/health.ts'
import { mountContract } from './http/mount.ts'
import { createHttpServer } from './http/server.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import type { Logger } from './lib/logger.ts'
import { startJobs } from './jobs/jobs.ts'
import { accountHandlers } from './modules/accounts/index.ts'
import { audienceCron, audienceHandlers, audienceJobs, resumeAudiences } from './modules/audience/index.ts'
import { authenticate, authHandlers, createSessions, isSessionAlive, redeemTicket } from './modules/auth/index.ts'
import { createFileStore, fileHandlers, fileJobs } from './modules/files/index.ts'
import { templateHandlers } from './modules/templates/index.ts'
import { createRealtime, type Realtime } from './realtime/realtime.ts'

export type AppOptions = {
  config: Config
  databaseUrl: string
  logger: Logger
  version: string
  clock?: Clock
  /** Built browser files, when this process serves them. */
  webDirectory?: string
}

export type App = {
  http: FastifyInstance
  database: Database
  egress: Egress
  realtime: Realtime
  /** Refuses new work, lets what is under way finish, lets go of everything. */
  close(): Promise<void>
}

/** Wires the product together: everything is connected here and nowhere else. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, logger } = options
  const clock = options.clock ?? systemClock
  const database = openDatabase(options.databaseUrl, {
    app: config.DATABASE_POOL,
    system: config.DATABASE_POOL,
    owner: 12,
  })
  const egress = createEgress({
    allowedPrivate: config.EGRESS_ALLOW,
    allowedPorts: config.EGRESS_PORTS.map(Number),
    connections: 128,
  })
  const sessions = createSessions({ database, clock, sessionHours: config.SESSION_HOURS })
  const realtime = createRealtime({
    logger,
    authenticate: async (token) =>
      (await redeemTicket(sessions, token)) ??
      (config.REALTIME_ACCEPT_SESSION_TOKEN ? authenticate(sessions, token) : undefined),
    isAlive: (actor) => isSessionAlive(sessions, actor),
  })

  const files = createFileStore(join(config.dataDirectory, 'files'))
  const temporaryDirectory = join(config.dataDirectory, 'tmp')
  const audience = { database, store: files, temporaryDirectory }
  const http = await createHttpServer({
    logger,
    webDirectory: options.webDirectory,
    trustProxy: config.TRUST_PROXY,
    requestsPerSecond: config.REQUESTS_PER_SECOND,
  })
  let draining = false
  mountHealth(http, {
    database,
    dataDirectory: config.dataDirectory,
    isDraining: () => draining,
    connections: realtime.connections,
    version: options.version,
  })
  mountContract(http, {
    database,
    handlers: {
      ...authHandlers(sessions),
      ...accountHandlers,
      ...fileHandlers(files),
      ...templateHandlers,
      ...audienceHandlers(audience),
    },
    authenticate: (token) => authenticate(sessions, token),
    temporaryDirectory,
  })
  await mountDocs(http, options.version)
  await http.ready()
  realtime.attach(http.server)

  const jobs = config.roles.has('worker')
    ? await startJobs({
        pool: database.ownerPool,
        handlers: {
          ...fileJobs({ database, store: files }),
          ...audienceJobs({ ...audience, onProgress: () => undefined, onSettled: async () => undefined }),
        },
        cron: [...audienceCron, { name: 'files.sweep', schedule: '17 2 * * *' }],
        logger,
        concurrency: 4,
      })
    : undefined
  if (jobs) await resumeAudiences({ database })

  return {
    http,
    database,
    egress,
    realtime,
    async close() {
      draining = true
      await realtime.close()
      await http.close()
      await jobs?.stop()
      await egress.close()
      await database.close()
    },
  }
}
