/**
 * 10,000,000 messages of 2,000 campaigns of 50 organizations under one reseller, while 5,000 delivery reports arrive each second. The
 * product runs in its own process and serves the calls of all dashboards. The limit is the same functions directly on the database at the
 * same rate. Then, how long after a delivery report its dashboard shows it, and the figures of each organization against the messages.
 * MESSAGES=n for another number of messages.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import type { UserActor } from '../packages/server/src/actor.ts'
import type { ProviderEvent } from '../packages/server/src/channels/provider.ts'
import { withPatience } from '../packages/server/src/db/bounded-queries.ts'
import { inScope, type Database, type Db } from '../packages/server/src/db/pool.ts'
import { newId } from '../packages/server/src/lib/ids.ts'
import { listCampaigns } from '../packages/server/src/modules/campaigns/reads/list-campaigns.ts'
import { foldCounters } from '../packages/server/src/modules/messages/housekeeping/fold-counters.ts'
import { recountCampaigns } from '../packages/server/src/modules/messages/proof/recount-messages.ts'
import { isAccepted } from '../packages/server/src/modules/messages/reports/was-accepted.ts'
import { applyProviderEvents } from '../packages/server/src/modules/messages/reports/apply-provider-events.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { listAttention } from '../packages/server/src/modules/reports/attention.ts'
import { countStatuses } from '../packages/server/src/modules/reports/status-counts.ts'
import { listUsage } from '../packages/server/src/modules/reports/usage.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../packages/server/src/testing/builders.ts'
import { startServer } from './api.ts'
import { assertEqual, benchDatabase, machine, median } from './harness.ts'
import { openLoop, percentile, type Latencies, type Mix } from './open-loop.ts'

const organizations = 50
const campaignsOfEach = 40
const messages = Number(process.env['MESSAGES'] ?? 10_000_000)
const people = messages / organizations / campaignsOfEach
/** Over which the campaigns are spread. The last campaign of each organization is under way. */
const days = 30
const timezone = 'Asia/Kolkata'
const pace = { perSecond: 50, seconds: 10 }
const reportsPerSecond = 5000
const shares = {
  'counts, manager': 30,
  'usage, manager': 10,
  'attention, manager': 10,
  'campaigns, manager': 20,
  'counts, reseller': 8,
  'usage, reseller': 4,
  'attention, reseller': 6,
  'counts, admin': 6,
  'attention, admin': 6,
}
const wanted = { ms: 50, freshSeconds: 2, ratio: 0.6 }

type Tenant = { manager: Account; senderId: string; campaignId: string; reported: number }
type Seeded = { admin: Account; reseller: Account; tenants: Tenant[]; today: string }

export async function benchReport(): Promise<void> {
  const bench = await benchDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  try {
    const seeded = await withPatience(() => seed(bench.database))
    const server = await startServer(bench.url, dataDirectory, { roles: 'web,worker' })
    try {
      await compare(bench.database, {
        ours: httpMix(server.url, seeded),
        bare: bareMix(bench.database, seeded),
        seeded,
      })
      await measureFreshness(bench.database, server.url, seeded)
      await assertExact(bench.database, server.url, seeded)
      console.log(`peak memory of the product ${server.peakMemory()}`)
    } finally {
      server.process.kill('SIGTERM')
      await once(server.process, 'exit')
    }
  } finally {
    await bench.drop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function seed(database: Database): Promise<Seeded> {
  const begin = performance.now()
  const { ownerPool } = database
  const { rows } = await ownerPool.query<{ today: string }>(`select (now() at time zone $1)::date as today`, [timezone])
  const today = rows[0]?.today ?? ''
  await ownerPool.query('select ensure_partitions($1::date - $2::int, $1::date)', [today, days])
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const tenants: Tenant[] = []
  for (let index = 0; index < organizations; index += 1) {
    const manager = await buildManager(database, { parent: reseller })
    const senderId = await buildSender(database, manager)
    const campaignId = await buildCampaign(database, { owner: manager, senderId, total: people, status: 'paused' })
    await ownerPool.query('update campaigns set created_on = $2, started_at = now() where id = $1', [campaignId, today])
    await copyCampaigns(database, { campaignId, today })
    tenants.push({ manager, senderId, campaignId, reported: 0 })
  }
  for (let age = days - 1; age >= 0; age -= 1) await insertMessages(database, { today, age })
  await insertFigures(database, { today })
  await ownerPool.query('vacuum analyze')
  console.log(`report-10M: seeded in ${((performance.now() - begin) / 1000).toFixed(0)} s`)
  return { admin, reseller, tenants, today }
}

/** Completed campaigns like the one under way, spread over the days before. */
async function copyCampaigns({ ownerPool }: Database, { campaignId, today }: { campaignId: string; today: string }) {
  const copies = Array.from({ length: campaignsOfEach - 1 }, () => newId())
  await ownerPool.query(
    `insert into campaigns (organization_id, id, path, name, channel, status, audience_id, total, created_by, created_on, created_at, started_at, completed_at)
    select organization_id, copy.id, path, 'Campaign ' || number, channel, 'completed', audience_id, total, created_by,
      $3::date - (number % $4)::int, $3::date - (number % $4)::int, $3::date - (number % $4)::int, $3::date - (number % $4)::int
    from campaigns, unnest($2::uuid[]) with ordinality copy (id, number) where campaigns.id = $1`,
    [campaignId, copies, today, days],
  )
  await ownerPool.query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on)
    select organization_id, copy.id, leg, channel, sender_id, content, price, billable_on
    from campaign_legs, unnest($2::uuid[]) copy (id) where campaign_id = $1`,
    [campaignId, copies],
  )
}

/** Completed campaigns: 93 % delivered, 2 % in flight, 5 % failed. Those under way: all in flight. */
async function insertMessages({ ownerPool }: Database, { today, age }: { today: string; age: number }) {
  await ownerPool.query(
    `insert into messages (organization_id, campaign_id, created_on, left_on, seq, leg, sender_id, phone, parts, price, billable_on,
      status, provider_message_id, reason, code, sent_at, delivered_at, failed_at)
    select organization_id, campaign_id, created_on, created_on, seq, leg, sender_id, phone, 1, 1000, 'sent',
      status::message_status, 'p-' || campaign_id || '-' || seq, case when status = 'failed' then 'number_unreachable' end,
      case when status = 'failed' then '21' end, created_on, case when status = 'delivered' then created_on end,
      case when status = 'failed' then created_on end
    from (select campaign.organization_id, campaign.id as campaign_id, created_on, seq, leg, sender_id, ${phoneOf(0)} + seq as phone,
        case when campaign.status = 'paused' then 'sent' when seq % 20 = 0 then 'failed' when seq % 50 = 1 then 'sent' else 'delivered' end as status
      from campaigns campaign join campaign_legs using (organization_id), generate_series(0, $3::int - 1) seq
      where campaign_legs.campaign_id = campaign.id and created_on = $1::date - $2::int) message`,
    [today, age, people],
  )
}

async function insertFigures({ ownerPool }: Database, { today }: Pick<Seeded, 'today'>) {
  const { rows } = await ownerPool.query<{ day: string }>('select distinct created_on as day from campaigns')
  for (const { day } of rows) await recountCampaigns(ownerPool, day)
  await ownerPool.query(
    `insert into daily_counters (organization_id, account_id, day, channel, submitted, sent, delivered, failed, parts, cost)
    select organization_id, created_by, day, channel, sum(submitted), sum(sent), sum(delivered), sum(failed), sum(parts), sum(cost)
    from leg_days join campaigns using (organization_id) where campaigns.id = campaign_id and
      day <= $1 group by organization_id, created_by, day, channel`,
    [today],
  )
}

type Ask = (account: Account, path: string) => Promise<string>

function connect(url: string): Ask {
  const pool = new Pool(url, { connections: 32 })
  return async ({ token }, path) => {
    const { statusCode, body } = await pool.request({
      path,
      method: 'GET',
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
    return text
  }
}

function httpMix(url: string, { admin, reseller, tenants, today }: Seeded): Mix {
  const ask = connect(url)
  const managerOf = (turn: number) => pick(tenants, turn).manager
  const span = `startDate=${firstDay(today)}&endDate=${today}`
  const userIds = tenants.map(({ manager }) => manager.id).join(',')
  return mixOf({
    'counts, manager': (turn) => ask(managerOf(turn), `/api/dashboard/statusCounts?days=${turn % 2 === 0 ? 7 : 14}`),
    'usage, manager': (turn) => ask(managerOf(turn), `/api/reports/team-usage?${span}`),
    'attention, manager': (turn) => ask(managerOf(turn), '/api/dashboard/attention'),
    'campaigns, manager': (turn) => ask(managerOf(turn), '/api/sms/campaigns'),
    'counts, reseller': () => ask(reseller, '/api/dashboard/statusCounts?days=14'),
    'usage, reseller': () => ask(reseller, `/api/dashboard/stored-status-counts?${span}&userIds=${userIds}`),
    'attention, reseller': () => ask(reseller, '/api/dashboard/attention'),
    'counts, admin': () => ask(admin, '/api/dashboard/statusCounts?days=14'),
    'attention, admin': () => ask(admin, '/api/dashboard/attention'),
  })
}

function bareMix(database: Database, { admin, reseller, tenants, today }: Seeded): Mix {
  const now = new Date()
  const read = async (account: Account, work: (db: Db, actor: UserActor) => Promise<unknown>) => {
    const actor = actorOf(account)
    await inScope(database, actor.scope, (db) => work(db, actor))
  }
  const managerOf = (turn: number) => pick(tenants, turn).manager
  const span = { startDate: firstDay(today), endDate: today }
  const userIds = tenants.map(({ manager }) => manager.id).join(',')
  const counts = (account: Account, count: number) =>
    read(account, (db, actor) => countStatuses(db, { actor, userIds: undefined, days: count, now }))
  const attention = (account: Account) => read(account, (db, actor) => listAttention(db, actor, now))
  return mixOf({
    'counts, manager': (turn) => counts(managerOf(turn), turn % 2 === 0 ? 7 : 14),
    'usage, manager': (turn) =>
      read(managerOf(turn), (db, actor) => listUsage(db, { actor, ...span, eachAlone: true })),
    'attention, manager': (turn) => attention(managerOf(turn)),
    'campaigns, manager': (turn) =>
      read(managerOf(turn), (db, { scope }) =>
        listCampaigns(db, {
          scope,
          timezone,
          channel: 'sms',
          sort: 'created',
          direction: 'desc',
          includeTests: 'false',
          page: 1,
          limit: 20,
        }),
      ),
    'counts, reseller': () => counts(reseller, 14),
    'usage, reseller': () =>
      read(reseller, (db, actor) => listUsage(db, { actor, userIds, ...span, eachAlone: false })),
    'attention, reseller': () => attention(reseller),
    'counts, admin': () => counts(admin, 14),
    'attention, admin': () => attention(admin),
  })
}

function actorOf({ id, organizationId, role, path }: Account): UserActor {
  // What these functions read of a session.
  return {
    kind: 'user',
    accountId: id,
    organizationId,
    role,
    timezone,
    scope: { organizationId, path, descends: role === 'admin' || role === 'reseller' },
  } as UserActor
}

function mixOf(calls: Record<keyof typeof shares, (turn: number) => Promise<unknown>>): Mix {
  return Object.entries(shares).map(([name, share]) => ({
    name,
    share,
    call: async (turn) => void (await calls[name as keyof typeof shares](turn)),
  }))
}

function pick<Item>(items: readonly Item[], turn: number): Item {
  const item = items[(turn * 7919) % items.length]
  if (!item) throw new Error('There is nothing to pick from')
  return item
}

function firstDay(today: string): string {
  return new Date(Date.parse(today) - (days - 1) * 86_400_000).toISOString().slice(0, 10)
}

type Sides = { ours: Mix; bare: Mix; seeded: Seeded }

async function compare(database: Database, { ours, bare, seeded }: Sides): Promise<void> {
  const total = messages.toLocaleString('en')
  console.log(`report-10M: ${total} messages, ${pace.perSecond} calls/s, ${reportsPerSecond} reports/s; ${machine()}`)
  const mixes = { ours, bare }
  for (const side of ['ours', 'bare'] as const) await openLoop(mixes[side], { ...pace, seconds: 5 })
  const all = { ours: [] as Latencies[], bare: [] as Latencies[] }
  const ratios: number[] = []
  for (let round = 0; round < Number(process.env['ROUNDS'] ?? 3); round += 1) {
    for (const side of ['ours', 'bare'] as const) {
      const arriving = sendReports(database, seeded)
      all[side].push(await openLoop(mixes[side], pace))
      const rate = await arriving.stop()
      console.log(`  round ${round + 1} ${side}  p99 ${ms(valuesOf(all[side].at(-1)), 0.99)}  with ${rate} reports/s`)
    }
    ratios.push(middle(all.bare.at(-1)) / middle(all.ours.at(-1)))
  }
  for (const name of Object.keys(shares)) {
    const [one, other] = [all.ours, all.bare].map((side) => side.flatMap((latencies) => latencies.get(name) ?? []))
    console.log(
      `${name.padEnd(18)} ours p50 ${ms(one, 0.5)}  p99 ${ms(one, 0.99)}   bare p50 ${ms(other, 0.5)}  p99 ${ms(other, 0.99)}`,
    )
  }
  console.log(`wanted: p99 at most ${wanted.ms} ms; ratio at least ${wanted.ratio}`)
  console.log(`ratio ${median(ratios).toFixed(2)}`)
}

const valuesOf = (latencies: Latencies = new Map()) => [...latencies.values()].flat()
const ms = (values: readonly number[] = [], share: number) => `${percentile(values, share).toFixed(1).padStart(6)} ms`
const middle = (latencies: Latencies | undefined) => percentile(valuesOf(latencies), 0.5)

const batchSize = 250
const pauseMs = (batchSize / reportsPerSecond) * 1000

/** Messages of the campaigns under way are delivered, organization after organization, and then read, until this is stopped. */
function sendReports(database: Database, { tenants }: Seeded): { stop(): Promise<number> } {
  let isStopped = false
  const begin = performance.now()
  let sent = 0
  const work = (async () => {
    for (let turn = 0; !isStopped; turn += 1) {
      const early = begin + turn * pauseMs - performance.now()
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      const tenant = tenants.filter(({ reported }) => reported + batchSize <= people * 2)[turn % organizations]
      if (tenant) sent += await deliver(database, tenant, batchSize)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await work
      return Math.round((sent / (performance.now() - begin)) * 1000)
    },
  }
}

async function deliver(database: Database, tenant: Tenant, count: number): Promise<number> {
  const { manager, senderId, campaignId } = tenant
  const events = Array.from({ length: count }, (_, index): ProviderEvent => ({
    kind: 'delivery-report',
    providerMessageIds: [`p-${campaignId}-${(tenant.reported + index) % people}`],
    status: tenant.reported + index < people ? 'delivered' : 'read',
    at: new Date(),
    raw: '',
  }))
  tenant.reported += count
  await applyProviderEvents(database.systemPool, { organizationId: manager.organizationId, senderId }, events)
  return count
}

type Figures = Record<'submitted' | 'sent' | 'delivered' | 'read' | 'failed' | 'cost', number>

async function readTotal(ask: Ask, account: Account, span: number): Promise<Figures> {
  const { data } = JSON.parse(await ask(account, `/api/dashboard/statusCounts?days=${span}`)) as {
    data: { total: Figures }
  }
  return data.total
}

const readArrived = async (ask: Ask, account: Account) => {
  const { delivered, read } = await readTotal(ask, account, 1)
  return delivered * 2 + read * 3
}

/** From the commit of a report until the dashboards of its manager and of the admin show it. */
async function measureFreshness(database: Database, url: string, { tenants, admin }: Seeded): Promise<void> {
  const ask = connect(url)
  const seconds: number[] = []
  for (const tenant of tenants.slice(0, 10)) {
    const before = await readArrived(ask, admin)
    await deliver(database, tenant, 1)
    const begin = performance.now()
    while ((await readArrived(ask, admin)) === before) await new Promise((resolve) => setTimeout(resolve, 20))
    seconds.push((performance.now() - begin) / 1000)
  }
  console.log(
    `shown after ${median(seconds).toFixed(2)} s (worst ${Math.max(...seconds).toFixed(2)} s); wanted at most ${wanted.freshSeconds} s`,
  )
}

/** The dashboard of each organization shows what its messages say. */
async function assertExact({ ownerPool, systemPool }: Database, url: string, { tenants }: Seeded): Promise<void> {
  const ask = connect(url)
  await foldCounters(systemPool)
  const { rows } = await ownerPool.query<{ organizationId: string; total: object }>(
    `select organization_id as "organizationId", json_build_object('submitted', count(*) filter (where ${isAccepted('messages')}), 'sent', count(*) filter (where status = 'sent'),
      'delivered', count(*) filter (where status = 'delivered'), 'read', count(*) filter (where status = 'read'), 'failed', count(*) filter (where status = 'failed'),
      'cost', sum(price) / 10000) as total
    from messages group by 1`,
  )
  const counted = new Map(rows.map(({ organizationId, total }) => [organizationId, total]))
  for (const { manager } of tenants) {
    const { submitted, sent, delivered, read, failed, cost } = await readTotal(ask, manager, days)
    assertEqual({ submitted, sent, delivered, read, failed, cost }, counted.get(manager.organizationId), 'dashboard')
  }
  console.log(`exact: the dashboards of ${tenants.length} organizations equal a count of their messages`)
}
