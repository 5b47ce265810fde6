import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { againOnCollision } from './collisions.ts'
import { asSystem } from './pool.ts'

let opened: TestDatabase
beforeAll(async () => {
  opened = await testDatabase()
  await opened.database.ownerPool.query(`insert into system_state (key, value) values ('left', '0'), ('right', '0')`)
})
afterAll(() => opened.drop())

test('both of two deadlocked transactions complete, each once', async () => {
  const bothWaiting = Promise.withResolvers<void>()
  let waiting = 0
  const incrementBoth = (first: string, second: string) =>
    againOnCollision(() =>
      asSystem(opened.database, async (db) => {
        const raiseOne = (key: string) =>
          sql`update system_state set value = to_jsonb(value::text::int + 1) where key = ${key}`.execute(db)
        await raiseOne(first)
        waiting += 1
        if (waiting === 2) bothWaiting.resolve()
        await bothWaiting.promise
        await raiseOne(second)
      }),
    )
  await Promise.all([incrementBoth('left', 'right'), incrementBoth('right', 'left')])
  expect(waiting).toBe(3)
  const { rows } = await opened.database.ownerPool.query('select value from system_state order by key')
  expect(rows).toEqual([{ value: 2 }, { value: 2 }])
})

test('other failures are not retried', async () => {
  let tries = 0
  const failing = againOnCollision(() => {
    tries += 1
    return Promise.reject(new Error('no'))
  })
  await expect(failing).rejects.toThrow('no')
  expect(tries).toBe(1)
})
