import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { startSimulator, type Simulator } from '@carillon/simulator/index'
import { asSystem } from './db/pool.ts'
import { issue } from './modules/balance/index.ts'
import { buildManager, type Account } from './testing/builders.ts'
import { setSmsPrice } from './testing/money.ts'
import { testServer, type TestServer } from './testing/server.ts'
import { until } from './testing/until.ts'

const environment = { SECRET_KEY: 'cd'.repeat(32) }
/** The simulator rejects numbers with this ending. */
const rejected = '0088'

let simulator: Simulator
let web: TestServer
let manager: Account
let account: SmsAccount
let sender: ChildProcess | undefined
let monitoring = ''

beforeAll(async () => {
  simulator = await startSimulator({
    faults: { magicNumbers: false, answerBySuffix: { [rejected]: 'invalid-number' } },
  })
  web = await testServer({ environment, flags: ['--run=web,worker'] })
  manager = await buildManager(web.database)
  await setSmsPrice(web.database, manager, 1000)
  await asSystem(web.database, (db) =>
    issue(db, {
      issuer: { organizationId: manager.organizationId, accountId: manager.id },
      organizationId: manager.organizationId,
      accountId: manager.id,
      amount: 1_000_000,
      opKey: 'fund',
      reference: '',
    }),
  )
  account = await connectAccount()
})
afterAll(async () => {
  if (sender && sender.exitCode === null) {
    sender.kill('SIGTERM')
    await once(sender, 'exit')
  }
  await web.close()
  await simulator.close()
})

async function connectAccount(): Promise<SmsAccount> {
  const config = { host: '127.0.0.1', port: simulator.smscPort, systemId: 'carillon', password: 'simulator' }
  const body = { name: 'Main', provider: 'smpp', headers: ['ACMEIN'], ratePerSecond: 40, config }
  const created = (await web.call('smsAccounts.create', { as: manager, body })).data()
  await web.call('smsAccounts.activate', { as: manager, body: { id: created._id, isActive: true } })
  return created
}

async function send(phoneNumber: string) {
  const body = { phoneNumber, header: 'ACMEIN', text: 'Is this on?' }
  const { status } = await web.call('smsAccounts.test', { as: manager, path: { id: account._id }, body })
  expect(status).toBe(200)
}

/** Starts the sender role as a separate process; resolves with the address of its metrics. */
async function startSenderProcess(): Promise<string> {
  const program = fileURLToPath(new URL('main.ts', import.meta.url))
  sender = spawn(process.execPath, [program, '--run=sender'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...environment,
      DATABASE_URL: web.databaseUrl,
      DATA_DIR: web.dataDirectory,
      EGRESS_ALLOW: `127.0.0.1:${simulator.smscPort}`,
      METRICS_PORT: '0',
      DEMO: 'off',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!sender.stdout) throw new Error('The sender has no output')
  for await (const line of createInterface({ input: sender.stdout })) {
    const found = /^Metrics are at (\S+)\/metrics$/.exec(line)?.[1]
    if (found) return found
  }
  throw new Error('The sender ended before it served its metrics')
}

type Metrics = { text: string; value(name: string): number | undefined; types: Map<string, string> }

async function scrape(url: string): Promise<Metrics> {
  const response = await fetch(`${url}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  const text = await response.text()
  const lines = text.split('\n').filter(Boolean)
  const values = new Map(
    lines
      .filter((line) => !line.startsWith('#'))
      .map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]),
  )
  const types = new Map(
    lines
      .filter((line) => line.startsWith('# TYPE '))
      .map((line) => {
        const [, , name = '', type = ''] = line.split(' ')
        return [name, type]
      }),
  )
  return { text, types, value: (name) => values.get(name) }
}

async function matchedReports(urls: string[]): Promise<number> {
  const name = 'carillon_delivery_reports_total{result="matched"}'
  const processes = await Promise.all(urls.map(scrape))
  return processes.reduce((sum, { value }) => sum + (value(name) ?? 0), 0)
}

const queueAge = 'carillon_queue_oldest_due_seconds{channel="sms",queue="single"}'

test('unsent messages are visible in any process: the age of the oldest and the lanes without owner', async () => {
  expect((await scrape(web.url)).value('carillon_lanes_unheld{channel="sms"}')).toBe(0)
  for (const end of ['0021', '0022', '0023', rejected]) await send(`+91981234${end}`)
  await web.database.systemPool.query(`update priority_messages set due_at = now() - interval '90 seconds'`)
  await until(async () => ((await scrape(web.url)).value(queueAge) ?? 0) >= 90, 'the age of the oldest message')
  const { value } = await scrape(web.url)
  expect(value('carillon_lanes_unheld{channel="sms"}')).toBe(1)
  expect(value('carillon_lanes_held{status="connected"}')).toBeUndefined()
})

test('a process without the web role reports sends, errors, lanes and reports on METRICS_PORT', async () => {
  // Test files before this one may have counted reports in this process.
  const before = await matchedReports([web.url])
  monitoring = await startSenderProcess()
  // A report that arrives before the response is recorded is matched by the worker.
  await until(async () => (await matchedReports([monitoring, web.url])) - before === 3, 'the delivery reports')
  const { value, types } = await scrape(monitoring)
  const sms = 'channel="sms",provider="smpp"'
  expect({
    accepted: value(`carillon_sends_total{${sms},outcome="accepted"}`),
    rejected: value(`carillon_sends_total{${sms},outcome="rejected"}`),
    unknown: value(`carillon_sends_total{${sms},outcome="unknown"}`),
    errors: value(`carillon_provider_errors_total{${sms},class="invalid_number"}`),
    durations: value(`carillon_send_duration_seconds_count{${sms}}`),
    withinAnyTime: value(`carillon_send_duration_seconds_bucket{${sms},le="+Inf"}`),
    held: value('carillon_lanes_held{status="connected"}'),
    allowed: value(`carillon_rate_allowed_per_second{${sms}}`),
    agreed: value(`carillon_rate_agreed_per_second{${sms}}`),
    unmatched: value('carillon_delivery_reports_total{result="unmatched"}'),
  }).toEqual({
    accepted: 3,
    rejected: 1,
    unknown: 0,
    errors: 1,
    durations: 4,
    withinAnyTime: 4,
    held: 1,
    allowed: 40,
    agreed: 40,
    unmatched: 0,
  })
  expect(value('carillon_send_duration_seconds_sum{channel="sms",provider="smpp"}')).toBeGreaterThan(0)
  expect(value('carillon_database_connections{pool="system",state="in_use"}')).toBeGreaterThan(0)
  expect(value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  expect(types.get('carillon_sends_total')).toBe('counter')
  expect(types.get('carillon_send_duration_seconds')).toBe('histogram')
  expect(types.get('carillon_queue_oldest_due_seconds')).toBe('gauge')
  await until(async () => (await scrape(web.url)).value(queueAge) === 0, 'the empty queue')
})

test('a report for an unknown message counts as early', async () => {
  const { value: before } = await scrape(monitoring)
  simulator.setFaults({ reports: { stranger: 1 } })
  await send('+919812340031')
  const early = 'carillon_delivery_reports_total{result="early"}'
  await until(
    async () => ((await scrape(monitoring)).value(early) ?? 0) > (before(early) ?? 0),
    'a report without a message',
  )
})

test('no metric contains an organization, a sender or a phone number', async () => {
  for (const { text } of [await scrape(monitoring), await scrape(web.url)]) {
    for (const secret of [manager.organizationId, manager.id, account._id, '9812340', 'ACMEIN'])
      expect(text).not.toContain(secret)
    expect(text.match(/^[a-z].*$/gm)?.filter((line) => line.startsWith('carillon_') && line.includes('NaN'))).toEqual(
      [],
    )
  }
})

test('the metrics port serves health and nothing else', async () => {
  const statusOf = async (path: string) => (await fetch(`${monitoring}${path}`)).status
  expect(await statusOf('/health/live')).toBe(200)
  expect(await statusOf('/health/ready')).toBe(200)
  expect(await statusOf('/api/v1/campaigns')).toBe(404)
  expect(await statusOf('/')).toBe(404)
})
