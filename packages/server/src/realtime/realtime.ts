import type { Server as HttpServer } from 'node:http'
import type { EventsMissedEvent, NotificationEvent, ProgressUpdate } from '@carillon/contract/realtime'
import { Server, type Socket } from 'socket.io'
import type { SessionActor } from '../actor.ts'
import { inBackground, runEvery } from '../lib/background.ts'
import type { Logger } from '../lib/logger.ts'
import { createChatSockets, type ChatHooks, type ChatPush, type ChatSockets, type OpenChat } from './chat-sockets.ts'
import { actorOf, checkEveryMs, createSessionChecks, type FindLiveSessions } from './session-checks.ts'

export type RealtimeOptions = {
  logger: Logger
  /** The account of a session token or a single-use ticket. */
  authenticate(token: string): Promise<SessionActor | undefined>
  findLiveSessions: FindLiveSessions
  chat: ChatHooks
}

export type Realtime = {
  attach(server: HttpServer): void
  /** Pushes to every account whose scope includes the campaign. */
  progress(to: Audience, update: ProgressUpdate): void
  /** To rooms of the inbox. */
  chat(push: ChatPush): void
  /** Conversations that accounts connected to this process have open. */
  openChats(): OpenChat[]
  /** To one account only, not to its manager. */
  notification(to: { accountId: string }, event: NotificationEvent): void
  connections(): number
  /** Accounts connected to this process, without those that are impersonated. */
  accounts(): { organizationId: string; accountId: string }[]
  /** Organisations with users connected to this process. */
  organizations(): string[]
  close(): Promise<void>
}

/** The receiving rooms: the organisation's managers, and the owning account. */
export type Audience = { organizationId: string; accountId: string | undefined }

const maximumFrameBytes = 64 * 1024
const framesPerSecond = 20

/** Socket.IO as specified: websocket only, the token in the query, JSON strings from the client. */
export function createRealtime({ logger, authenticate, findLiveSessions, chat }: RealtimeOptions): Realtime {
  const io = new Server({
    transports: ['websocket'],
    maxHttpBufferSize: maximumFrameBytes,
    serveClient: false,
    connectTimeout: 20_000,
  })
  io.use((socket, next) => {
    const token = socket.handshake.query['token']
    if (typeof token !== 'string' || !isSameOrigin(socket)) return next(new Error('User not authenticated.'))
    const admit = async () => {
      const actor = await authenticate(token)
      if (!actor) return false
      socket.data = { actor }
      await chats.admit(socket)
      return true
    }
    admit().then(
      (isAdmitted) => (isAdmitted ? next() : next(new Error('User not authenticated.'))),
      () => {
        // The token could not be checked. A client that loses its connection retries; one that is rejected does not.
        socket.conn.close()
        next(new Error('The service is unavailable'))
      },
    )
  })
  const chats = createChatSockets(io, { logger, hooks: chat })
  const checks = createSessionChecks(io, { findLiveSessions, recheck: chats.recheck })
  io.on('connection', (socket) => serve(socket, { logger, chats, isAllowed: checks.isRecent }))
  /** Events were not sent, because it was not known who may see them. */
  let hasDropped = false
  const maySend = () => {
    const isRecent = checks.isRecent()
    hasDropped ||= !isRecent
    return isRecent
  }
  const push = ({ rooms, event, payload }: { rooms: string[]; event: string; payload: unknown }) => {
    if (maySend()) io.to(rooms).emit(event, payload)
  }
  /** A process that serves no calls has no clients. */
  let isAttached = false
  const check = async () => {
    await checks.check()
    if (!hasDropped || !checks.isRecent()) return
    hasDropped = false
    io.local.emit('eventsMissed', {} satisfies EventsMissedEvent)
  }
  const recheck = runEvery(checkEveryMs, check, { name: 'checking the sessions of sockets', logger })

  return {
    attach(server) {
      io.attach(server)
      isAttached = true
    },
    progress: (to, update) => push({ rooms: roomsOf(to), event: 'progressUpdate', payload: update }),
    chat(pushed) {
      if (maySend()) chats.push(pushed)
    },
    openChats: chats.openChats,
    notification: ({ accountId }, event) =>
      push({ rooms: [`account:${accountId}`], event: 'notification', payload: event }),
    connections: () => io.engine.clientsCount,
    accounts: () => listAccounts([...io.sockets.sockets.values()].map(actorOf)),
    organizations: () => [...new Set([...io.sockets.sockets.values()].map((socket) => actorOf(socket).organizationId))],
    async close() {
      // Closing the engine makes clients reconnect; a disconnect message would keep them away. Socket.IO's own close
      // would also close the HTTP server and wait for its open connections.
      if (isAttached) io.engine.close()
      await recheck.stop()
      await io.sockets.adapter.close()
    },
  }
}

function listAccounts(actors: readonly SessionActor[]) {
  const own = actors.filter(({ impersonatedBy }) => impersonatedBy === undefined)
  return [...new Map(own.map(({ organizationId, accountId }) => [accountId, { organizationId, accountId }])).values()]
}

function roomsOf({ organizationId, accountId }: Audience): string[] {
  return [`organization:${organizationId}`, ...(accountId ? [`account:${accountId}`] : [])]
}

type Serving = { logger: Logger; chats: ChatSockets; isAllowed(): boolean }

function serve(socket: Socket, { logger, chats, isAllowed }: Serving) {
  const actor = actorOf(socket)
  // Managers receive events of the whole organisation, others only their own.
  const joined = socket.join(
    actor.role === 'manager'
      ? [`organization:${actor.organizationId}`, `account:${actor.accountId}`]
      : `account:${actor.accountId}`,
  )
  inBackground(Promise.resolve(joined), { name: 'joining the rooms of a socket', logger })
  socket.use((_frame, next) => (isAllowed() ? next() : undefined))
  limitFrames(socket)
  chats.serve(socket)
}

function limitFrames(socket: Socket) {
  let second = 0
  let frames = 0
  socket.use((_frame, next) => {
    const now = Math.floor(Date.now() / 1000)
    frames = now === second ? frames + 1 : 1
    second = now
    if (frames <= framesPerSecond) next()
  })
}

/** Pages of other sites may not open a socket with a stolen token; clients other than browsers send no origin. */
function isSameOrigin(socket: Socket): boolean {
  const { origin, host } = socket.handshake.headers
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}
