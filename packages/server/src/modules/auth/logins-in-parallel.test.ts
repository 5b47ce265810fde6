import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { hashPassword } from './passwords.ts'

const password = 'a long enough password'
const logins = 200

let server: TestServer
let manager: Account
let other: Account

beforeAll(async () => {
  // The default pool size.
  server = await testServer({ environment: { DATABASE_POOL: '20', TRUST_PROXY: '1' } })
  manager = await buildManager(server.database)
  other = await buildManager(server.database)
  const password_hash = await hashPassword(password)
  await asSystem(server.database, (db) =>
    db.updateTable('accounts').set({ password_hash }).where('id', 'in', [manager.id, other.id]).execute(),
  )
})
afterAll(() => server.close())

const login = (attempt: { username: string; password: string }, address: string) =>
  server.call('auth.login', { body: attempt, headers: { 'x-forwarded-for': address } })

function attemptOf(index: number) {
  if (index % 3 === 0) return { username: manager.username, password }
  return index % 3 === 1
    ? { username: other.username, password: 'not the password' }
    : { username: 'unknown', password }
}

describe('logins-in-parallel', () => {
  test.each([
    ['from many addresses', (index: number) => `198.51.100.${index}`],
    ['from one address', () => '203.0.113.1'],
  ])('%s are answered or throttled, and other calls are answered meanwhile', async (_, addressOf) => {
    const answers = Array.from({ length: logins }, (__, index) => login(attemptOf(index), addressOf(index)))
    const profiles = Array.from({ length: 20 }, () => server.call('profile.details', { as: manager }))

    expect((await Promise.all(profiles)).map(({ status }) => status)).toEqual(Array(20).fill(200))
    for (const { status, headers } of await Promise.all(answers)) {
      expect([200, 401, 429]).toContain(status)
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await login({ username: manager.username, password }, '192.0.2.1')).toMatchObject({ status: 200 })
  })
})
