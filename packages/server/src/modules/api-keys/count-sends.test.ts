import { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { inScope, type Db } from '../../db/pool.ts'
import { buildKey } from '../../testing/api-keys.ts'
import { buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { countSends } from './count-sends.ts'

let server: TestServer
let manager: Account
let member: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  manager = await buildManager(server.database)
  member = await buildUser(server.database, { parent: manager })
})
afterAll(() => server.close())

type Rules = Pick<z.input<typeof KeyConfigPayload>, 'rate' | 'spend'>

/** A key of a member whose config has these limits, as it is in a call. */
async function keyWith(rules: Rules) {
  const { id } = await buildKey(server.database, member, { config: rules })
  const config = KeyConfigPayload.parse({ binding: { name: 'Rules' }, ...rules })
  const { organizationId } = member
  return {
    organizationId,
    accountId: member.id,
    apiKey: { id, prefix: 'carillon_live_0', environment: 'live' as const, scopes: new Set([]), config },
  }
}

const inOwnScope = <Result>(work: (db: Db) => Promise<Result>) =>
  inScope(server.database, { organizationId: member.organizationId, path: member.path, descends: false }, work)

const count = (actor: Awaited<ReturnType<typeof keyWith>>, costs: number[]) =>
  inOwnScope(async (db) =>
    (await countSends(db, actor, costs)).map((problem) => problem?.details?.[0]?.field ?? problem?.code),
  )

const rupee = 10_000

test('messages are counted in order, and one that does not fit does not keep out later ones', async () => {
  const key = await keyWith({ spend: { maxPerDay: 10, maxPerMessage: 6 } })
  expect(await count(key, [4 * rupee, 7 * rupee, 5 * rupee, 2 * rupee, rupee])).toEqual([
    undefined,
    'maxPerMessage',
    undefined,
    'maxPerDay',
    undefined,
  ])
  expect(await count(key, [1])).toEqual(['maxPerDay'])
})

test.each([
  ['maxPerHour', { spend: { maxPerHour: 2 } }],
  ['maxPerDay', { spend: { maxPerDay: 2 } }],
  ['maxPerMonth', { spend: { maxPerMonth: 2 } }],
  ['messagesPerDay', { rate: { messagesPerDay: 2 } }],
])('%s holds for messages that are sent one by one', async (limit, rules) => {
  const key = await keyWith(rules)
  const results = []
  for (let sent = 0; sent < 4; sent += 1) results.push(...(await count(key, [rupee])))
  expect(results).toEqual([undefined, undefined, limit, limit])
})

test('of parallel calls with many messages exactly as many are accepted as fit', async () => {
  const key = await keyWith({ rate: { messagesPerDay: 137 }, spend: { maxPerMonth: 1000 } })
  const calls = Array.from({ length: 20 }, () =>
    count(
      key,
      Array.from({ length: 10 }, () => rupee),
    ),
  )
  const accepted = (await Promise.all(calls)).flat().filter((problem) => problem === undefined)
  expect(accepted).toHaveLength(137)
})

test('messages a second are counted anew each second, and the caller may retry then', async () => {
  const key = await keyWith({ rate: { messagesPerSecond: 3 } })
  const start = Date.now()
  const problems = await inOwnScope((db) => countSends(db, key, [0, 0, 0, 0, 0]))
  expect(problems.filter((problem) => problem === undefined)).toHaveLength(3)
  expect(problems[4]).toMatchObject({
    code: 'too_many_requests',
    retryAfter: 1,
    message: 'This API key may send 3 messages a second',
  })
  await new Promise((resolve) => setTimeout(resolve, start + 1050 - Date.now()))
  expect(await count(key, [0, 0, 0, 0])).toEqual([undefined, undefined, undefined, 'too_many_requests'])
})

test('a new hour, day or month begins from zero', async () => {
  const key = await keyWith({ rate: { messagesPerDay: 1 }, spend: { maxPerHour: 1, maxPerMonth: 1 } })
  expect(await count(key, [rupee])).toEqual([undefined])
  const back = (columns: string) =>
    server.database.ownerPool.query(`update api_key_counters set ${columns} where api_key_id = $1`, [key.apiKey.id])
  await back(`hour = hour - interval '1 hour'`)
  expect(await count(key, [rupee])).toEqual(['messagesPerDay'])
  await back(`day = day - 1`)
  expect(await count(key, [rupee])).toEqual(['maxPerMonth'])
  await back(`month = (month - interval '1 month')::date`)
  expect(await count(key, [rupee])).toEqual([undefined])
})

test('days are those of the organisation’s time zone', async () => {
  // Of these two, at least one has another date than UTC at any time.
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await server.database.ownerPool.query('update accounts set timezone = $1 where id = $2', [zone, manager.id])
    const key = await keyWith({ rate: { messagesPerDay: 1 } })
    await count(key, [0])
    const { rows } = await server.database.ownerPool.query<{ isToday: boolean }>(
      `select day = (now() at time zone $1)::date as "isToday" from api_key_counters where api_key_id = $2`,
      [zone, key.apiKey.id],
    )
    expect(rows).toEqual([{ isToday: true }])
  }
})

test('messages of a transaction that is rolled back do not count', async () => {
  const key = await keyWith({ rate: { messagesPerDay: 1 } })
  const failing = inOwnScope(async (db) => {
    await countSends(db, key, [0])
    throw new Error('The balance is too low')
  })
  await expect(failing).rejects.toThrow('The balance is too low')
  expect(await count(key, [0, 0])).toEqual([undefined, 'messagesPerDay'])
})

test('limits that only alert refuse nothing, and notify the owner once', async () => {
  const key = await keyWith({ spend: { maxPerHour: 2, maxPerMessage: 3, onLimit: 'alert' } })
  for (let calls = 0; calls < 3; calls += 1)
    expect(await count(key, [rupee, rupee, 4 * rupee])).toEqual([undefined, undefined, undefined])
  const { notifications } = await server.ask('notifications.list', { as: member })
  const about = notifications.filter(({ kind }) => kind === 'key_limit_exceeded').map(({ description }) => description)
  expect(about.toSorted()).toEqual([
    'Rules: more than ₹2.00 in one hour. Its messages are still sent.',
    'Rules: more than ₹3.00 for one message. Its messages are still sent.',
  ])
})

test('keys without limits of messages are not counted', async () => {
  const key = await keyWith({ rate: { requestsPerSecond: 5 } })
  expect(await count(key, [1, 2])).toEqual([undefined, undefined])
  const { rows } = await server.database.ownerPool.query('select from api_key_counters where api_key_id = $1', [
    key.apiKey.id,
  ])
  expect(rows).toEqual([])
})
