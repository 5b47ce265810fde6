import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCast, demoPassword, hashDemoPassword } from '@carillon/server/demo/cast'
import { asSystem } from '@carillon/server/db/pool'
import { testDatabase, type TestDatabase } from '@carillon/server/testing/database'
import { tcpProxy, type TcpProxy } from '@carillon/server/testing/tcp-proxy'
import { until } from '@carillon/server/testing/until'
import { startSimulator, type Simulator } from '@carillon/simulator/index'
import { createCaller, type Caller } from './chaos/api.ts'
import { numbers, pause, prepare, settled, startCampaign } from './chaos/campaign.ts'
import { manage, type Managed } from './chaos/processes.ts'

/** The product as a separate process whose connection to the database can be interrupted. */
let database: TestDatabase
let proxy: TcpProxy
let simulator: Simulator
let product: Managed
let api: Caller
let token = ''
const directory = mkdtempSync(join(tmpdir(), 'carillon-away-'))
const sockets: Socket[] = []
const disconnects: string[] = []
let updates = 0

/** `AWAY_SECONDS=60 npx vitest run e2e/database-away-with-sockets.test.ts` interrupts it for longer. */
const awaySeconds = Number(process.env['AWAY_SECONDS'] ?? 8)

beforeAll(async () => {
  database = await testDatabase()
  const passwordHash = await hashDemoPassword()
  await asSystem(database.database, (db) => buildCast(db, passwordHash))
  proxy = await tcpProxy(database.url)
  simulator = await startSimulator()
  product = await manage({
    name: 'product',
    script: 'packages/server/src/main.ts',
    environment: {
      DATABASE_URL: proxy.url,
      DATA_DIR: directory,
      DEMO: 'off',
      PORT: '0',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
      DRAIN_SECONDS: '0',
      REQUESTS_PER_SECOND: '100000',
      EGRESS_ALLOW: `127.0.0.1:${simulator.httpPort},127.0.0.1:${simulator.smscPort}`,
    },
    ready: (line) => /^Carillon .* is at (\S+)/.exec(line)?.[1],
  })
  api = createCaller(product.address, () => token)
  const user = await api.call<{ token: string }>('auth.login', {
    body: { username: 'manager', password: demoPassword },
  })
  token = user.token
  await Promise.all(Array.from({ length: 30 }, openSocket))
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await product.stop()
  await simulator.close()
  await proxy.close()
  await database.drop()
  rmSync(directory, { recursive: true, force: true })
})

async function openSocket() {
  const socket = io(product.address(), { transports: ['websocket'], query: { token }, forceNew: true })
  sockets.push(socket)
  await new Promise((connected) => socket.once('connect', () => connected(undefined)))
  socket.on('disconnect', (reason) => disconnects.push(reason))
  socket.on('progressUpdate', () => {
    updates += 1
  })
}

type Seen = { status: number; retryAfter: string | null }

async function see(path: string, request: RequestInit = {}): Promise<Seen> {
  const answer = await fetch(`${product.address()}${path}`, { ...request, signal: AbortSignal.timeout(60_000) })
  await answer.arrayBuffer()
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
}

const callWithSession = () => see('/api/sms/campaigns', { headers: { authorization: `Bearer ${token}` } })
const logIn = () =>
  see('/api/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'manager', password: demoPassword }),
  })

test('the database is lost with open sockets, calls, jobs and a running campaign, and everything resumes afterwards', async () => {
  const world = { api, simulatorPorts: { smsc: simulator.smscPort, http: simulator.httpPort } }
  const prepared = await prepare(world, 'http-gateway', 40)
  const phones = numbers(300, 11)
  const running = await startCampaign(world, { ...prepared, phones, name: 'Under way' })
  await until(() => simulator.handset.totals().received > 20, 'the first messages')

  await proxy.cut()
  const endsAt = Date.now() + awaySeconds * 1000
  const refused: Seen[] = []
  while (Date.now() < endsAt) {
    refused.push(...(await Promise.all([callWithSession(), logIn(), callWithSession(), logIn()])))
    expect(await see('/health/live')).toMatchObject({ status: 200 })
    expect(await see('/health/ready')).toMatchObject({ status: 503 })
    expect(await see('/metrics')).toMatchObject({ status: 200 })
    await pause(200)
  }
  expect(new Set(refused.map((seen) => JSON.stringify(seen)))).toEqual(
    new Set([JSON.stringify({ status: 503, retryAfter: '2' })]),
  )
  expect(disconnects).toEqual([])

  await proxy.restore()
  const updatesBefore = updates
  await until(async () => (await see('/health/ready')).status === 200, 'readiness')
  expect(await logIn()).toMatchObject({ status: 200 })
  expect(await settled(() => api.call<Progress>('campaigns.get', { path: { id: running } }), isOver)).toMatchObject({
    status: 'completed',
  })
  expect(simulator.handset.totals().duplicates).toBe(0)

  // A new campaign needs the jobs that check its file, a lane and the housekeeping that completes it.
  const next = await startCampaign(world, { ...prepared, phones: numbers(40, 12), name: 'After it' })
  await settled(() => api.call<Progress>('campaigns.get', { path: { id: next } }), isOver)
  expect(numbers(40, 12).map((phone) => simulator.handset.count(phone.slice(1)))).toEqual(Array(40).fill(1))
  expect(updates).toBeGreaterThan(updatesBefore)
  expect(disconnects).toEqual([])
  expect(sockets.every(({ connected }) => connected)).toBe(true)
}, 300_000)

test('the database is frozen: calls get a response, and everything resumes when it continues or its connections are closed', async () => {
  const world = { api, simulatorPorts: { smsc: simulator.smscPort, http: simulator.httpPort } }
  const prepared = await prepare(world, 'smpp', 20)
  const phones = numbers(600, 13)
  const received = () => phones.filter((phone) => simulator.handset.count(phone.slice(1)) > 0).length
  const running = await startCampaign(world, { ...prepared, phones, name: 'Frozen' })
  await until(() => received() > 20, 'the first messages')

  for (const end of ['thaw', 'cut'] as const) {
    proxy.freeze()
    // More calls than there are connections.
    const refused = Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? callWithSession() : logIn())),
    )
    expect(await see('/health/live')).toMatchObject({ status: 200 })
    expect(await see('/health/ready')).toMatchObject({ status: 503 })
    expect(await see('/metrics')).toMatchObject({ status: 200 })
    expect(new Set((await refused).map(({ status }) => status))).toEqual(new Set([503]))
    const receivedBefore = received()
    if (end === 'cut') await proxy.cut()
    await proxy.restore()
    await until(async () => (await see('/health/ready')).status === 200, 'readiness', 60_000)
    expect(await logIn()).toMatchObject({ status: 200 })
    await until(() => received() > receivedBefore, 'more messages', 60_000)
    expect(disconnects).toEqual([])
  }
  await settled(() => api.call<Progress>('campaigns.get', { path: { id: running } }), isOver)
  expect(simulator.handset.totals().duplicates).toBe(0)
  expect(sockets.every(({ connected }) => connected)).toBe(true)
}, 300_000)

type Progress = { status: string }
const isOver = ({ status }: Progress) => status === 'completed'
