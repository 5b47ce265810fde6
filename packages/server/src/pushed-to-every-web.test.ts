import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IncomingMessage, NotificationEvent, ProgressUpdate } from '@carillon/contract/realtime'
import { startSimulator, type Simulator } from '@carillon/simulator/index'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCampaign, phoneOf } from './modules/messages/test-lane.ts'
import { buildManager, type Account } from './testing/builders.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'
import { runProgram, type Program } from './testing/program.ts'
import { until } from './testing/until.ts'

let own: TestDatabase
let simulator: Simulator
let manager: Account
let stranger: Account
let directory: string
const programs: Program[] = []
const sockets: Socket[] = []

beforeAll(async () => {
  own = await testDatabase()
  simulator = await startSimulator({ faults: { magicNumbers: false } })
  manager = await buildManager(own.database)
  stranger = await buildManager(own.database)
  directory = mkdtempSync(join(tmpdir(), 'carillon-apart-'))
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await Promise.all(programs.map((program) => program.stop()))
  await simulator.close()
  await own.drop()
  rmSync(directory, { recursive: true, force: true })
})

function run(role: string): Program {
  const program = runProgram(
    {
      DATABASE_URL: own.url,
      DATA_DIR: directory,
      DEMO: 'off',
      SECRET_KEY: 'ab'.repeat(32),
      EGRESS_ALLOW: `127.0.0.1:${simulator.smscPort}`,
    },
    [`--run=${role}`],
  )
  programs.push(program)
  return program
}

async function addressOf(web: Program): Promise<string> {
  const find = () => /is at (http:\S+)/.exec(web.output())?.[1]
  await until(() => find() !== undefined, `an address in ${web.output()}`, 60_000)
  return find() ?? ''
}

async function connectSmsAccount(url: string): Promise<string> {
  const send = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${manager.token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
    return answer.json()
  }
  const config = { host: '127.0.0.1', port: simulator.smscPort, systemId: 'carillon', password: 'simulator' }
  const created: unknown = await send('POST', '/api/sms/accounts', {
    name: 'Main',
    provider: 'smpp',
    headers: ['ACMEIN'],
    ratePerSecond: 200,
    config,
  })
  // The response has the shape of the contract.
  const { _id: id } = (created as { data: { _id: string } }).data
  await send('PUT', '/api/sms/accounts/activate', { id, isActive: true })
  return id
}

type Heard = { texts: string[]; progress: ProgressUpdate[]; notifications: string[] }

/** A browser connected to one of the web processes. */
async function listen(url: string, { token }: Account): Promise<Heard> {
  const received: Heard = { texts: [], progress: [], notifications: [] }
  const socket = io(url, { transports: ['websocket'], query: { token }, forceNew: true })
  sockets.push(socket)
  socket.on('message', ({ text }: IncomingMessage) => received.texts.push(text))
  socket.on('progressUpdate', (update: ProgressUpdate) => received.progress.push(update))
  socket.on('notification', ({ kind }: NotificationEvent) => received.notifications.push(kind))
  await new Promise<void>((resolve) => socket.on('connect', resolve))
  return received
}

test('events of a sender or worker process reach browsers at every web process', { timeout: 180_000 }, async () => {
  const webs = [run('web'), run('web')]
  run('sender')
  run('worker')
  const urls = await Promise.all(webs.map(addressOf))
  const received = await Promise.all(urls.map((url) => listen(url, manager)))
  const foreign = await Promise.all(urls.map((url) => listen(url, stranger)))
  const senderId = await connectSmsAccount(urls[0] ?? '')

  const campaignId = await buildCampaign(own.database, { owner: manager, senderId, total: 300 })
  await expect
    .poll(() => received.map(({ progress }) => progress.at(-1)), { timeout: 60_000 })
    .toEqual(received.map(() => expect.objectContaining({ campaignId, status: 'completed', percent: 100 })))
  await expect
    .poll(() => received.map(({ notifications }) => notifications), { timeout: 20_000 })
    .toEqual(received.map(() => ['campaign_completed']))

  simulator.reply({ number: String(phoneOf(1)), to: 'ACMEIN', text: 'Hello from a phone' })
  await expect
    .poll(() => received.map(({ texts }) => texts), { timeout: 20_000 })
    .toEqual(received.map(() => ['Hello from a phone']))
  expect(foreign).toEqual(foreign.map(() => ({ texts: [], progress: [], notifications: [] })))
  for (const program of programs) expect(program.output()).not.toContain('"level":50')
})
