/**
 * Calls of every kind at a steady pace, open loop: alone, and while a provider never answers. First 100 calls of one organisation
 * are made to it (the limit refuses most), then ten calls of each of ten organisations, then the jobs of fifty organisations.
 * Half of the measured calls are made by those organisations.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { asSystem, type Database } from '../packages/server/src/db/pool.ts'
import { hashPassword } from '../packages/server/src/modules/auth/passwords.ts'
import { enqueueLineSync } from '../packages/server/src/modules/senders/index.ts'
import { buildManager, type Account } from '../packages/server/src/testing/builders.ts'
import { sampleConnection } from '../packages/server/src/testing/meta-ids.ts'
import { startServer } from './api.ts'
import { benchDatabase, machine, median } from './harness.ts'
import { openLoop, percentile, type Latencies, type Mix } from './open-loop.ts'

const pace = { perSecond: 200, seconds: 10 }
const organizations = 50
const atOnce = 100
const wantedMs = 100
const password = 'Correct-horse-7'

/** Requests wait until they are released, unless it answers. */
type Provider = { server: Server; url: string; isHanging: boolean; waiting: ServerResponse[] }
type Bench = { database: Database; provider: Provider; pool: Pool; managers: Account[]; mix: Mix }
type Scenario = { name: string; hang(bench: Bench): Promise<string> }

const scenarios: Scenario[] = [
  { name: 'alone', hang: async () => '' },
  { name: 'one organisation', hang: (bench) => callProvider(bench, bench.managers.slice(0, 1)) },
  { name: 'ten organisations', hang: (bench) => callProvider(bench, bench.managers.slice(0, 10)) },
  { name: 'fifty by jobs', hang: runJobs },
]

export async function benchHangingProvider(): Promise<void> {
  const bench = await benchDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  const provider = await startProvider()
  try {
    const environment = { EGRESS_ALLOW: new URL(provider.url).host }
    const server = await startServer(bench.url, dataDirectory, { environment, roles: 'web,worker' })
    const pool = new Pool(server.url, { connections: 2 * atOnce })
    try {
      const { database } = bench
      const managers = await buildManagers(database)
      // An account for the jobs of each organisation.
      for (const manager of managers) await connect({ pool, provider }, manager)
      await compare({ database, provider, pool, managers, mix: await mixOf(database, pool, managers) })
    } finally {
      server.process.kill('SIGKILL')
      await once(server.process, 'exit')
      await pool.destroy()
    }
  } finally {
    provider.server.closeAllConnections()
    provider.server.close()
    await bench.drop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function startProvider(): Promise<Provider> {
  const server = createServer((_, response) => {
    if (provider.isHanging) provider.waiting.push(response)
    else answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server on a port has the address of one.
  const { port } = server.address() as AddressInfo
  const provider: Provider = { server, url: `http://127.0.0.1:${port}`, isHanging: false, waiting: [] }
  return provider
}

function answer(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": []}')
}

async function buildManagers(database: Database): Promise<Account[]> {
  const managers: Account[] = []
  for (let count = 0; count < 2 * organizations; count += 1) managers.push(await buildManager(database))
  const ids = managers.map(({ id }) => id)
  const hash = await hashPassword(password)
  await database.ownerPool.query('update accounts set password_hash = $2 where id = any($1)', [ids, hash])
  return managers
}

async function compare(bench: Bench): Promise<void> {
  console.log(`hanging provider: ${pace.perSecond} calls/s; ${machine()}`)
  await openLoop(bench.mix, { perSecond: pace.perSecond, seconds: 5 })
  const results = new Map<string, Latencies[]>(scenarios.map(({ name }) => [name, []]))
  const rounds = Number(process.env['ROUNDS'] ?? 3)
  for (let round = 1; round <= rounds; round += 1)
    for (const { name, hang } of scenarios) {
      bench.provider.isHanging = true
      const what = await hang(bench)
      const latencies = await openLoop(bench.mix, pace)
      results.get(name)?.push(latencies)
      const values = [...latencies.values()].flat()
      console.log(`  round ${round} ${name.padEnd(18)} p50 ${ms(values, 0.5)}  p99 ${ms(values, 0.99)}  ${what}`)
      await release(bench.provider)
    }
  report(results)
}

function report(results: ReadonlyMap<string, Latencies[]>) {
  const kinds = [...(results.get('alone')?.[0]?.keys() ?? [])]
  console.log(`p99 by call      ${[...results.keys()].map((name) => name.padStart(18)).join('')}`)
  for (const kind of kinds) {
    const columns = [...results.values()].map((rounds) =>
      ms(
        rounds.flatMap((round) => round.get(kind) ?? []),
        0.99,
      ),
    )
    console.log(`${kind.padEnd(17)}${columns.map((column) => column.padStart(18)).join('')}`)
  }
  const p99Of = (rounds: Latencies[] = []) =>
    median(rounds.map((latencies) => percentile([...latencies.values()].flat(), 0.99)))
  const alone = p99Of(results.get('alone'))
  for (const [name, rounds] of results) {
    const p99 = p99Of(rounds)
    console.log(
      `${name.padEnd(17)} p99 ${p99.toFixed(1)} ms, ${(p99 / alone).toFixed(2)} times alone; wanted at most ${wantedMs} ms`,
    )
  }
}

const ms = (values: readonly number[], share: number) => `${percentile(values, share).toFixed(1).padStart(6)} ms`

/** Answers the requests that wait. */
async function release(provider: Provider): Promise<void> {
  provider.isHanging = false
  provider.waiting.splice(0).forEach(answer)
  await new Promise((resolve) => setTimeout(resolve, 2000))
}

/** A hundred calls, divided among the managers; those beyond an organisation's limit are refused at once. */
async function callProvider({ pool, provider }: Bench, managers: Account[]): Promise<string> {
  let refused = 0
  for (let call = 0; call < atOnce; call += 1)
    void connect({ pool, provider }, managers[call % managers.length]).then(
      (status) => (refused += status === 429 ? 1 : 0),
      () => undefined,
    )
  await reach(() => provider.waiting.length + refused >= atOnce)
  return `${provider.waiting.length} calls wait, ${refused} were refused`
}

async function runJobs({ database, provider, managers }: Bench): Promise<string> {
  const ids = managers.slice(0, organizations).map(({ organizationId }) => organizationId)
  await asSystem(database, async (db) => {
    const accounts = await db
      .selectFrom('provider_accounts')
      .select(['organization_id', 'id'])
      .where('organization_id', 'in', ids)
      .execute()
    for (const { organization_id: organizationId, id: accountId } of accounts)
      await enqueueLineSync(db, { organizationId, accountId })
  })
  await reach(() => provider.waiting.length >= organizations)
  return `jobs wait: ${provider.waiting.length} requests`
}

async function reach(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** The status of the call. */
async function connect({ pool, provider }: Pick<Bench, 'pool' | 'provider'>, manager?: Account): Promise<number> {
  const { statusCode, body } = await pool.request({
    path: '/api/waba/connections',
    method: 'POST',
    headers: { authorization: `Bearer ${manager?.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(sampleConnection(provider.url)),
  })
  await body.dump()
  return statusCode
}

const reads = {
  'campaign list': '/api/sms/campaigns',
  'template list': '/api/waba/templates',
  'account list': '/api/waba/connections',
  balance: '/api/v1/balance/getBalance',
  profile: '/api/v1/profile/details',
  notifications: '/api/v1/notifications',
  attention: '/api/dashboard/attention',
}

async function mixOf(database: Database, pool: Pool, managers: Account[]): Promise<Mix> {
  // Organisations that wait for the provider and those that do not, in turn.
  const callerOf = (turn: number) => managers[(turn % 2) * organizations + (Math.floor(turn / 2) % 10)]
  const get = (path: string) => (turn: number) => ask(pool, { as: callerOf(turn), path })
  const calls = Object.entries(reads).map(([name, path]) => ({ name, share: 12, call: get(path) }))
  const markRead = (turn: number) => ask(pool, { as: callerOf(turn), path: '/api/v1/notifications/read', body: {} })
  const signIn = (turn: number) =>
    ask(pool, { path: '/api/v1/auth/login', body: { username: callerOf(turn)?.username, password } })
  await database.ownerPool.query('vacuum analyze')
  return [...calls, { name: 'mark as read', share: 15, call: markRead }, { name: 'sign in', share: 1, call: signIn }]
}

type Asked = { as?: Account | undefined; path: string; body?: object }

async function ask(pool: Pool, { as, path, body: sent }: Asked): Promise<void> {
  const { statusCode, body } = await pool.request({
    path,
    method: sent ? 'POST' : 'GET',
    headers: {
      ...(as ? { authorization: `Bearer ${as.token}` } : {}),
      ...(sent ? { 'content-type': 'application/json' } : {}),
    },
    ...(sent ? { body: JSON.stringify(sent) } : {}),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
}
