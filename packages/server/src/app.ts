import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  asked,
  createEventSink,
  mountCallbacks,
  onTemplateStatus,
  openSenderLine,
  type EventSink,
} from './callbacks.ts'
import type { Config } from './config.ts'
import { asSystem, openDatabase, type Database } from './db/pool.ts'
import { createEgress, type Egress } from './egress/egress.ts'
import { mountDocs } from './http/docs.ts'
import { mountHealth } from './http/health.ts'
import { mountContract } from './http/mount.ts'
import { createHttpServer } from './http/server.ts'
import { startJobs } from './jobs/jobs.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import type { Logger } from './lib/logger.ts'
import { createSecretBox, type SecretBox } from './lib/secrets.ts'
import { accountHandlers } from './modules/accounts/index.ts'
import { audienceCron, audienceHandlers, audienceJobs, resumeAudiences } from './modules/audience/index.ts'
import {
  authenticate,
  authHandlers,
  createSessions,
  forgetBelow,
  isSessionAlive,
  redeemTicket,
  verifyPassword,
  type Sessions,
} from './modules/auth/index.ts'
import { balanceCron, balanceHandlers, balanceJobs, billingHandlers } from './modules/balance/index.ts'
import { brandHandlers } from './modules/brands/index.ts'
import {
  announceAudience,
  campaignCron,
  campaignHandlers,
  campaignJobs,
  followSender,
  noteEngineStep,
  resumeBelow,
  resumeValidations,
  stopBelow,
  waitForSilenceBelow,
  watchProgress,
  whatsappCampaignHandlers,
} from './modules/campaigns/index.ts'
import { mailCron, mailJobs, mountMailbox } from './modules/mails/index.ts'
import { createFileStore, fileHandlers, fileJobs, type FileStore } from './modules/files/index.ts'
import {
  findSingleOutcome,
  inboundCron,
  inboundJobs,
  messageHandlers,
  sendSingle,
  sendTemplateTest,
  startHousekeeping,
  startSender,
  wakeLanes,
} from './modules/messages/index.ts'
import {
  notificationCron,
  notificationHandlers,
  notificationJobs,
  watchNotifications,
} from './modules/notifications/index.ts'
import { peopleHandlers, settlePaths } from './modules/people/index.ts'
import { reportHandlers } from './modules/reports/index.ts'
import {
  loadConnection,
  senderHandlers,
  whatsappCron,
  whatsappHandlers,
  whatsappJobs,
  type DemoAccount,
  type TestDeps,
} from './modules/senders/index.ts'
import { supportHandlers } from './modules/support/index.ts'
import {
  enqueueTemplateSync,
  templateCron,
  templateHandlers,
  templateJobs,
  whatsappTemplateHandlers,
} from './modules/templates/index.ts'
import { createRealtime, type Realtime } from './realtime/realtime.ts'
import { loadSecretKey } from './secret-key.ts'

export type AppOptions = {
  config: Config
  databaseUrl: string
  logger: Logger
  version: string
  clock?: Clock
  /** What to type in to connect the simulator’s WhatsApp account, where it runs. */
  demoAccount?: DemoAccount | undefined
  /** Built browser files, when this process serves them. */
  webDirectory?: string
}

export type App = {
  http: FastifyInstance
  database: Database
  egress: Egress
  realtime: Realtime
  /** From now on it says that it is not ready, and serves on. */
  drain(): void
  /** Refuses new work, lets what is under way finish, lets go of everything. */
  close(): Promise<void>
}

/** What the parts of the product are made from. */
type Services = AppOptions & {
  clock: Clock
  database: Database
  egress: Egress
  realtime: Realtime
  sessions: Sessions
  secretBox: SecretBox
  files: FileStore
  temporaryDirectory: string
  /** The address people and providers reach the product under. */
  publicUrl(): string
  isDraining(): boolean
}

type Role = { stop(): Promise<void> }

/** Where the product is reached as long as nobody says otherwise. */
function addressOf({ HOST }: Config, port: number): string {
  return `http://${HOST === '0.0.0.0' ? '127.0.0.1' : HOST}:${port}`
}

/** Wires the product together: everything is connected here and nowhere else. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config } = options
  let draining = false
  let port = config.PORT
  const services = createServices(options, { isDraining: () => draining, port: () => port })
  const http = await createHttp(services)
  http.server.on('listening', () => {
    const address = http.server.address()
    if (address !== null && typeof address === 'object') port = address.port
  })
  const applyEvents = createEventSink(services)
  await mountCallbacks(http, services, applyEvents)
  await http.ready()
  if (config.roles.has('web')) services.realtime.attach(http.server)

  const drain = () => void (draining = true)
  const roles: Role[] = []
  if (config.roles.has('web'))
    roles.push(
      watchProgress({
        ...services,
        announce: services.realtime.progress,
        hasListeners: () => services.realtime.connections() > 0,
      }),
      watchNotifications({
        ...services,
        announce: services.realtime.notification,
        hasListeners: () => services.realtime.connections() > 0,
      }),
    )
  if (config.roles.has('worker')) roles.push(...(await startWorker(services)))
  if (config.roles.has('sender')) roles.push(await startSending(services, applyEvents))

  return {
    http,
    database: services.database,
    egress: services.egress,
    realtime: services.realtime,
    drain,
    async close() {
      drain()
      await services.realtime.close()
      await closeHttp(http)
      for (const role of roles.toReversed()) await role.stop()
      await services.egress.close()
      await services.database.close()
    },
  }
}

const lastAnswersMs = 15_000

/**
 * Answers what was asked, as long as that does not take too long. A connection kept open for more is closed as soon as it is
 * idle, not after a minute of silence.
 */
async function closeHttp(http: FastifyInstance): Promise<void> {
  const reaping = setInterval(() => http.server.closeIdleConnections(), 100)
  const ending = setTimeout(() => http.server.closeAllConnections(), lastAnswersMs)
  await http.close()
  clearInterval(reaping)
  clearTimeout(ending)
}

type Standing = {
  isDraining(): boolean
  /** Which one it listens on; with port 0 that is seen only then. */ port(): number
}

function createServices(options: AppOptions, { isDraining, port }: Standing): Services {
  const { config, logger } = options
  const clock = options.clock ?? systemClock
  const database = openDatabase(options.databaseUrl, {
    app: config.DATABASE_POOL,
    system: config.DATABASE_POOL,
    owner: 12,
  })
  const sessions = createSessions({ database, clock, sessionHours: config.SESSION_HOURS })
  const realtime = createRealtime({
    logger,
    authenticate: async (token) =>
      (await redeemTicket(sessions, token)) ??
      (config.REALTIME_ACCEPT_SESSION_TOKEN ? authenticate(sessions, token) : undefined),
    isAlive: (actor) => isSessionAlive(sessions, actor),
  })
  return {
    ...options,
    clock,
    database,
    sessions,
    realtime,
    egress: createEgress({
      allowedPrivate: config.EGRESS_ALLOW,
      allowedPorts: config.EGRESS_PORTS.map(Number),
      connections: 128,
    }),
    secretBox: createSecretBox(loadSecretKey(config), config.SECRET_KEY_PREVIOUS),
    files: createFileStore(join(config.dataDirectory, 'files')),
    temporaryDirectory: join(config.dataDirectory, 'tmp'),
    publicUrl: () => config.PUBLIC_URL?.replace(/\/$/, '') ?? addressOf(config, port()),
    isDraining,
  }
}

async function createHttp(services: Services): Promise<FastifyInstance> {
  const { config, database, clock, files, sessions, temporaryDirectory, realtime, version, isDraining } = services
  const http = await createHttpServer({
    logger: services.logger,
    webDirectory: services.webDirectory,
    trustProxy: config.TRUST_PROXY,
    requestsPerSecond: config.REQUESTS_PER_SECOND,
  })
  mountHealth(http, {
    database,
    dataDirectory: config.dataDirectory,
    isDraining,
    connections: realtime.connections,
    version,
  })
  const audience = { database, store: files, temporaryDirectory }
  const forget = (path: string) => forgetBelow(sessions, path)
  mountContract(http, {
    database,
    temporaryDirectory,
    authenticate: (token) => authenticate(sessions, token),
    handlers: {
      ...authHandlers({ ...services, ...sessions }),
      ...notificationHandlers,
      ...accountHandlers({ verifyPassword, forget }),
      ...peopleHandlers({
        ...services,
        canMail: config.demo || config.SMTP_URL !== undefined,
        forget,
        sending: {
          stop: stopBelow,
          resume: resumeBelow,
          waitForSilence: (path) => waitForSilenceBelow(database, path),
        },
      }),
      ...balanceHandlers,
      ...billingHandlers({ openFile: files.open }),
      ...fileHandlers(files),
      ...brandHandlers({ files, reservedHost: config.PUBLIC_URL && new URL(config.PUBLIC_URL).hostname }),
      ...senderHandlers({
        secretBox: services.secretBox,
        callbackUrl: asked(services).callbackUrl,
        wakeLanes,
        sendTest: async (db, { actor, ...message }) => {
          const { messageId } = await sendSingle(db, {
            ...message,
            organizationId: actor.organizationId,
            accountId: actor.accountId,
            path: actor.reach.path,
            kind: 'test',
            category: 'transactional',
          })
          return { messageId }
        },
      }),
      ...whatsappHandlers({
        ...asked(services),
        ...testing,
        database,
        signUp: signUpApp(config),
        graphVersion: config.GRAPH_VERSION,
        solutions: config.META_SOLUTIONS,
        demoAccount: config.demo ? services.demoAccount : undefined,
      }),
      ...templateHandlers,
      ...whatsappTemplateHandlers({ ...asked(services), files, onTemplateStatus }),
      ...audienceHandlers(audience),
      ...messageHandlers,
      ...campaignHandlers({ database, clock, audience }),
      ...whatsappCampaignHandlers({ database, clock, audience }),
      ...reportHandlers({ clock }),
      ...supportHandlers,
    },
  })
  await mountDocs(http, version)
  if (config.demo) await mountMailbox(http, database)
  return http
}

const testing: TestDeps = {
  sendTemplateTest,
  findOutcome: (db, organizationId, id) => findSingleOutcome(db, { organizationId, id }),
  wakeLanes,
  readTemplates: enqueueTemplateSync,
}

function signUpApp({ META_APP_ID, META_APP_SECRET, META_CONFIGURATION_ID, GRAPH_URL, GRAPH_VERSION }: Config) {
  if (META_APP_ID === undefined || META_APP_SECRET === undefined) return undefined
  return {
    appId: META_APP_ID,
    appSecret: META_APP_SECRET,
    configurationId: META_CONFIGURATION_ID,
    graphUrl: GRAPH_URL,
    graphVersion: GRAPH_VERSION,
  }
}

async function startSending(services: Services, applyEvents: EventSink): Promise<Role> {
  const { database, databaseUrl, logger, clock, egress } = services
  const connections = { ...asked(services), database }
  return startSender({
    database,
    databaseUrl,
    logger,
    io: { clock, egress },
    loadConnection: (lane) => loadConnection(connections, lane),
    applyEvents,
    // Progress is told from the database, where every process writes (watchProgress).
    onStatusChange: () => undefined,
    onCampaignStarted: (campaign) => noteEngineStep(database, campaign, 'running'),
    onSenderLimited: (sender) => asSystem(database, (db) => followSender(db, { ...sender, stops: 'everything' })),
  })
}

async function startWorker(services: Services): Promise<Role[]> {
  const { database, clock, logger, files, temporaryDirectory, realtime, config } = services
  const audience = { database, store: files, temporaryDirectory }
  const jobs = await startJobs({
    pool: database.ownerPool,
    handlers: {
      ...mailJobs({ database, smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, publicUrl: services.publicUrl }),
      ...fileJobs({ database, store: files }),
      ...audienceJobs({
        ...audience,
        onProgress: (row) => void announceAudience(database, row, realtime.progress).catch(() => undefined),
        onSettled: resumeValidations,
      }),
      ...balanceJobs({ database, clock }),
      ...campaignJobs({ database, clock }),
      ...notificationJobs({ database }),
      ...whatsappJobs({ ...asked(services), ...testing, database, logger, onLineTrouble: followSender }),
      ...templateJobs({ ...asked(services), database, logger, onTemplateStatus }),
      ...inboundJobs({ database, store: files, logger, openLine: (line) => openSenderLine(services, line) }),
      'people.settle-paths': (payload) => settlePaths(database, payload),
    },
    cron: [
      ...mailCron,
      ...balanceCron,
      ...audienceCron,
      ...campaignCron,
      ...notificationCron,
      ...whatsappCron,
      ...templateCron,
      ...inboundCron,
      { name: 'files.sweep', schedule: '17 2 * * *' },
    ],
    logger,
    concurrency: 4,
  })
  await resumeAudiences({ database })
  const housekeeping = startHousekeeping({
    pool: database.systemPool,
    logger,
    onStatusChange: () => undefined,
    onCampaignDrained: (campaign) => noteEngineStep(database, campaign, 'completed'),
    retentionDays: config.RETENTION_DAYS,
  })
  return [jobs, housekeeping]
}
