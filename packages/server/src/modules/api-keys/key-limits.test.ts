import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../db/pool.ts'
import { systemClock } from '../../lib/clock.ts'
import { buildKey } from '../../testing/api-keys.ts'
import { buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { createApiKeys } from './api-keys.ts'
import { authenticateKey } from './authenticate-key.ts'
import { newPublicId, newSecret } from './key-text.ts'

let server: TestServer
let manager: Account

/** Twenty calls in ten seconds from an address, sixty at once with a key. */
const environment = { REQUESTS_PER_SECOND: '2', API_KEY_REQUESTS_PER_SECOND: '60', TRUST_PROXY: '1' }

beforeAll(async () => {
  server = await testServer({ environment, flags: ['--run=web'] })
  manager = await buildManager(server.database)
})
afterAll(() => server.close())

let addresses = 0
const newAddress = () => `198.51.100.${(addresses += 1)}`
const callFrom = (from: string, token: string, name: 'balance.get' | 'profile.details' = 'balance.get') =>
  server.call(name, { as: { token }, headers: { 'x-forwarded-for': from } })
async function statuses(count: number, make: () => ReturnType<typeof callFrom>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let calls = 0; calls < count; calls += 1) {
    const { status } = await make()
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

describe('the limit of a key', () => {
  test('is reported with every response, and with the time to wait', async () => {
    const config = { rate: { requestsPerSecond: 1, burst: 3 } }
    const { token } = await buildKey(server.database, manager, { config })
    const from = newAddress()
    const first = await callFrom(from, token)
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=3;w=3')
    expect(first.headers.get('ratelimit')).toBe('"key";r=2;t=1')
    expect(first.headers.get('x-ratelimit-limit')).not.toBe('3')
    await callFrom(from, token)
    await callFrom(from, token)
    const refused = await callFrom(from, token)
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', message: 'Too many requests with this API key: try again shortly' },
    })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit')).toBe('"key";r=0;t=3')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect((await callFrom(from, token)).status).toBe(200)
  })

  test('also counts calls that the key may not make', async () => {
    const { token } = await buildKey(server.database, manager, { config: { rate: { requestsPerSecond: 1, burst: 5 } } })
    const from = newAddress()
    expect(await statuses(12, () => callFrom(from, token, 'profile.details'))).toEqual({ 403: 5, 429: 7 })
  })

  test('is that of each key', async () => {
    const config = { rate: { requestsPerSecond: 1, burst: 2 } }
    const one = await buildKey(server.database, manager, { config })
    const other = await buildKey(server.database, manager, { config })
    const from = newAddress()
    expect(await statuses(5, () => callFrom(from, one.token))).toEqual({ 200: 2, 429: 3 })
    expect(await statuses(2, () => callFrom(from, other.token))).toEqual({ 200: 2 })
  })
})

describe('the limit of an address', () => {
  test('does not stop a server with a valid key', async () => {
    const { token } = await buildKey(server.database, manager)
    const from = newAddress()
    expect(await statuses(55, () => callFrom(from, token))).toEqual({ 200: 55 })
    // Its other calls still count.
    expect(await statuses(25, () => callFrom(from, manager.token))).toEqual({ 200: 19, 429: 6 })
    expect((await callFrom(from, token)).status).toBe(200)
  })

  test('stops a flood of keys that do not exist', async () => {
    const from = newAddress()
    const invent = () => newSecret({ environment: 'live', publicId: newPublicId() }).text
    expect(await statuses(30, () => callFrom(from, invent()))).toEqual({ 401: 20, 429: 10 })
  })

  test('stops a flood of keys that are no longer valid, or are used from elsewhere, and not their rightful server', async () => {
    const key = await buildKey(server.database, manager, { ipAllowlist: ['203.0.113.7'] })
    const from = newAddress()
    expect((await callFrom('203.0.113.7', key.token)).status).toBe(200)
    expect(await statuses(30, () => callFrom(from, key.token))).toEqual({ 403: 20, 429: 10 })
    expect(await statuses(40, () => callFrom('203.0.113.7', key.token))).toEqual({ 200: 40 })
    await server.ask('apiKeys.deactivate', { as: manager, path: { id: key.id } })
    // Its first call counted for the address, before the key was known.
    expect(await statuses(30, () => callFrom('203.0.113.7', key.token))).toEqual({ 401: 19, 429: 11 })
  })

  test('counts calls with a key where keys are not read', async () => {
    const { token } = await buildKey(server.database, manager)
    const from = newAddress()
    await callFrom(from, token)
    const open = () =>
      fetch(`${server.url}/api/v1/brand/host`, {
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
      })
    const counts: Record<number, number> = {}
    for (let calls = 0; calls < 25; calls += 1) {
      const { status } = await open()
      counts[status] = (counts[status] ?? 0) + 1
    }
    expect(counts).toEqual({ 200: 19, 429: 6 })
  })
})

test('a mistyped key is refused without a query', async () => {
  const ended = openDatabase(server.databaseUrl, { app: 1, system: 1, owner: 1 })
  await ended.close()
  const keys = createApiKeys({ database: ended, clock: systemClock, requestsPerSecond: 10 })
  const { text } = newSecret({ environment: 'live', publicId: newPublicId() })
  const mistyped = `${text.slice(0, 30)}${text[30] === 'a' ? 'b' : 'a'}${text.slice(31)}`
  expect(await authenticateKey(keys, mistyped, '203.0.113.7')).toBeUndefined()
  await expect(authenticateKey(keys, text, '203.0.113.7')).rejects.toThrow()
})

test.each(['api_key', 'token', 'filter[key]'])(
  'a key in the query parameter %s is refused, and told to be replaced',
  async (name) => {
    const { token } = await buildKey(server.database, manager)
    const ask = async (path: string, headers: Record<string, string>) => {
      const url = new URL(path, server.url)
      url.searchParams.set(name, name === 'token' ? `Bearer ${token}` : token)
      const answer = await fetch(url, { headers: { 'x-forwarded-for': newAddress(), ...headers } })
      return { status: answer.status, body: await answer.json() }
    }
    const refused = {
      status: 400,
      body: { code: 'key_in_url', message: expect.stringContaining('regenerate this key') },
    }
    expect(await ask('/api/v1/balance/getBalance', {})).toMatchObject(refused)
    expect(await ask('/api/v1/balance/getBalance', { authorization: `Bearer ${token}` })).toMatchObject(refused)
    expect(await ask('/api/v1/brand/host', {})).toMatchObject(refused)
  },
)

test('a socket does not take a key', async () => {
  const { token } = await buildKey(server.database, manager)
  const socket = io(server.url, { transports: ['websocket'], query: { token }, reconnection: false, forceNew: true })
  const outcome = new Promise((resolve, reject) => {
    socket.on('connect', () => resolve('connected'))
    socket.on('connect_error', reject)
  })
  await expect(outcome).rejects.toThrow('User not authenticated.')
  socket.disconnect()
})
