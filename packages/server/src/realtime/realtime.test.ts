import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ProgressUpdate } from '@carillon/contract/realtime'
import type { SessionActor } from '../actor.ts'
import { newId } from '../lib/ids.ts'
import { createLogger } from '../lib/logger.ts'
import { buildManager, buildUser, type Account } from '../testing/builders.ts'
import { testServer, type TestServer } from '../testing/server.ts'
import { createRealtime } from './realtime.ts'

let server: TestServer
let manager: Account
const open: Socket[] = []

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect()
})
afterAll(() => server.close())

/** Resolves with the connected socket, rejects with the server's error. */
function connect(token: string, transports = ['websocket']): Promise<Socket> {
  const socket = io(server.url, { transports, query: { token }, reconnection: false, forceNew: true })
  open.push(socket)
  return new Promise((resolve, reject) => {
    socket.on('connect', () => resolve(socket))
    socket.on('connect_error', reject)
  })
}

const update = (campaignId: string) => ({ campaignId, channel: 'sms', phase: 'sending', percent: 50 }) as ProgressUpdate

test('accepts the session token in the query', async () => {
  await expect(connect(manager.token)).resolves.toBeDefined()
})

test('accepts a ticket once', async () => {
  const { ticket } = await server.ask('realtime.ticket', { as: manager })
  await expect(connect(ticket)).resolves.toBeDefined()
  await expect(connect(ticket)).rejects.toThrow('User not authenticated.')
})

test.each(['', 'f'.repeat(64), 'nonsense'])('rejects the token %j', async (token) => {
  await expect(connect(token)).rejects.toThrow('User not authenticated.')
})

test('supports websocket only', async () => {
  await expect(connect(manager.token, ['polling'])).rejects.toBeDefined()
})

test('a manager receives events of the whole organisation, a user only their own, others nothing', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const stranger = await buildManager(server.database)
  const received: Record<string, string[]> = { manager: [], user: [], stranger: [] }
  for (const [name, account] of Object.entries({ manager, user, stranger })) {
    const socket = await connect(account.token)
    socket.on('progressUpdate', ({ campaignId }: ProgressUpdate) => received[name]?.push(campaignId))
  }
  server.app.realtime.progress({ organizationId: manager.organizationId, accountId: user.id }, update('of the user'))
  server.app.realtime.progress(
    { organizationId: manager.organizationId, accountId: manager.id },
    update('of the manager'),
  )
  await expect
    .poll(() => received)
    .toEqual({ manager: ['of the user', 'of the manager'], user: ['of the user'], stranger: [] })
})

test('while sessions cannot be checked nothing is sent, and browsers read it again afterwards', async () => {
  let isAway = false
  const { id: accountId, organizationId, path, role, username } = manager
  const actor: SessionActor = {
    kind: 'user',
    accountId,
    organizationId,
    role,
    username,
    email: '',
    timezone: 'Asia/Kolkata',
    modules: new Set(),
    scope: { organizationId, path, descends: false },
    sessionId: newId(),
    impersonatedBy: undefined,
    isSuspended: false,
    mustSetPassword: false,
  }
  const realtime = createRealtime({
    logger: createLogger('silent'),
    authenticate: async () => actor,
    findLiveSessions: async (actors) => {
      if (isAway) throw new Error('The database is away')
      return new Set(actors.map(({ sessionId }) => sessionId))
    },
    chat: {
      findRooms: async () => new Map(),
      findConversationRooms: async () => new Map(),
      onMessage: async () => undefined,
      onEvent: async () => 'unchanged',
      onLeft: async () => undefined,
    },
  })
  const http = createServer()
  realtime.attach(http)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], query: { token: 'any' }, forceNew: true })
  open.push(socket)
  const received: string[] = []
  socket.on('progressUpdate', ({ campaignId }: ProgressUpdate) => received.push(campaignId))
  socket.on('eventsMissed', () => received.push('missed'))
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()))
  const to = { organizationId, accountId }
  realtime.progress(to, update('before'))
  await expect.poll(() => received).toEqual(['before'])
  isAway = true
  await new Promise((resume) => setTimeout(resume, 8000))
  realtime.progress(to, update('dropped'))
  isAway = false
  await expect.poll(() => received).toEqual(['before', 'missed'])
  realtime.progress(to, update('after'))
  await expect.poll(() => received).toEqual(['before', 'missed', 'after'])
  await new Promise((resume) => setTimeout(resume, 2500))
  expect(received).toEqual(['before', 'missed', 'after'])
  await realtime.close()
  http.close()
})

test('ignores an unreadable frame', async () => {
  const socket = await connect(manager.token)
  socket.emit('message', 'not json')
  socket.emit('event', { nothing: true })
  await new Promise((resume) => setTimeout(resume, 50))
  expect(socket.connected).toBe(true)
})

test('clients reconnect after the server stops', async () => {
  const stopping = await testServer()
  const account = await buildManager(stopping.database)
  const socket = io(stopping.url, { transports: ['websocket'], query: { token: account.token }, forceNew: true })
  open.push(socket)
  await expect.poll(() => socket.connected).toBe(true)
  const left = new Promise((resolve) => socket.once('disconnect', resolve))
  await stopping.close()
  expect({ why: await left, comesBack: socket.active }).toEqual({ why: 'transport close', comesBack: true })
})
