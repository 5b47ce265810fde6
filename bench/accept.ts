/**
 * One organisation sends with one API key, each call with an `Idempotency-Key` of its own: first 500 calls a second by the clock, then as
 * many as 64 connections carry. The limit commits one bare row for each call on 64 connections, without HTTP.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import type { Database } from '../packages/server/src/db/pool.ts'
import { newId } from '../packages/server/src/lib/ids.ts'
import { buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { buildKey } from '../packages/server/src/testing/api-keys.ts'
import { buildAdmin, buildManager } from '../packages/server/src/testing/builders.ts'
import { issueTo, setSmsPrice } from '../packages/server/src/testing/money.ts'
import { startServer } from './api.ts'
import { assertEqual, benchDatabase, machine } from './harness.ts'
import { percentile } from './open-loop.ts'

const pace = { perSecond: 500, seconds: 20 }
const connections = 64
const closedSeconds = 10
const wanted = { p99Ms: 150, ratio: 0.35 }

export async function benchAccept(): Promise<void> {
  const bench = await benchDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  try {
    const token = await seed(bench.database)
    const server = await startServer(bench.url, dataDirectory, {
      environment: { API_KEY_REQUESTS_PER_SECOND: '10000' },
    })
    try {
      console.log(`accept: one organisation, one key, ${connections} connections; ${machine()}`)
      const pool = new Pool(server.url, { connections })
      const post = () => send(pool, token)
      await paced(post, { perSecond: 200, seconds: 5 })
      const latencies = await paced(post, pace)
      console.log(
        `ours   at ${pace.perSecond}/s: p50 ${ms(latencies, 0.5)}  p99 ${ms(latencies, 0.99)}  worst ${ms(latencies, 1)}; wanted p99 at most ${wanted.p99Ms} ms`,
      )
      const ratios: number[] = []
      for (let round = 0; round < Number(process.env['ROUNDS'] ?? 3); round += 1) {
        const ours = await fastest(post)
        const limit = await bareInserts(bench.url)
        ratios.push(ours / limit)
        console.log(`  round ${round + 1}: ours ${ours.toFixed(0)} messages/s, limit ${limit.toFixed(0)} rows/s`)
      }
      await pool.close()
      await check(bench.database)
      console.log(`peak memory of the product ${server.peakMemory()}`)
      console.log(`ratio ${percentile(ratios, 0.5).toFixed(2)}; wanted at least ${wanted.ratio}`)
    } finally {
      server.process.kill('SIGTERM')
      await once(server.process, 'exit')
    }
  } finally {
    await bench.drop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function seed(database: Database): Promise<string> {
  const manager = await buildManager(database)
  await buildSender(database, manager)
  const admin = await buildAdmin(database)
  await setSmsPrice(database, manager, 1500)
  await issueTo(database, { admin, account: manager, units: 1_000_000_000_000 })
  await database.ownerPool.query(
    'create table bare_rows (id uuid primary key, phone bigint not null, text text not null)',
  )
  return (await buildKey(database, manager)).token
}

let sequence = 0

async function send(pool: Pool, token: string): Promise<void> {
  sequence += 1
  const { statusCode, body } = await pool.request({
    path: '/api/public/v1/messages',
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': newId() },
    body: JSON.stringify({
      to: `+${phoneOf(sequence % 100_000)}`,
      text: `Your code is ${100_000 + (sequence % 900_000)}`,
    }),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`)
}

async function paced(call: () => Promise<void>, { perSecond, seconds }: typeof pace): Promise<number[]> {
  const begin = performance.now()
  const latencies: number[] = []
  const pending: Promise<void>[] = []
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    const due = begin + (turn * 1000) / perSecond
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    // From the time at which it was due: a stalled server must not slow down the clock.
    pending.push(call().then(() => void latencies.push(performance.now() - due)))
  }
  await Promise.all(pending)
  return latencies
}

/** Calls a second of a closed loop. */
async function fastest(call: () => Promise<void>): Promise<number> {
  const begin = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - begin < closedSeconds * 1000) {
        await call()
        done += 1
      }
    }),
  )
  return (done * 1000) / (performance.now() - begin)
}

async function bareInserts(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  try {
    return await fastest(async () => {
      sequence += 1
      await pool.query({
        name: 'insert-bare',
        text: 'insert into bare_rows (id, phone, text) values ($1, $2, $3)',
        values: [newId(), phoneOf(sequence % 100_000), `Your code is ${sequence}`],
      })
    })
  } finally {
    await pool.end()
  }
}

/** Each message was paid for once. */
async function check(database: Database): Promise<void> {
  const { rows } = await database.ownerPool.query(
    `select (select count(*) from single_sends)::int as messages, (select sum(held) from ledger_accounts where kind = 'balance')::int / 1500 as paid`,
  )
  const [row] = rows as { messages: number; paid: number }[]
  assertEqual(row?.paid, row?.messages, 'messages that are paid for')
}

const ms = (values: readonly number[], share: number) => `${percentile(values, share).toFixed(1)} ms`
