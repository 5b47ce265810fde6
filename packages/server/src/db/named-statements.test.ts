import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { asSystem } from './pool.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await testDatabase({ app: 1, system: 1, owner: 1 })
})

afterAll(() => opened.drop())

const prepared = () =>
  asSystem(opened.database, async (db) => {
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    return rows.map(({ statement }) => statement)
  })

test('a repeated statement is prepared, with the same results', async () => {
  const add = (one: number, other: number) =>
    asSystem(opened.database, async (db) => {
      const { rows } = await sql<{ sum: number }>`select ${one}::int + ${other}::int as sum`.execute(db)
      return rows[0]?.sum
    })
  expect([await add(1, 1), await add(1, 2), await add(2, 2), await add(3, 3)]).toEqual([2, 3, 4, 6])
  expect(await prepared()).toContain('select $1::int + $2::int as sum')
})

test('a table change under a prepared statement costs one failed query, not the connection', async () => {
  await opened.database.ownerPool.query('create table changing (id int); grant select on changing to carillon_system')
  const read = () => asSystem(opened.database, async (db) => (await sql`select * from changing`.execute(db)).rows)
  for (let turn = 0; turn < 5; turn += 1) expect(await read()).toEqual([])
  await opened.database.ownerPool.query('alter table changing add name text; insert into changing values (1, $$one$$)')
  await expect(read()).rejects.toThrow('cached plan must not change result type')
  expect(await read()).toEqual([{ id: 1, name: 'one' }])
})
