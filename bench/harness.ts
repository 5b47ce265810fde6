/** Shared by all benchmarks: a fresh database with the product's settings, interleaved rounds, the report. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded.ts'
import { createDatabaseIfMissing, migrate } from '../packages/server/src/db/migrate.ts'
import { openDatabase, type Database } from '../packages/server/src/db/pool.ts'
import { processorSeconds } from './processor-time.ts'

export type BenchDatabase = { database: Database; url: string; drop(): Promise<void> }

/** A separate cluster in a temporary folder, as durable as in production. */
export async function benchDatabase(): Promise<BenchDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  chmodSync(directory, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDirectory: directory })
  await createDatabaseIfMissing(postgres.url)
  await migrate(postgres.url)
  const database = openDatabase(postgres.url, { app: 5, system: 12, owner: 4 })
  await database.ownerPool.query('create extension pg_walinspect')
  return {
    database,
    url: postgres.url,
    async drop() {
      await database.close()
      await postgres.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export type Contest = {
  name: string
  unit: string
  /** Units per round. */
  count: number
  rounds?: number
  /** Runs one round, checks its results, and returns its seconds. */
  ours(round: number): Promise<number>
  limit(round: number): Promise<number>
  /** Name of the other side if it is a peer and not a limit. */
  against?: string
  /** The minimum ratio to reach. */
  target: number
  database: Database
}

/** Runs both sides alternately, so that load on the machine affects both, and prints medians and their ratio. */
export async function contest({
  name,
  unit,
  count,
  rounds = Number(process.env['ROUNDS'] ?? 3),
  ours,
  limit,
  against = 'limit',
  target,
  database,
}: Contest): Promise<void> {
  console.log(`${name}: ${count.toLocaleString('en')} ${unit}; ${machine()}`)
  const rates: Record<'ours' | 'limit', number[]> = { ours: [], limit: [] }
  const logs: Record<'ours' | 'limit', Log[]> = { ours: [], limit: [] }
  const processorTimes: Record<'ours' | 'limit', number[]> = { ours: [], limit: [] }
  let peakMemory = 0
  const watch = setInterval(() => (peakMemory = Math.max(peakMemory, process.memoryUsage.rss())), 50)
  for (let round = 0; round < rounds; round += 1) {
    for (const [side, run] of [
      ['ours', ours],
      ['limit', limit],
    ] as const) {
      await database.ownerPool.query('checkpoint')
      const before = await logPosition(database)
      const seconds = await run(round)
      rates[side].push(count / seconds)
      processorTimes[side].push(takeMeasured() / count)
      const log = await measureLog(database, before, count)
      logs[side].push(log)
      console.log(
        `  round ${round + 1} ${(side === 'ours' ? 'ours' : against).padEnd(6)} ${format(count / seconds)} ${unit}/s, ${describe([log])}`,
      )
    }
  }
  clearInterval(watch)
  console.log(
    `ours   ${format(median(rates.ours))} ${unit}/s (worst ${format(Math.min(...rates.ours))}), ${describe(logs.ours)}`,
  )
  console.log(
    `${against.padEnd(6)} ${format(median(rates.limit))} ${unit}/s (worst ${format(Math.min(...rates.limit))}), ${describe(logs.limit)}`,
  )
  console.log(`peak memory ${(peakMemory / 1024 / 1024).toFixed(0)} MB; wanted at least ${target}`)
  if (processorSeconds() !== undefined) console.log(describeProcessorTime(processorTimes, against))
  // Ratio within each round, whose two runs had similar conditions.
  const ratios = rates.ours.map((rate, round) => rate / (rates.limit[round] ?? rate))
  console.log(`ratio ${median(ratios).toFixed(2)}`)
}

/** Processor time of everything measured since it was last taken. */
let measured = 0

function takeMeasured(): number {
  const seconds = measured
  measured = 0
  return seconds
}

/** Returns the seconds that `work` takes. */
export async function measure(work: () => Promise<void>): Promise<number> {
  const before = processorSeconds() ?? 0
  const begin = performance.now()
  await work()
  const seconds = (performance.now() - begin) / 1000
  measured += (processorSeconds() ?? 0) - before
  return seconds
}

function describeProcessorTime({ ours, limit }: Record<'ours' | 'limit', number[]>, against: string): string {
  const ratios = ours.map((seconds, round) => (limit[round] ?? seconds) / seconds)
  const [one, other] = [ours, limit].map((times) => (median(times) * 1e6).toFixed(1))
  return `processor time of each: ours ${one} µs, ${against} ${other} µs, ratio ${median(ratios).toFixed(2)}`
}

export function assertEqual(actual: unknown, expected: unknown, what: string) {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}: ${one}, expected ${other}`)
}

/** Bytes of write-ahead log for each unit. */
type Log = {
  records: number
  /**
   * Pages written whole because they changed for the first time since the checkpoint before the round. Mostly the vacuum of
   * earlier rounds, which may come in any round.
   */
  pages: number
}

async function logPosition(database: Database): Promise<string> {
  const { rows } = await database.ownerPool.query<{ position: string }>(
    'select pg_current_wal_insert_lsn() as position',
  )
  return rows[0]?.position ?? ''
}

async function measureLog(database: Database, before: string, count: number): Promise<Log> {
  // Reading from a position after which nothing was written is an error.
  if ((await logPosition(database)) === before) return { records: 0, pages: 0 }
  const { rows } = await database.ownerPool.query<Log>(
    `select coalesce(sum(record_size), 0) / $2 as records, coalesce(sum(fpi_size), 0) / $2 as pages
    from pg_get_wal_stats($1, pg_current_wal_insert_lsn())`,
    [before, count],
  )
  return rows[0] ?? { records: 0, pages: 0 }
}

function describe(logs: readonly Log[]): string {
  const [records, pages] = (['records', 'pages'] as const).map((part) =>
    median(logs.map((log) => log[part])).toFixed(0),
  )
  return `${records} bytes of log each, ${pages} of whole pages`
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

export function machine(): string {
  const processor = cpus()[0]?.model ?? 'unknown processor'
  return `${availableParallelism()} × ${processor}, ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.versions.node}, ${process.platform}`
}

function format(value: number): string {
  return Math.round(value).toLocaleString('en').padStart(9)
}
