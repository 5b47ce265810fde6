import { join } from 'node:path'
import type { DemoAccount } from '../channels/calls.ts'
import type { Config } from '../config.ts'
import { openDatabase, type Database } from '../db/pool.ts'
import { rolesOf } from '../db/roles.ts'
import { createEgress, type Egress } from '../egress/egress.ts'
import type { ReadFreeShare } from '../http/disk-guard.ts'
import { systemClock, type Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { createSecretBox, type SecretBox } from '../lib/secrets.ts'
import { createApiKeys, type ApiKeys } from '../modules/api-keys/index.ts'
import {
  authenticateNow,
  createSessions,
  findLiveSessions,
  redeemTicket,
  type Sessions,
} from '../modules/auth/index.ts'
import {
  createChatEvents,
  createMemberRooms,
  readConversationRooms,
  sendChatMessage,
} from '../modules/conversations/index.ts'
import { createFileStore, type FileStore } from '../modules/files/index.ts'
import { createClickLog, createLinkKeys, type ClickLog, type LinkKeys } from '../modules/links/index.ts'
import { createRequestLog, type RequestLog } from '../modules/request-log/index.ts'
import { createInstallationSettings } from '../modules/senders/index.ts'
import { createRealtime, type Realtime } from '../realtime/realtime.ts'
import { loadSecretKey } from '../secret-key.ts'

export type AppOptions = {
  config: Config
  databaseUrl: string
  logger: Logger
  version: string
  clock?: Clock
  /** Credentials of the simulated account, if the simulator runs. */
  demoAccount?: DemoAccount | undefined
  /** Replaces the disk check in tests. */
  readFreeShare?: ReadFreeShare
  /** Links in stored mails stay readable although no mail is sent; for demos and tests. */
  storesMailLinks?: boolean
  /** Rejections without a handler since the process started. */
  unhandledRejections?: () => number
  /** Built browser files, if this process serves them. */
  webDirectory?: string
}

/** Shared dependencies of all parts of the product. */
export type Services = AppOptions & {
  unhandledRejections: () => number
  clock: Clock
  database: Database
  egress: Egress
  realtime: Realtime
  sessions: Sessions
  apiKeys: ApiKeys
  requestLog: RequestLog
  linkKeys: LinkKeys
  clicks: ClickLog
  secretBox: SecretBox
  readInstallationSettings: ReturnType<typeof createInstallationSettings>
  files: FileStore
  temporaryDirectory: string
  /** The public base URL. */
  publicUrl(): string
  isDraining(): boolean
  /** Why this process cannot recover. */
  failure(): string | undefined
}

type ProcessState = {
  isDraining(): boolean
  failure(): string | undefined
  /** The actual port, known after listening if the setting is 0. */
  port(): number
}

export function createServices(options: AppOptions, { isDraining, failure, port }: ProcessState): Services {
  const { config, logger } = options
  const clock = options.clock ?? systemClock
  const sizes = { app: config.DATABASE_POOL, system: config.DATABASE_POOL, owner: 13 }
  const database = openDatabase(options.databaseUrl, sizes, rolesOf(config.DATABASE_ROLE_PREFIX))
  const secretKey = loadSecretKey(config)
  const secretBox = createSecretBox(secretKey, config.SECRET_KEY_PREVIOUS)
  const sessions = createSessions({ database, clock, sessionHours: config.SESSION_HOURS })
  const publicUrl = () => config.PUBLIC_URL?.replace(/\/$/, '') ?? addressOf(config, port())
  const members = createMemberRooms(database)
  const realtime: Realtime = createRealtime({
    logger,
    authenticate: async (token) =>
      (await redeemTicket(sessions, token)) ??
      (config.REALTIME_ACCEPT_SESSION_TOKEN ? authenticateNow(sessions, token) : undefined),
    findLiveSessions: (actors) => findLiveSessions(sessions, actors),
    chat: {
      findRooms: members.findRooms,
      findConversationRooms: (chats) => readConversationRooms(database, chats),
      ...createChatEvents({
        database,
        members,
        pushTyping: (to, payload) => realtime.chat({ event: 'typingStatus', payload, ...to }),
      }),
      onMessage: async (actor, frame) => {
        await sendChatMessage({ database, publicUrl }, { actor, frame })
      },
    },
  })
  return {
    unhandledRejections: () => 0,
    ...options,
    clock,
    database,
    sessions,
    apiKeys: createApiKeys({ database, clock, requestsPerSecond: config.API_KEY_REQUESTS_PER_SECOND }),
    requestLog: createRequestLog({ database, logger }),
    linkKeys: createLinkKeys(secretKey, config.SECRET_KEY_PREVIOUS),
    clicks: createClickLog({ database, logger }),
    realtime,
    egress: createEgress({
      allowedPrivate: config.EGRESS_ALLOW,
      allowedPorts: config.EGRESS_PORTS.map(Number),
      // Per origin. Sessions limit their own requests; several accounts may use one origin.
      connections: 2048,
    }),
    secretBox,
    readInstallationSettings: createInstallationSettings({ database, secretBox }),
    files: createFileStore(join(config.dataDirectory, 'files')),
    temporaryDirectory: join(config.dataDirectory, 'tmp'),
    publicUrl,
    isDraining,
    failure,
  }
}

/** The default public URL. */
function addressOf({ HOST }: Config, port: number): string {
  return `http://${HOST === '0.0.0.0' ? '127.0.0.1' : HOST}:${port}`
}
