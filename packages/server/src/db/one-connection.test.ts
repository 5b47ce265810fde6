import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { ConnectionHeld } from './one-connection.ts'
import { asSystem, inScope } from './pool.ts'

let testing: TestDatabase
const scope = { organizationId: '00000000-0000-7000-8000-000000000000', path: 'a', descends: false }

beforeAll(async () => {
  testing = await testDatabase()
})
afterAll(() => testing.drop())

test.each<[string, (database: TestDatabase['database']) => Promise<unknown>]>([
  ['a second transaction', (database) => asSystem(database, () => asSystem(database, async () => undefined))],
  ['one in another scope', (database) => asSystem(database, () => inScope(database, scope, async () => undefined))],
  ['a statement of the pool', (database) => asSystem(database, () => database.systemPool.query('select 1'))],
  ['a connection of another pool', (database) => asSystem(database, () => database.ownerPool.connect())],
])('inside a transaction, %s is rejected and both places are named', async (_, nest) => {
  const refusal: unknown = await nest(testing.database).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ConnectionHeld)
  expect((refusal as ConnectionHeld).stack).toContain('one-connection.test.ts')
  expect(((refusal as ConnectionHeld).cause as Error).stack).toContain('one-connection.test.ts')
})

test('after a transaction, and in tasks started in it that outlive it, connections are available again', async () => {
  const { promise: committed, resolve } = Promise.withResolvers<void>()
  const later = await asSystem(testing.database, async (db) => {
    await sql`select 1`.execute(db)
    return { work: committed.then(() => testing.database.systemPool.query('select 1 as one')) }
  })
  resolve()
  expect((await later.work).rows).toEqual([{ one: 1 }])
  expect(await asSystem(testing.database, async () => 'second')).toBe('second')
})
