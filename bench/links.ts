/**
 * Tracked links. First part: the product runs in its own process and redirects 5,000 requests a second by the clock, of 100,000
 * recipients; then as many as it can, in turns with a bare redirect in `node:http`. Every request has to be counted. Second part: a
 * campaign whose messages have a tracked link, in turns with the same campaign without one. SECONDS=n for another length of each run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import type { Database } from '../packages/server/src/db/pool.ts'
import type { FrozenLink } from '../packages/server/src/modules/links/link-cells.ts'
import { createEncoder } from '../packages/server/src/modules/links/link-code.ts'
import { createLinkKeys } from '../packages/server/src/modules/links/link-keys.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { until } from '../packages/server/src/testing/until.ts'
import { startServer } from './api.ts'
import { createOwner, people, sendCampaign } from './dispatch.ts'
import { assertEqual, benchDatabase, contest, machine, median } from './harness.ts'
import { openLoop, percentile } from './open-loop.ts'

const secret = 'ab'.repeat(32)
const recipients = 100_000
const seconds = Number(process.env['SECONDS'] ?? 10)
const pace = { perSecond: 5000, seconds }
const connections = 64
const wanted = { ms: 20, redirects: 0.5, sending: 0.95 }
const target = 'https://shop.example/sale'
const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'

export async function benchLinks(): Promise<void> {
  const bench = await benchDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  try {
    const link = await addLink(bench.database)
    const server = await startServer(bench.url, dataDirectory, { environment: { SECRET_KEY: secret } })
    const bare = await startRedirects()
    try {
      await compareRedirects(bench.database, { ours: server.url, bare: bare.url, link })
      console.log(`peak memory of the product ${server.peakMemory()}`)
    } finally {
      bare.stop()
      server.process.kill('SIGTERM')
      await once(server.process, 'exit')
    }
    await contest({
      name: 'links, sending',
      unit: 'messages',
      count: people,
      target: wanted.sending,
      database: bench.database,
      ours: () => sendCampaign(bench, [link]),
      limit: () => sendCampaign(bench),
      against: 'plain',
    })
  } finally {
    await bench.drop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

/** The link of a campaign that was sent; its addresses are a column behind the two of an audience. */
async function addLink(database: Database): Promise<FrozenLink & { number: number }> {
  const owner = await createOwner(database)
  const senderId = await buildSender(database, owner)
  const campaignId = await buildCampaign(database, { owner, senderId, total: recipients, status: 'paused' })
  await database.ownerPool.query(
    `with begun as (update campaigns set created_on = created_at::date where id = $1 returning organization_id, id, created_on)
    insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, provider_message_id, sent_at)
    select organization_id, created_on, id, seq, 1, $2, ${phoneOf(0)} + seq, 'sent', 1, 1000, 'p' || seq, now() - interval '1 hour'
    from begun, generate_series(0, ${recipients - 1}) seq`,
    [campaignId, senderId],
  )
  await database.ownerPool.query('vacuum analyze')
  const { rows } = await database.ownerPool.query<{ number: number }>(
    `insert into campaign_links (organization_id, campaign_id, leg, position, variable, host, url)
    values ($1, $2, 0, 0, 'value2', '127.0.0.1', $3) returning number`,
    [owner.organizationId, campaignId, target],
  )
  const number = rows[0]?.number ?? 0
  const key = createLinkKeys(secret).keyOf(number).toString('base64url')
  return {
    column: 2,
    prefix: 'https://go.shop.example/l/',
    variable: 'value2',
    host: '127.0.0.1',
    url: target,
    number,
    key,
  }
}

async function startRedirects(): Promise<{ url: string; stop(): void }> {
  const script = fileURLToPath(new URL('redirect-stub.ts', import.meta.url))
  const child = spawn(process.execPath, [script, target], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    // The stub writes one line.
    const { port } = JSON.parse(line) as { port: number }
    return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() }
  }
  throw new Error('The bare redirect did not start')
}

type Click = (turn: number) => Promise<void>
type Sides = { ours: string; bare: string; link: FrozenLink & { number: number } }

/** Opens the addresses of recipients that are not neighbours. */
function clicksOn(url: string, { number, key = '' }: Sides['link']): Click {
  const pool = new Pool(url, { connections })
  const encode = createEncoder(number, Buffer.from(key, 'base64url'))
  return async (turn) => {
    const path = `/l/${encode((turn * 7919) % recipients)}`
    const { statusCode, headers, body } = await pool.request({
      path,
      method: 'GET',
      headers: { 'user-agent': userAgent },
    })
    await body.dump()
    if (statusCode !== 302 || headers['location'] !== target) throw new Error(`${path}: ${statusCode}`)
  }
}

async function compareRedirects(database: Database, { ours, bare, link }: Sides): Promise<void> {
  const clicks = { ours: clicksOn(ours, link), bare: clicksOn(bare, link) }
  console.log(`links: ${pace.perSecond.toLocaleString('en')} redirects/s, then as many as possible; ${machine()}`)
  let made = 0
  for (const side of ['ours', 'bare'] as const) {
    const count = await closedLoop(clicks[side], 3)
    if (side === 'ours') made += count
  }
  const latencies = await openLoop([{ name: 'redirect', share: 100, call: clicks.ours }], pace)
  const values = latencies.get('redirect') ?? []
  made += values.length
  const rates = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < Number(process.env['ROUNDS'] ?? 3); round += 1)
    for (const side of ['ours', 'bare'] as const) {
      const begin = performance.now()
      const count = await closedLoop(clicks[side], seconds)
      rates[side].push((count * 1000) / (performance.now() - begin))
      if (side === 'ours') made += count
      console.log(
        `  round ${round + 1} ${side}  ${Math.round(rates[side].at(-1) ?? 0).toLocaleString('en')} redirects/s`,
      )
    }
  await assertCounted(database, link, made)
  console.log(
    `ours at ${pace.perSecond.toLocaleString('en')}/s p50 ${percentile(values, 0.5).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms; wanted at most ${wanted.ms} ms`,
  )
  const ratios = rates.ours.map((rate, round) => rate / (rates.bare[round] ?? rate))
  console.log(`ratio of redirects ${median(ratios).toFixed(2)}; wanted at least ${wanted.redirects}`)
}

/** Each connection opens the next address as soon as it has an answer. Returns the number of redirects. */
async function closedLoop(click: Click, forSeconds: number): Promise<number> {
  const end = performance.now() + forSeconds * 1000
  let turn = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) await click((turn += 1))
    }),
  )
  return turn
}

/** All requests are clicks, and none was lost. */
async function assertCounted({ ownerPool }: Database, { number }: Sides['link'], made: number): Promise<void> {
  const read = async () => {
    const { rows } = await ownerPool.query<{ clicks: number }>(
      'select clicks::int from campaign_links where number = $1',
      [number],
    )
    return rows[0]?.clicks ?? 0
  }
  await until(async () => (await read()) >= made, 'the clicks', 60_000)
  assertEqual(await read(), made, 'clicks')
}
