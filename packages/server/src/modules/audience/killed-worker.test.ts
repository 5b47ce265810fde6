import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { killWorker, startWorker } from '../../testing/worker-processes.ts'

const rows = 200_000
const repeats = 1000

let server: TestServer
let manager: Account
const workers: ChildProcess[] = []

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  manager = await buildManager(server.database)
})
afterAll(async () => {
  for (const worker of workers) await killWorker(worker)
  await server.close()
})

test('a validation whose worker is killed is restarted by the next one, and every row counts once', async () => {
  const lines = Array.from(
    { length: rows },
    (_, row) => `Person ${row},${6_000_000_000 + (row % (rows - repeats)) * 7}`,
  )
  const { _id } = await server.ask('audience.create', {
    as: manager,
    body: {},
    files: { file: { name: 'people.csv', content: `Name,Mobile\n${lines.join('\n')}\n` } },
  })
  const get = () => server.ask('audience.get', { as: manager, path: { id: _id } })

  const first = startWorker(server)
  workers.push(first)
  await expect.poll(async () => (await get()).processed, { timeout: 30_000, interval: 20 }).toBeGreaterThan(0)
  await killWorker(first)
  const left = await get()
  expect(left).toMatchObject({ status: 'checking' })
  expect(left.processed).toBeLessThan(rows)

  workers.push(startWorker(server))
  await expect.poll(async () => (await get()).status, { timeout: 60_000 }).toBe('ready')
  expect(await get()).toMatchObject({
    total: rows,
    accepted: rows - repeats,
    duplicate: repeats,
    invalid: 0,
    suppressed: 0,
  })
  const { count, last } = await asSystem(server.database, (db) =>
    db
      .selectFrom('recipients')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('seq').as('last')])
      .where('audience_id', '=', _id)
      .executeTakeFirstOrThrow(),
  )
  expect({ count, last }).toEqual({ count: rows - repeats, last: rows - repeats - 1 })
}, 120_000)
