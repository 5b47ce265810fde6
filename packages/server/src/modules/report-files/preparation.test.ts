import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildDepartmentHead, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { createFileStore, type FileStore } from '../files/index.ts'
import { expireReports } from './jobs.ts'
import { prepareReport, type PrepareDeps } from './prepare-report.ts'
import { buildSent } from './test-sent.ts'
import { request, type Wanted } from './test-reports.ts'

/** Prepares nothing by itself. */
let server: TestServer
let admin: Account
let manager: Account
let store: FileStore
let deps: PrepareDeps

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  store = createFileStore(`${server.dataDirectory}/files`)
  admin = await buildAdmin(server.database)
})
afterAll(() => server.close())

beforeEach(async () => {
  manager = await buildManager(server.database, { parent: admin })
  await buildSent(server.database, { owner: manager, name: 'Diwali' })
  const quiet = () => undefined
  deps = {
    database: server.database,
    store,
    clock: { now: () => new Date() },
    logger: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, fatal: quiet } as never,
    retentionDays: 180,
    hasRoom: () => Promise.resolve(true),
    onFinished: () => Promise.resolve(),
  }
})

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await server.database.ownerPool.query<Row>(text, values)).rows

async function begin(wanted: Wanted) {
  const { reportId } = (await request(server, wanted)).data()
  return { organizationId: wanted.as.organizationId, reportId, place: 0 }
}

const details = (as: Account, id: string) => server.ask('reportFiles.details', { as, path: { id } })
const never = new AbortController().signal

async function storedFiles(): Promise<number> {
  const names = await readdir(`${server.dataDirectory}/files`, { recursive: true, withFileTypes: true }).catch(() => [])
  return names.filter((entry) => entry.isFile()).length
}

/** A store that waits between the content and its end. */
function slowStore(meanwhile: () => Promise<void>): FileStore {
  return {
    ...store,
    async put(content) {
      const key = await store.put(content)
      await meanwhile()
      return key
    },
  }
}

/** The first piece of the content, then the error. */
async function* endingWith(error: Error, content: string | Readable): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    yield piece as Uint8Array
    throw error
  }
}

test('a report that is deleted while it is prepared leaves no file and no notification', async () => {
  const before = await storedFiles()
  const key = await begin({ as: manager })
  const remove = async () => {
    expect(await server.call('reportFiles.delete', { as: manager, path: { id: key.reportId } })).toMatchObject({
      status: 200,
    })
  }
  await prepareReport({ ...deps, store: slowStore(remove) }, key, never)
  expect(await storedFiles()).toBe(before)
  expect(await query('select from notifications where account_id = $1', [manager.id])).toEqual([])
})

test('a report that is deleted while its statement runs ends that statement', async () => {
  const key = await begin({ as: manager, detailedCampaignReport: true })
  // Holds the statement up.
  const blocker = await server.database.connectAsOwner()
  await blocker.query('begin; lock table campaign_legs in access exclusive mode')
  const run = prepareReport(deps, key, never)
  try {
    const waiting = async () =>
      (
        await query(
          `select from pg_stat_activity where application_name = 'carillon owner' and wait_event_type = 'Lock' and query like 'copy%' and datname = current_database()`,
        )
      ).length
    await until(async () => (await waiting()) === 1, 'the statement to wait')
    await server.call('reportFiles.delete', { as: manager, path: { id: key.reportId } })
    await run
  } finally {
    await blocker.query('rollback')
    await blocker.end()
  }
  expect(await query('select from reports where id = $1', [key.reportId])).toEqual([])
})

test('deleting a report that is ready deletes its file', async () => {
  const before = await storedFiles()
  const key = await begin({ as: manager })
  await prepareReport(deps, key, never)
  expect(await storedFiles()).toBe(before + 1)
  await server.call('reportFiles.delete', { as: manager, path: { id: key.reportId } })
  expect(await storedFiles()).toBe(before)
  expect(await server.call('reportFiles.details', { as: manager, path: { id: key.reportId } })).toMatchObject({
    status: 404,
  })
})

test('a later run starts again, and the earlier one writes nothing more', async () => {
  const key = await begin({ as: manager, format: 'csv' })
  let later: Promise<void> | undefined
  const startLater = async () => {
    await (later ??= prepareReport(deps, key, never))
  }
  await prepareReport({ ...deps, store: slowStore(startLater) }, key, never)
  const report = await details(manager, key.reportId)
  expect(report).toMatchObject({ status: 'ready', rows: 2 })
  const file = await server.call('reportFiles.download', { as: manager, path: { id: key.reportId } })
  expect(file.bytes.length).toBe(report.sizeBytes)
  expect(
    await query(`select from files where purpose = 'report' and organization_id = $1`, [manager.organizationId]),
  ).toHaveLength(1)
  expect(await query('select from notifications where account_id = $1', [manager.id])).toHaveLength(1)
})

test('a report whose preparation ends with its process each time fails in the end', async () => {
  const key = await begin({ as: manager })
  await query(`update reports set status = 'processing', run = 5 where id = $1`, [key.reportId])
  await prepareReport(deps, key, never)
  expect(await details(manager, key.reportId)).toMatchObject({
    status: 'failed',
    error: 'The report could not be prepared. Request it again later.',
  })
})

test('a report fails with the reason if its account was suspended or moved, and the bell tells so', async () => {
  const head = await buildDepartmentHead(server.database, { parent: manager })
  const user = await buildUser(server.database, { parent: manager })
  const key = await begin({ as: user })
  await query(`update accounts set status = 'suspended' where id = $1`, [user.id])
  await prepareReport(deps, key, never)
  expect(await details(manager, key.reportId)).toMatchObject({
    status: 'failed',
    error: 'The account that requested the report is not active.',
  })
  expect(await query('select kind from notifications where account_id = $1', [user.id])).toEqual([
    { kind: 'report_failed' },
  ])
  await query(`update accounts set status = 'active' where id = $1`, [user.id])

  const moved = await begin({ as: user, name: 'Later' })
  await server.ask('users.move', { as: manager, path: { userId: user.id }, body: { parentId: head.id } })
  await prepareReport(deps, moved, never)
  expect(await details(head, moved.reportId)).toMatchObject({
    status: 'failed',
    error: 'The account that requested the report was moved. Request it again.',
  })
})

test('a suspended account cannot request reports', async () => {
  await query(`update accounts set status = 'suspended' where id = $1`, [manager.id])
  expect(await request(server, { as: manager })).toMatchObject({ body: { code: 'account_suspended' } })
})

test('a report fails with words if the disk is full, before or while it is written', async () => {
  const before = await storedFiles()
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  for (const change of [
    { hasRoom: () => Promise.resolve(false) },
    { store: { ...store, put: (content) => store.put(Readable.from(endingWith(full, content))) } },
  ] satisfies Partial<PrepareDeps>[]) {
    const key = await begin({ as: manager, name: newId() })
    await prepareReport({ ...deps, ...change }, key, never)
    expect(await details(manager, key.reportId)).toMatchObject({
      status: 'failed',
      error: 'The server has too little disk space for the file. Request the report again later.',
    })
  }
  expect(await server.ask('reportFiles.list', { as: manager, query: { status: 'failed' } })).toMatchObject({
    totalReports: 2,
  })
  expect(await storedFiles()).toBe(before)
})

test('an expired report keeps its figures, and its file is deleted', async () => {
  const key = await begin({ as: manager })
  await prepareReport(deps, key, never)
  const { expiresAt, summary } = await details(manager, key.reportId)
  const ends = new Date(expiresAt ?? '')
  expect(ends.getTime() - Date.now()).toBeGreaterThan(29 * 86_400_000)
  await expireReports(deps, new Date(ends.getTime() - 1))
  expect(await details(manager, key.reportId)).toMatchObject({ status: 'ready' })
  // The instant has microseconds.
  await expireReports(deps, new Date(ends.getTime() + 1))
  expect(await details(manager, key.reportId)).toMatchObject({ status: 'expired', summary, preview: [] })
  // Earlier ones have expired as well.
  expect(await storedFiles()).toBe(0)
  expect(await server.call('reportFiles.download', { as: manager, path: { id: key.reportId } })).toMatchObject({
    status: 409,
  })
})

test('an organisation has two reports prepared at a time, and a hundred at most waiting', async () => {
  for (let count = 0; count < 4; count += 1) await begin({ as: manager, name: `Report ${count}` })
  const places = await query<{ place: number; count: number }>(
    'select place, count(*)::int as count from reports where organization_id = $1 group by place order by place',
    [manager.organizationId],
  )
  expect(places).toEqual([
    { place: 0, count: 2 },
    { place: 1, count: 2 },
  ])
  const queues = await query<{ name: string }>(
    `select distinct queue_name as name from graphile_worker.jobs where queue_name like $1 order by 1`,
    [`report:${manager.organizationId}:%`],
  )
  expect(queues).toHaveLength(2)
  await asSystem(server.database, async (db) => {
    const { id: _, ...row } = await db
      .selectFrom('reports')
      .selectAll()
      .where('organization_id', '=', manager.organizationId)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 96 }, () => ({
      ...row,
      id: newId(),
      notes: '[]',
      summary: '[]',
      daily: '[]',
      columns: '[]',
      preview: '[]',
    }))
    await db.insertInto('reports').values(copies).execute()
  })
  const user = await buildUser(server.database, { parent: manager })
  for (const as of [manager, user])
    expect(await request(server, { as, name: 'One more' })).toMatchObject({
      status: 409,
      body: { message: '100 reports are being prepared: wait until one is ready, or delete one' },
    })
})
