/**
 * Ten campaigns of 100,000 messages each. First part: the product runs in its own process and serves sign-ins, campaign lists, campaign
 * details and number searches at 500 a second, open loop. The limit is the same
 * SQL: the functions behind those calls, run directly on the database at the same rate. Second part: see api-reads.ts.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { asSystem, inScope, type Database, type Db } from '../packages/server/src/db/pool.ts'
import type { Scope } from '../packages/server/src/db/scope.ts'
import { hashPassword, verifyPassword } from '../packages/server/src/modules/auth/passwords.ts'
import { startSession } from '../packages/server/src/modules/auth/sessions.ts'
import { getCampaignDetail } from '../packages/server/src/modules/campaigns/reads/get-campaign.ts'
import { listCampaigns } from '../packages/server/src/modules/campaigns/reads/list-campaigns.ts'
import { statsOf } from '../packages/server/src/modules/campaigns/reads/numbers.ts'
import { foldCounters } from '../packages/server/src/modules/messages/housekeeping/fold-counters.ts'
import { messagesByNumber } from '../packages/server/src/modules/messages/reads/messages-by-number.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { buildManager, type Account } from '../packages/server/src/testing/builders.ts'
import { benchReads } from './api-reads.ts'
import { assertEqual, benchDatabase, machine, median } from './harness.ts'
import { openLoop, percentile, type Latencies, type Mix } from './open-loop.ts'

const campaigns = 10
const people = 100_000
/** Messages of each campaign that failed. */
const failed = 100
const pace = { perSecond: 500, seconds: 10 }
const shares = { 'sign in': 1, 'campaign list': 33, 'campaign detail': 33, 'number search': 33 }
const wantedMs = 50
const password = 'Correct-horse-7'

type Seeded = { manager: Account; scope: Scope; campaignIds: string[] }

export async function benchApi(): Promise<void> {
  const bench = await benchDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  try {
    const seeded = await seed(bench.database)
    const server = await startServer(bench.url, dataDirectory)
    try {
      await compare({ bare: bareMix(bench.database, seeded), ours: await httpMix(server.url, seeded) }, server)
      await benchReads({ databaseUrl: bench.url, serverUrl: server.url, ...seeded })
    } finally {
      server.process.kill('SIGTERM')
      await once(server.process, 'exit')
    }
  } finally {
    await bench.drop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function compare(mixes: Record<'ours' | 'bare', Mix>, server: Server): Promise<void> {
  console.log(`api: ${(campaigns * people).toLocaleString('en')} messages, ${pace.perSecond} calls/s; ${machine()}`)
  const ratios: number[] = []
  const all = { ours: [] as Latencies[], bare: [] as Latencies[] }
  const rounds = Number(process.env['ROUNDS'] ?? 3)
  // Warms up connections, query plans and caches.
  await openLoop(mixes.ours, { perSecond: 300, seconds: 5 })
  await openLoop(mixes.bare, { perSecond: 300, seconds: 5 })
  for (let round = 0; round < rounds; round += 1) {
    for (const side of ['ours', 'bare'] as const) {
      const latencies = await openLoop(mixes[side], pace)
      all[side].push(latencies)
      const values = [...latencies.values()].flat()
      console.log(
        `  round ${round + 1} ${side}  p50 ${ms(values, 0.5)}  p99 ${ms(values, 0.99)}  worst ${ms(values, 1)}`,
      )
    }
    ratios.push(percentile(valuesOf(all.bare.at(-1)), 0.5) / percentile(valuesOf(all.ours.at(-1)), 0.5))
  }
  for (const name of Object.keys(shares)) {
    const [ours, bare] = [all.ours, all.bare].map((side) => side.flatMap((latencies) => latencies.get(name) ?? []))
    console.log(
      `${name.padEnd(16)} ours p50 ${ms(ours, 0.5)}  p99 ${ms(ours, 0.99)}   bare p50 ${ms(bare, 0.5)}  p99 ${ms(bare, 0.99)}`,
    )
  }
  const p99s = all.ours.map((latencies) => percentile(valuesOf(latencies), 0.99))
  console.log(
    `ours p99 ${median(p99s).toFixed(1)} ms (worst round ${Math.max(...p99s).toFixed(1)}); wanted at most ${wantedMs}`,
  )
  console.log(`peak memory of the product ${server.peakMemory()}`)
  console.log(`ratio ${median(ratios).toFixed(2)}`)
}

const valuesOf = (latencies: Latencies | undefined) => [...(latencies ?? new Map<string, number[]>()).values()].flat()
const ms = (values: readonly number[] = [], share: number) => `${percentile(values, share).toFixed(1).padStart(6)} ms`

async function seed(database: Database): Promise<Seeded> {
  const manager = await buildManager(database)
  await database.ownerPool.query('update accounts set password_hash = $2 where id = $1', [
    manager.id,
    await hashPassword(password),
  ])
  const senderId = await buildSender(database, manager)
  const campaignIds: string[] = []
  for (let index = 0; index < campaigns; index += 1) {
    const campaignId = await buildCampaign(database, { owner: manager, senderId, total: people, status: 'paused' })
    await database.ownerPool.query(
      `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, provider_message_id, sent_at, delivered_at)
      select $1, created_at::date, id, seq, 1, $3, ${phoneOf(0)} + seq, 'delivered', 1, 1000, 'p' || $4 || '-' || seq, now(), now()
      from campaigns, generate_series(0, ${people - 1}) seq where id = $2`,
      [manager.organizationId, campaignId, senderId, index],
    )
    await database.ownerPool.query(
      `update messages set status = 'failed', reason = 'number_unreachable', code = '001', delivered_at = null, failed_at = now()
      where organization_id = $1 and campaign_id = $2 and seq % $3 = 0`,
      [manager.organizationId, campaignId, people / failed],
    )
    await database.ownerPool.query(
      `insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, submitted, delivered, failed, parts, cost)
      values ($1, $2, 1, $3, 'sms', $4, $4::int - $5::int, $5, $4, $4::int * 1000)`,
      [manager.organizationId, campaignId, manager.id, people, failed],
    )
    campaignIds.push(campaignId)
  }
  await foldCounters(database.systemPool)
  await database.ownerPool.query('vacuum analyze')
  return {
    manager,
    campaignIds,
    scope: { organizationId: manager.organizationId, path: manager.path, descends: false },
  }
}

type Server = { process: ChildProcess; url: string; peakMemory(): string }

/** The product in its own process, with additional settings; by default the web role alone. */
export async function startServer(
  databaseUrl: string,
  dataDirectory: string,
  { environment = {}, roles = 'web' }: { environment?: Record<string, string>; roles?: string } = {},
): Promise<Server> {
  const script = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [script, `--run=${roles}`], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      DRAIN_SECONDS: '0',
      DATA_DIR: dataDirectory,
      DEMO: 'off',
      SIMULATOR: 'off',
      LOG_LEVEL: 'error',
      PORT: '0',
      SECRET_KEY: 'ab'.repeat(32),
      REQUESTS_PER_SECOND: '10000',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Carillon .* is at (\S+)$/.exec(line)?.[1]
    if (url) return { process: child, url, peakMemory: () => peakMemoryOf(child.pid) }
  }
  throw new Error('The product did not start')
}

function peakMemoryOf(pid: number | undefined): string {
  if (process.platform !== 'linux') return 'is told on Linux only'
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return `${Math.round(Number(kilobytes) / 1024)} MB`
}

/** The requested records change with each turn, so that no cache holds all of them. */
const numberOf = (turn: number) => phoneOf((turn * 7919) % people)

async function httpMix(url: string, { manager, campaignIds }: Seeded): Promise<Mix> {
  const pool = new Pool(url, { connections: 32 })
  const headers = { authorization: `Bearer ${manager.token}` }
  const get = async (path: string) => {
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
    return text
  }
  const signIn = async () => {
    const { statusCode, body } = await pool.request({
      path: '/api/v1/auth/login',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: manager.username, password }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`sign in: ${statusCode} ${text}`)
    return text
  }
  const list = () => get('/api/sms/campaigns')
  const detail = (turn: number) => get(`/api/v1/campaigns/${campaignIds[turn % campaigns]}`)
  const search = (turn: number) => get(`/api/messages/number/${numberOf(turn)}`)
  await assertRight({ signIn, list, detail, search }, campaignIds)
  return mixOf({ signIn, list, detail, search })
}

type Calls = Record<'signIn' | 'list' | 'detail' | 'search', (turn: number) => Promise<unknown>>

/** Checks the responses before anything is measured. */
async function assertRight({ signIn, list, detail, search }: Calls, campaignIds: string[]) {
  const read = async (text: Promise<unknown>) => JSON.parse(String(await text)) as Record<string, unknown>
  assertEqual(typeof (await read(signIn(0)))['token'], 'string', 'token')
  const { campaigns: listed, totalCampaigns } = await read(list(0))
  assertEqual(totalCampaigns, campaigns, 'campaigns')
  const ids = (listed as { _id: string }[]).map(({ _id }) => _id).sort()
  assertEqual(ids, campaignIds.toSorted(), 'campaigns listed')
  assertEqual(((await read(detail(0)))['data'] as { _id: string })._id, campaignIds[0], 'campaign')
  const { messages } = (await read(search(1)))['data'] as {
    messages: { campaignId: string; status: string; phoneNumber: string }[]
  }
  assertEqual(messages.map(({ campaignId }) => campaignId).sort(), campaignIds.toSorted(), 'found in every campaign')
  assertEqual(new Set(messages.map(({ status }) => status)).size, 1, 'all delivered')
}

function bareMix(database: Database, { manager, scope, campaignIds }: Seeded): Mix {
  const read = (work: (db: Db) => Promise<unknown>) => inScope(database, scope, work)
  return mixOf({
    signIn: async () => {
      const account = await asSystem(database, (db) =>
        db
          .selectFrom('accounts')
          .select(['password_hash', 'organization_id'])
          .where('username', '=', manager.username)
          .executeTakeFirstOrThrow(),
      )
      await verifyPassword(password, account.password_hash ?? '')
      await asSystem(database, (db) =>
        startSession(db, {
          accountId: manager.id,
          organizationId: account.organization_id,
          ip: '127.0.0.1',
          userAgent: 'bench',
          now: new Date(),
          hours: 12,
        }),
      )
    },
    list: () =>
      read(async (db) => {
        const { rows } = await listCampaigns(db, {
          scope: scope,
          timezone: 'UTC',
          channel: 'sms',
          sort: 'created',
          direction: 'desc',
          includeTests: 'false',
          page: 1,
          limit: 10,
        })
        await statsOf(db, rows)
      }),
    detail: (turn) => read((db) => getCampaignDetail(db, { id: campaignIds[turn % campaigns] ?? '', scope: scope })),
    search: (turn) =>
      read((db) => messagesByNumber(db, { scope: scope, phone: numberOf(turn), from: new Date(0), limit: 50 })),
  })
}

function mixOf({ signIn, list, detail, search }: Calls): Mix {
  const calls = { 'sign in': signIn, 'campaign list': list, 'campaign detail': detail, 'number search': search }
  return Object.entries(calls).map(([name, call]) => ({
    name,
    share: shares[name as keyof typeof shares],
    call: async (turn) => void (await call(turn)),
  }))
}
