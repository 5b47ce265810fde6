import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../lib/ids.ts'
import { tcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { withPatience } from './bounded-queries.ts'
import { asSystem, inScope, openDatabase, readInScope, type Database, type Db } from './pool.ts'
import { isUnavailable } from './unavailable.ts'

let opened: TestDatabase
let proxy: TcpProxy
let database: Database

beforeAll(async () => {
  opened = await testDatabase()
  proxy = await tcpProxy(opened.url)
  database = openDatabase(proxy.url, { app: 2, system: 2, owner: 2, queryTimeoutMs: 500 })
})
afterAll(async () => {
  await proxy.restore()
  await database.close()
  await proxy.close()
  await opened.drop()
})

const answers = async () => (await asSystem(database, (db) => sql<{ one: number }>`select 1 as one`.execute(db))).rows

test('a query without a response fails as unavailable, and its connection is discarded', async () => {
  expect(await answers()).toEqual([{ one: 1 }])
  proxy.freeze()
  const failures = await Promise.all(
    [asSystem(database, (db) => sql`select 1`.execute(db)), database.systemPool.query('select 1')].map((query) =>
      query.then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  )
  expect(failures.map(isUnavailable)).toEqual([true, true])
  await proxy.restore()
  // More queries than connections: none waits for a connection whose response is missing.
  expect(await Promise.all(Array.from({ length: 8 }, answers))).toEqual(Array(8).fill([{ one: 1 }]))
})

test('reads and writes of a call without a response discard their connections as well', async () => {
  const scope = { organizationId: newId(), path: 'nothing', descends: false }
  const work = (db: Db) => sql<{ one: number }>`select 1 as one`.execute(db).then(({ rows }) => rows)
  const read = () => readInScope(database, scope, work)
  expect(await read()).toEqual([{ one: 1 }])
  proxy.freeze()
  const attempts = await Promise.allSettled([read(), inScope(database, scope, work)])
  expect(attempts.map((one) => one.status === 'rejected' && isUnavailable(one.reason))).toEqual([true, true])
  await proxy.restore()
  expect(await Promise.all(Array.from({ length: 8 }, read))).toEqual(Array(8).fill([{ one: 1 }]))
})

test('background work may take longer, inside and outside a transaction', async () => {
  await expect(asSystem(database, (db) => sql`select pg_sleep(1)`.execute(db))).rejects.toSatisfy(isUnavailable)
  await expect(database.systemPool.query('select pg_sleep(1)')).rejects.toSatisfy(isUnavailable)
  await withPatience(async () => {
    await asSystem(database, (db) => sql`select pg_sleep(1)`.execute(db))
    await database.systemPool.query('select pg_sleep($1)', [1])
  })
})

test('a transaction whose client vanished releases its locks', async () => {
  const { rows } = await database.systemPool.query<{ timeout: string }>(
    `select current_setting('idle_in_transaction_session_timeout') as timeout`,
  )
  expect(rows).toEqual([{ timeout: '1min' }])
})
