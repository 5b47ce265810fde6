import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '@carillon/simulator/index'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildCampaign, phoneOf } from '../test-lane.ts'
import { until } from '../../../testing/until.ts'

const people = 2000

let simulator: Simulator
let server: TestServer
let manager: Account
const senders: ChildProcess[] = []
const environment = { SECRET_KEY: 'ab'.repeat(32) }

beforeAll(async () => {
  simulator = await startSimulator({ faults: { magicNumbers: false } })
  server = await testServer({ environment, flags: ['--run=web,worker'] })
  manager = await buildManager(server.database)
})
afterAll(async () => {
  for (const sender of senders) await kill(sender)
  await server.close()
  await simulator.close()
})

/** The sender role as a separate process. */
function startSenderProcess(): ChildProcess {
  const main = fileURLToPath(new URL('../../../main.ts', import.meta.url))
  const sender = spawn(process.execPath, [main, '--run=sender'], {
    env: {
      ...process.env,
      ...environment,
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: server.dataDirectory,
      EGRESS_ALLOW: `127.0.0.1:${simulator.smscPort}`,
      PORT: '0',
      DEMO: 'off',
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  })
  senders.push(sender)
  return sender
}

async function kill(sender: ChildProcess) {
  if (sender.exitCode !== null || sender.signalCode !== null) return
  const gone = once(sender, 'exit')
  sender.kill('SIGKILL')
  await gone
}

async function connectAccount(): Promise<string> {
  const config = { host: '127.0.0.1', port: simulator.smscPort, systemId: 'carillon', password: 'simulator' }
  const body = { name: 'Main', provider: 'smpp', headers: ['ACMEIN'], ratePerSecond: 400, config }
  const { _id: id } = await server.ask('smsAccounts.create', { as: manager, body })
  await server.call('smsAccounts.activate', { as: manager, body: { id, isActive: true } })
  return id
}

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await server.database.systemPool.query<Row>(text, values)).rows

test('a sender process that slept beyond its lease sends nothing again that the next one sent', async () => {
  const senderId = await connectAccount()
  const sleeper = startSenderProcess()
  const campaignId = await buildCampaign(server.database, { owner: manager, senderId, total: people, chunkSize: 200 })
  const ownerOf = async () =>
    (await query<{ owner: string }>('select owner from lanes where sender_id = $1', [senderId]))[0]?.owner
  await until(() => simulator.handset.totals().received > 100, 'the beginning')
  const first = await ownerOf()
  sleeper.kill('SIGSTOP')

  startSenderProcess()
  await until(async () => ![first, null, undefined].includes(await ownerOf()), 'the next owner')
  const atHandover = simulator.handset.totals().received
  await until(() => simulator.handset.totals().received > atHandover + 100, 'the next owner to send')
  sleeper.kill('SIGCONT')

  const isCompleted = async () =>
    (await query(`select from campaigns where id = $1 and status = 'completed'`, [campaignId])).length > 0
  await until(isCompleted, 'the end')
  // Messages that the sleeper passed to its connection may still be sent, once; no recipient gets a second message.
  await until(async () => (await query('select from lanes where owner = $1', [first])).length === 0)
  const counts = Array.from({ length: people }, (_, seq) => simulator.handset.count(String(phoneOf(seq))))
  expect(counts.filter((count) => count > 1)).toEqual([])
  const [{ sent, lost } = { sent: 0, lost: 0 }] = await query<{ sent: number; lost: number }>(
    `select count(*) filter (where status in ('sent', 'delivered'))::int as sent, count(*) filter (where status in ('unknown', 'unconfirmed'))::int as lost
     from messages where campaign_id = $1`,
    [campaignId],
  )
  expect(sent + lost).toBe(people)
  expect(simulator.handset.totals().received).toBeGreaterThanOrEqual(sent)
  expect(simulator.handset.totals().received).toBeLessThanOrEqual(sent + lost)
}, 120_000)
