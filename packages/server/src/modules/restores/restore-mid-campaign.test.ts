import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../db/embedded.ts'
import { createDatabaseIfMissing, migrate } from '../../db/migrate.ts'
import { asSystem, openDatabase, type Database } from '../../db/pool.ts'
import { createLogger } from '../../lib/logger.ts'
import { isAlive } from '../../lib/processes.ts'
import { buildManager } from '../../testing/builders.ts'
import { until } from '../../testing/until.ts'
import { checkInvariants } from '../balance/index.ts'
import { claimLanes } from '../messages/engine/lanes.queries.ts'
import { accept, buildCampaign, buildSender, fakeProvider, startTestSender } from '../messages/test-lane.ts'
import { openRestoreGuard, type RestoreGuard } from './index.ts'

const people = 2500
const settings = { fsync: 'off', shared_buffers: '64MB', max_connections: '60' }

/** Everything running on one data folder: database server, pools, guard. */
type Installation = { database: Database; url: string; server: EmbeddedPostgres; guard: RestoreGuard }

// The provider recognises repeats, and even so no in-flight message is handed over again without a decision.
const fake = fakeProvider({ idempotent: true })
const open = new Set<{ stop(): Promise<void> }>()
const servers = new Set<EmbeddedPostgres>()
let root: string
let campaignId: string
/** Messages past the watermark whose result was not recorded when the copy was made. */
let inFlight: number
let sentBefore: number

const folder = (name: string) => join(root, name)
const twice = () => fake.handedOver.length - new Set(fake.handedOver.map(({ to }) => to)).size

async function stopAll() {
  for (const one of [...open].toReversed()) await one.stop()
  open.clear()
  for (const server of servers) await server.stop()
  servers.clear()
}

async function startServer(dataDirectory: string, port?: number) {
  mkdirSync(dataDirectory, { recursive: true })
  const server = await startEmbeddedPostgres({ dataDirectory, settings, ...(port ? { port } : {}) })
  servers.add(server)
  return server
}

/** The processes keep running and reconnect to the same address. */
async function replaceFiles(installation: Installation, dataDirectory: string, replace: () => void) {
  await installation.server.stop()
  replace()
  installation.server = await startServer(dataDirectory, installation.server.port)
}

async function openGuard(database: Database, dataDirectory: string, isEmbedded = true): Promise<RestoreGuard> {
  const guard = await openRestoreGuard({
    database,
    dataDirectory,
    logger: createLogger('silent'),
    isEmbedded,
    isSender: true,
    trustsFailover: false,
    isAfterRestore: false,
  })
  open.add(guard)
  return guard
}

function openPools(url: string): Database {
  const database = openDatabase(url, { app: 2, system: 12, owner: 3 })
  open.add({ stop: () => database.close() })
  return database
}

/** Starts the installation of a data folder. */
async function start(dataDirectory: string): Promise<Installation> {
  const server = await startServer(dataDirectory)
  const { url } = server
  await createDatabaseIfMissing(url)
  await migrate(url)
  const database = openPools(url)
  return { database, url, server, guard: await openGuard(database, dataDirectory) }
}

async function startSender({ database, url, guard }: Installation) {
  const sender = await startTestSender({ database, url }, { provider: fake, guard, chunksAtOnce: 1 })
  open.add(sender)
  return sender
}

function shell(...[command, ...values]: [string, ...string[]]) {
  const done = spawnSync(command, values, { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
}

const query = async <Row extends object>(
  { database }: Pick<Installation, 'database'>,
  text: string,
  values: unknown[] = [],
) => (await database.systemPool.query<Row>(text, values)).rows

const countBy = async (installation: Installation) => {
  const text = 'select status, count(*)::int from messages where campaign_id = $1 group by 1'
  const rows = await query<{ status: string; count: number }>(installation, text, [campaignId])
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

const pauseReason = async (installation: Pick<Installation, 'database'>) =>
  (await query<{ reason: string | null }>(installation, 'select pause_reason as reason from installation'))[0]?.reason

/** Number of lanes a sender with this process's state can claim. */
const claim = async ({ database, guard }: Installation) =>
  (
    await claimLanes(database.systemPool, {
      owner: 'test',
      leaseMs: 1000,
      limit: 10,
      except: [],
      currentPosition: guard.currentPosition(),
    })
  ).length

/** Copies an installation in the middle of a campaign, then sends the rest. */
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'carillon-restore-'))
  chmodSync(root, 0o755)
  const original = await start(folder('original'))
  const manager = await buildManager(original.database)
  const senderId = await buildSender(original.database, manager)
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  fake.answer = async (message) => {
    if (fake.handedOver.indexOf(message) >= 1000) await gate
    return accept(message)
  }
  campaignId = await buildCampaign(original.database, { owner: manager, senderId, total: people, chunkSize: 500 })
  await startSender(original)
  await until(() => fake.handedOver.length > 1000, 'the middle of the campaign')
  // All results are recorded, and the window is full of messages without one.
  await until(async () => (await countBy(original))['sent'] === 1000, 'the first results')
  let handedOver: number
  do {
    handedOver = fake.handedOver.length
    await new Promise((resolve) => setTimeout(resolve, 500))
  } while (handedOver !== fake.handedOver.length)
  sentBefore = 1000
  inFlight = fake.handedOver.length - sentBefore

  // The database server stops for the copy and continues.
  await replaceFiles(original, folder('original'), () => shell('cp', '-a', folder('original'), folder('backup')))
  release()
  await until(async () => (await countBy(original))['sent'] === people, 'the end of the campaign')
  expect([fake.handedOver.length, twice(), await pauseReason(original)]).toEqual([people, 0, null])
  await stopAll()
  fake.answer = accept
}, 120_000)

afterEach(stopAll)
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('restore-mid-campaign', () => {
  test('a copy that is started later sends nothing until an admin decides; then no in-flight recipient is sent to again', async () => {
    shell('cp', '-a', folder('backup'), folder('copy'))
    const copy = await start(folder('copy'))
    expect(await pauseReason(copy)).toBe('copied_folder')
    expect(copy.guard.notice()).toMatch(/^Sending is paused: the data folder is a copy, .*Settings/)
    const sender = await startSender(copy)
    sender.wake()
    expect(await claim(copy)).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(fake.handedOver).toHaveLength(people)

    expect(await query(copy, 'select campaign_id as id from restored_campaigns')).toEqual([{ id: campaignId }])
    const resume = (ids: string[]) => query(copy, 'select resume_sending($1::uuid[]) as resumed', [ids])
    expect(await resume([])).toEqual([{ resumed: false }])
    expect(await resume([campaignId])).toEqual([{ resumed: true }])
    await until(async () => (await countBy(copy))['sent'] === people - inFlight, 'the rest')
    expect(await countBy(copy)).toEqual({ sent: people - inFlight, unknown: inFlight })
    expect(fake.handedOver).toHaveLength(people + people - sentBefore - inFlight)
    expect(copy.guard.notice()).toBeUndefined()
    expect(await asSystem(copy.database, checkInvariants)).toEqual([])

    // A confirmed copy becomes the installation's own state.
    await stopAll()
    const again = await start(folder('copy'))
    expect(await pauseReason(again)).toBeNull()
  }, 60_000)

  test('a restart, a crash and a week without use are no restore', async () => {
    const before = await start(folder('original'))
    await query(before, `update installation set advanced_at = advanced_at - interval '7 days'`)
    await stopAll()
    const crashed = await startServer(folder('original'))
    process.kill(crashed.pid, 'SIGKILL')
    await until(() => !isAlive(crashed.pid), 'the end of the server')
    const after = await start(folder('original'))
    expect([await pauseReason(after), await claim(after)]).toEqual([null, 1])
  }, 60_000)

  test('processes with folders of their own are no restore', async () => {
    const first = await start(folder('original'))
    mkdirSync(folder('second'))
    const second = await openGuard(first.database, folder('second'), false)
    const known = first.guard.currentPosition().counter
    await until(
      () => second.currentPosition().counter > known + 1 && first.guard.currentPosition().counter > known + 1,
      'both',
    )
    expect(await pauseReason(first)).toBeNull()
  }, 60_000)

  test('the database is reverted under a running process', async () => {
    const running = await start(folder('copy'))
    const check = async () => {
      const { counter } = running.guard.currentPosition()
      await until(() => running.guard.currentPosition().counter > counter, 'the next check')
    }
    await check()
    await replaceFiles(running, folder('copy'), () => shell('cp', '-a', folder('copy/postgres'), folder('older')))
    await check()
    expect(await pauseReason(running)).toBeNull()
    await replaceFiles(running, folder('copy'), () => {
      rmSync(folder('copy/postgres'), { recursive: true })
      shell('cp', '-a', folder('older'), folder('copy/postgres'))
    })
    await until(() => running.guard.notice() !== undefined, 'the pause')
    expect([await pauseReason(running), await claim(running)]).toEqual(['database_behind', 0])
  }, 60_000)

  test('an older database with the newer state of the folder', async () => {
    shell('cp', '-a', folder('original'), folder('behind'))
    rmSync(folder('behind/postgres'), { recursive: true })
    shell('cp', '-a', folder('backup/postgres'), folder('behind/postgres'))
    const restored = await start(folder('behind'))
    expect([await pauseReason(restored), await claim(restored)]).toEqual(['database_behind', 0])
  }, 60_000)

  test('a database in a folder without its state', async () => {
    mkdirSync(folder('empty'))
    shell('cp', '-a', folder('backup/postgres'), folder('backup/postgres.password'), folder('empty'))
    const restored = await start(folder('empty'))
    expect([await pauseReason(restored), await claim(restored)]).toEqual(['missing_state', 0])
  }, 60_000)

  test('files copied while the server runs, as by pg_basebackup', async () => {
    const source = await start(folder('original'))
    const connection = await source.database.ownerPool.connect()
    await connection.query(`select pg_backup_start('copy', true)`)
    spawnSync('cp', ['-a', folder('original'), folder('hot')])
    const { rows } = await connection.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    connection.release()
    spawnSync('cp', ['-a', folder('original/postgres/pg_wal'), folder('hot/postgres')])
    await stopAll()
    rmSync(folder('hot/postgres/postmaster.pid'))
    writeFileSync(folder('hot/postgres/backup_label'), rows[0]?.labelfile ?? '')
    const { uid, gid } = statSync(folder('hot/postgres/PG_VERSION'))
    chownSync(folder('hot/postgres/backup_label'), uid, gid)
    const restored = await start(folder('hot'))
    expect([await pauseReason(restored), await claim(restored)]).toEqual(['copied_folder', 0])
  }, 60_000)

  test('a dump restored to another database, and to another server', async () => {
    const source = await start(folder('original'))
    const [row] = await query<{ own: string }>(source, 'select to_jsonb(own)::text as own from installation own')
    await stopAll()
    const { url } = await startServer(folder('original'))
    const admin = openPools(url.replace(/carillon$/, 'postgres'))
    await admin.ownerPool.query('create database restored template carillon')
    mkdirSync(folder('process'))
    const database = openPools(url.replace(/carillon$/, 'restored'))
    await openGuard(database, folder('process'), false)
    expect(await pauseReason({ database })).toBe('other_database')
    await admin.ownerPool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      'restored',
    ])
    await stopAll()

    const elsewhere = await start(folder('elsewhere'))
    await elsewhere.guard.stop()
    await elsewhere.database.ownerPool.query('delete from installation')
    await elsewhere.database.ownerPool.query(
      'insert into installation select * from jsonb_populate_record(null::installation, $1::jsonb)',
      [row?.own],
    )
    await openGuard(elsewhere.database, folder('process'), false)
    expect(await pauseReason(elsewhere)).toBe('other_server')
  }, 60_000)

  test('the copy replaces the files in place', async () => {
    shell('cp', '-a', `${folder('backup')}/.`, folder('original'))
    const restored = await start(folder('original'))
    expect([await pauseReason(restored), await claim(restored)]).toEqual(['copied_folder', 0])
  }, 60_000)
})
