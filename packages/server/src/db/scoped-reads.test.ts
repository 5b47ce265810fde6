import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManager, type Account } from '../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { inScope, readInScope, type Db } from './pool.ts'
import type { Scope } from './scope.ts'

let opened: TestDatabase
let one: Account
let other: Account

beforeAll(async () => {
  // One connection, so that everything runs on the same.
  opened = await testDatabase({ app: 1, system: 1, owner: 1 })
  one = await buildManager(opened.database)
  other = await buildManager(opened.database)
  await opened.database.ownerPool.query('create table changing (id int); grant select on changing to carillon_app')
})
afterAll(() => opened.drop())

const scopeOf = ({ organizationId, path }: Account): Scope => ({ organizationId, path, descends: false })
const read = <Result>(as: Account, work: (db: Db) => Promise<Result>) => readInScope(opened.database, scopeOf(as), work)
const usernames = async (db: Db) => {
  const { rows } = await sql<{ username: string }>`select username from accounts order by 1`.execute(db)
  return rows.map(({ username }) => username)
}

test('reads see their own scope on a connection that serves several', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    expect(await read(one, usernames)).toEqual([one.username])
    expect(await inScope(opened.database, scopeOf(other), usernames)).toEqual([other.username])
    expect(await read(other, usernames)).toEqual([other.username])
  }
})

test('no scope is left on the connection, and none is taken from the work before', async () => {
  await read(one, usernames)
  await expect(sql`select 1`.execute(opened.database.reads)).rejects.toThrow('without a scope')
  const { rows } = await sql`
    select nullif(current_setting('app.scope', true), '') as scope, current_setting('transaction_read_only') as "readOnly"`.execute(
    opened.database.app,
  )
  expect(rows).toEqual([{ scope: null, readOnly: 'off' }])
})

test.each<[string, (db: Db) => Promise<unknown>]>([
  ['an update', (db) => sql`update accounts set name = 'x'`.execute(db)],
  ['a lock', (db) => sql`select id from accounts for update`.execute(db)],
])('%s is rejected', async (_, change) => {
  await expect(read(one, change)).rejects.toMatchObject({ code: '25006' })
  expect(await read(one, usernames)).toEqual([one.username])
})

test('a statement that fails reports its own error and does not affect the others', async () => {
  const answers = await read(one, (db) =>
    Promise.allSettled([
      sql`select ${1}::int as n`.execute(db),
      sql`select 1 / ${0}::int as n`.execute(db),
      sql`select ${3}::int as n`.execute(db),
      sql`select no_such_column from accounts`.execute(db),
      sql`select 5 as n where false`.execute(db),
    ]),
  )
  expect(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.rows : (answer.reason as Error).message)),
  ).toEqual([[{ n: 1 }], 'division by zero', [{ n: 3 }], 'column "no_such_column" does not exist', []])
  expect(await read(one, usernames)).toEqual([one.username])
})

test('a scope that is not one fails the statement', async () => {
  const broken = { ...scopeOf(one), path: '!' }
  await expect(readInScope(opened.database, broken, usernames)).rejects.toThrow('ltree syntax error')
  expect(await read(one, usernames)).toEqual([one.username])
})

test('repeated statements are prepared, and a table change under one costs one failed query', async () => {
  const all = () => read(one, async (db) => (await sql`select * from changing`.execute(db)).rows)
  for (let turn = 0; turn < 5; turn += 1) expect(await all()).toEqual([])
  const { rows } = await read(one, (db) =>
    sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db),
  )
  expect(rows.map(({ statement }) => statement)).toContain('select * from changing')
  await opened.database.ownerPool.query('alter table changing add name text; insert into changing values (1, $$one$$)')
  await expect(all()).rejects.toThrow('cached plan must not change result type')
  expect(await all()).toEqual([{ id: 1, name: 'one' }])
})

test('large results and values arrive whole', async () => {
  const text = 'ü'.repeat(200_000)
  const [first, second] = await read(one, (db) =>
    Promise.all([
      sql<{ text: string }>`select ${text}::text as text`.execute(db),
      sql<{ n: number }>`select n from generate_series(1, 20000) n`.execute(db),
    ]),
  )
  expect(first.rows).toEqual([{ text }])
  expect(second.rows).toHaveLength(20_000)
})
