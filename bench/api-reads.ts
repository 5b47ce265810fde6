/**
 * The second part of `api`: campaign list, campaign detail, balance and profile in equal shares. A closed loop of sixteen
 * connections measures how many calls a second the product answers; the limit is a bare handler with one statement for each
 * call, in a process of its own as well (bare-api.ts). Then an open loop at 60 % of the product's own rate measures latencies.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import type { Account } from '../packages/server/src/testing/builders.ts'
import { assertEqual, machine, median } from './harness.ts'
import { openLoop, percentile } from './open-loop.ts'

const connections = 16
const secondsEach = 5
const openShare = 0.6
const wanted = { ratio: 0.5, timesBare: 10 }

type Call = (turn: number) => Promise<string>
type Calls = Record<'list' | 'detail' | 'balance' | 'profile', Call>
type Side = { calls: Calls; close(): Promise<void> }

export type Seeded = { databaseUrl: string; serverUrl: string; manager: Account; campaignIds: readonly string[] }

export async function benchReads(seeded: Seeded): Promise<void> {
  const bare = await startBare(seeded)
  const sides = { ours: openOurs(seeded), bare: openBare(bare.url, seeded) }
  try {
    await assertSame(sides.ours.calls, sides.bare.calls)
    console.log(`api, reads: ${connections} connections; ${machine()}`)
    await compareLatencies(sides, await compareRates(sides))
  } finally {
    for (const side of Object.values(sides)) await side.close()
    bare.process.kill('SIGTERM')
    await once(bare.process, 'exit')
  }
}

/** Returns the product's calls a second. */
async function compareRates({ ours, bare }: Record<'ours' | 'bare', Side>): Promise<number> {
  for (const side of [ours, bare]) await closedLoop(side.calls)
  const rates = { ours: [] as number[], bare: [] as number[] }
  const rounds = Number(process.env['ROUNDS'] ?? 3)
  for (let round = 0; round < rounds; round += 1) {
    rates.ours.push(await closedLoop(ours.calls))
    rates.bare.push(await closedLoop(bare.calls))
    console.log(
      `  round ${round + 1} ours ${rates.ours.at(-1)?.toFixed(0)}/s  limit ${rates.bare.at(-1)?.toFixed(0)}/s`,
    )
  }
  // Within each round, whose two runs had similar conditions.
  const ratios = rates.ours.map((rate, round) => rate / (rates.bare[round] ?? rate))
  console.log(`ours ${median(rates.ours).toFixed(0)}/s  limit ${median(rates.bare).toFixed(0)}/s`)
  console.log(`ratio ${median(ratios).toFixed(2)}; wanted at least ${wanted.ratio}`)
  return median(rates.ours)
}

/** Calls a second. */
async function closedLoop(calls: Calls): Promise<number> {
  const kinds = Object.values(calls)
  const begin = performance.now()
  let turn = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - begin < secondsEach * 1000) {
        const own = turn++
        await kinds[own % kinds.length]?.(Math.floor(own / kinds.length))
      }
    }),
  )
  return (turn * 1000) / (performance.now() - begin)
}

async function compareLatencies({ ours, bare }: Record<'ours' | 'bare', Side>, rate: number): Promise<void> {
  const pace = { perSecond: Math.round(rate * openShare), seconds: secondsEach * 2 }
  const measure = async ({ calls }: Side) => {
    const mix = Object.entries(calls).map(([name, call]) => ({
      name,
      share: 25,
      call: async (turn: number) => void (await call(turn)),
    }))
    return [...(await openLoop(mix, pace)).values()].flat()
  }
  const [own, other] = [await measure(ours), await measure(bare)]
  const [p50, p99, bareP50, bareP99] = [own, other].flatMap((values) => [
    percentile(values, 0.5),
    percentile(values, 0.99),
  ]) as [number, number, number, number]
  console.log(
    `at ${pace.perSecond} calls/s: ours p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  bare p50 ${bareP50.toFixed(1)} ms  p99 ${bareP99.toFixed(1)} ms`,
  )
  console.log(
    `our p99 is ${(p99 / bareP50).toFixed(1)} times the bare p50; wanted at most ${wanted.timesBare} at ${openShare * 100} % of our own rate`,
  )
}

async function startBare({ databaseUrl, manager }: Seeded): Promise<{ process: ChildProcess; url: string }> {
  const script = fileURLToPath(new URL('bare-api.ts', import.meta.url))
  const child = spawn(process.execPath, [script, databaseUrl, manager.organizationId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Bare is at (\S+)$/.exec(line)?.[1]
    if (url) return { process: child, url }
  }
  throw new Error('The bare handler did not start')
}

function openOurs({ serverUrl, manager, campaignIds }: Seeded): Side {
  const headers = { authorization: `Bearer ${manager.token}` }
  return openSide(serverUrl, headers, {
    list: () => '/api/sms/campaigns',
    detail: (turn) => `/api/v1/campaigns/${campaignIds[turn % campaignIds.length]}`,
    balance: () => '/api/v1/balance/getBalance',
    profile: () => '/api/v1/profile/details',
  })
}

function openBare(url: string, { campaignIds }: Seeded): Side {
  return openSide(
    url,
    {},
    {
      list: () => '/campaigns',
      detail: (turn) => `/campaigns/${campaignIds[turn % campaignIds.length]}`,
      balance: () => '/balance',
      profile: () => '/profile',
    },
  )
}

function openSide(
  url: string,
  headers: Record<string, string>,
  paths: Record<keyof Calls, (turn: number) => string>,
): Side {
  const pool = new Pool(url, { connections })
  const get =
    (pathOf: (turn: number) => string): Call =>
    async (turn) => {
      const path = pathOf(turn)
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
      return text
    }
  const calls = {
    list: get(paths.list),
    detail: get(paths.detail),
    balance: get(paths.balance),
    profile: get(paths.profile),
  }
  return { calls, close: () => pool.close() }
}

/** Both sides read the same rows. */
async function assertSame(ours: Calls, bare: Calls): Promise<void> {
  type Named = { _id: string; failures?: { count: number }[]; stats: { delivered: number } }
  const read = async (text: Promise<string>) => JSON.parse(await text) as { campaigns: Named[]; data: never }
  const [own, other] = [await read(ours.list(0)), await read(bare.list(0))].map(({ campaigns }) =>
    campaigns.map(({ _id, stats }) => [_id, stats.delivered]),
  )
  assertEqual(own, other, 'campaigns listed')
  const details = [await read(ours.detail(3)), await read(bare.detail(3))].map(({ data }: { data: Named }) => [
    data._id,
    data.failures?.map(({ count }) => count),
  ])
  assertEqual(details[0], details[1], 'campaign')
  const balances = [await read(ours.balance(0)), await read(bare.balance(0))].map(
    ({ data }: { data: { balance?: number; available?: number } }) => data.balance ?? Number(data.available) / 10_000,
  )
  assertEqual(Math.round(balances[0] ?? 0), Math.round(balances[1] ?? 1), 'balance')
  const names = [await read(ours.profile(0)), await read(bare.profile(0))].map(
    ({ data }: { data: { username: string } }) => data.username,
  )
  assertEqual(names[0], names[1], 'profile')
}
