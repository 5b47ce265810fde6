import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Database } from '../../db/pool.ts'
import { runEvery, inBackground, type Repeated } from '../../lib/background.ts'
import { networkOf, normalizeAddress } from '../../lib/client-address.ts'
import type { Clock } from '../../lib/clock.ts'
import { every } from '../../lib/every.ts'
import type { Logger } from '../../lib/logger.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { statuses } from '../../lib/smpp/statuses.ts'
import { countCall, findKeyUser, type ApiKeys } from '../api-keys/index.ts'
import { startReceiptSender, type ReceiptSender } from './receipts/send-receipts.ts'
import { closeSession, createAuthenticate } from './sessions/authenticate-bind.ts'
import { checkEveryMs, findEnded } from './sessions/check-sessions.ts'
import {
  checkTimes,
  leave,
  openSession,
  usualTiming,
  type Bound,
  type Session,
  type SessionHooks,
  type SessionTiming,
} from './sessions/session.ts'
import { countReceipt, countSubmit } from './smpp-metrics.ts'
import { createAcceptSubmit } from './submits/accept-submits.ts'
import { answerSubmit, type SubmitDeps } from './submits/handle-submit.ts'
import { sweepLongMessages } from './submits/long-messages.ts'
import { sendScope } from './write-credential.ts'

export type SmppServer = {
  /** Starts to accept connections, and returns the port. */
  listen(options: { port: number; host: string }): Promise<number>
  /** The port, once it listens. */
  port(): number | undefined
  boundSessions(): number
  /** Accepts no more connections, answers what is in flight, and unbinds. */
  close(): Promise<void>
}

export type SmppDeps = {
  database: Database
  databaseUrl: string
  clock: Clock
  logger: Logger
  secretBox: SecretBox
  apiKeys: ApiKeys
  publicUrl(): string
  /** Whether there is enough space on the disk to accept messages. */
  hasRoom(): Promise<boolean>
  timing?: SessionTiming
}

/** Sockets of one address, bound or not. */
const socketsPerAddress = 50
const mostSockets = 2000
const leaveWithinMs = 5000
const sweepLongEveryMs = 5000

/** The SMSC of customers: each session acts as the API key of its credentials. */
export function createSmppServer(deps: SmppDeps): SmppServer {
  const sessions = new Set<Session>()
  let started: Started | undefined
  const server = createServer((socket) => {
    if (started) accept(socket, { sessions, hooks: started.hooks, timing: deps.timing ?? usualTiming })
    else socket.destroy()
  })
  return {
    async listen({ port, host }) {
      started = start(deps, sessions)
      server.listen(port, host)
      try {
        await once(server, 'listening')
      } catch (error) {
        await started.stop()
        throw error
      }
      return portOf(server) ?? port
    },
    port: () => portOf(server),
    boundSessions: () => [...sessions].filter(({ status }) => status === 'bound').length,
    async close() {
      if (server.listening) server.close()
      await Promise.all([...sessions].map((session) => leave(session, leaveWithinMs)))
      for (const { socket } of sessions) socket.destroy()
      await started?.stop()
    },
  }
}

function portOf(server: Server): number | undefined {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : undefined
}

type Accepting = { sessions: Set<Session>; hooks: SessionHooks; timing: SessionTiming }

function accept(socket: Socket, { sessions, hooks, timing }: Accepting) {
  const address = normalizeAddress(socket.remoteAddress ?? '')
  if (address === undefined || !hasPlace(sessions, address)) return socket.destroy()
  sessions.add(openSession({ socket, address, hooks, timing }))
}

function hasPlace(sessions: ReadonlySet<Session>, address: string): boolean {
  const network = networkOf(address)
  const ofNetwork = [...sessions].filter((session) => networkOf(session.address) === network)
  return sessions.size < mostSockets && ofNetwork.length < socketsPerAddress
}

type Started = { hooks: SessionHooks; stop(): Promise<void> }

function start(deps: SmppDeps, sessions: Set<Session>): Started {
  const { database, apiKeys, logger } = deps
  const receipts = startReceiptSender({ ...deps, sessions })
  const accepting = createAcceptSubmit(deps)
  const pending = new Set<Promise<void>>()
  const hooks = createHooks({ deps, sessions, receipts, submits: { ...deps, accept: accepting }, pending })
  const repeated: Repeated[] = [
    runEvery(checkEveryMs, () => endForbidden(deps, sessions), { name: 'checking SMPP sessions', logger }),
    runEvery(sweepLongEveryMs, () => sweepLongMessages({ database, apiKeys, accept: accepting }), {
      name: 'long messages of SMPP',
      logger,
    }),
  ]
  const ticking = every(500, () => sessions.forEach(checkTimes))
  return {
    hooks,
    async stop() {
      ticking.stop()
      await Promise.all(repeated.map((each) => each.stop()))
      await receipts.stop()
      await Promise.allSettled(pending)
    },
  }
}

/** Unbinds sessions whose credentials, key or owner may not send any more. */
async function endForbidden({ database, apiKeys, logger }: SmppDeps, sessions: ReadonlySet<Session>): Promise<void> {
  const bound = [...sessions].filter(({ status }) => status === 'bound')
  for (const session of await findEnded({ database, apiKeys }, bound)) {
    logger.info({ systemId: session.bound?.credential.systemId }, 'an SMPP session may not go on and is unbound')
    inBackground(leave(session, leaveWithinMs), { name: 'unbinding an SMPP session', logger })
  }
}

type HookDeps = {
  deps: SmppDeps
  sessions: Set<Session>
  receipts: ReceiptSender
  submits: SubmitDeps
  /** What ends after its session. */
  pending: Set<Promise<void>>
}

function createHooks({ deps, sessions, receipts, submits, pending }: HookDeps): SessionHooks {
  const { database, logger } = deps
  return {
    authenticate: createAuthenticate(deps),
    admit: (session) => admit(deps, session),
    async submit({ credential }, { actor, body }) {
      return answerSubmit(submits, { credential, actor, body })
    },
    onBroken: (error) => logger.error({ err: error }, 'an SMPP session is closed because of an error'),
    onAnswered: countSubmit,
    onBound: receipts.wake,
    onConfirmed(session, receiptId, status) {
      countReceipt(status)
      receipts.onConfirmed(session, receiptId, status)
    },
    onClosed(session, unconfirmed) {
      sessions.delete(session)
      receipts.onClosed(session, unconfirmed)
      if (!session.bound) return
      const closing = closeSession(database, session.bound).finally(() => pending.delete(closing))
      pending.add(closing)
      inBackground(closing, { name: 'closing an SMPP session', logger })
    },
  }
}

/** As whom a session sends now, unless its key may not or has made too many calls. */
async function admit({ apiKeys }: SmppDeps, { credential, address }: Bound): ReturnType<SessionHooks['admit']> {
  const actor = await findKeyUser(apiKeys, credential.publicId, { address, scope: sendScope })
  if (typeof actor === 'string') return { status: statuses.submitFailed }
  const client = { ip: address, userAgent: '', host: '' }
  const { retryAfter } = countCall(apiKeys, actor, { apiKey: actor.apiKey, client })
  return retryAfter === undefined ? { actor } : { status: statuses.throttled }
}
