import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { hashPassword } from './passwords.ts'

const password = 'a long enough password'
let server: TestServer
let owner: Account
let now = new Date('2026-11-21T10:00:00Z')

beforeAll(async () => {
  server = await testServer({ clock: { now: () => now } })
})
afterAll(() => server.close())

beforeEach(async () => {
  owner = await buildManager(server.database)
  const password_hash = await hashPassword(password)
  await asSystem(server.database, async (db) => {
    await db.updateTable('accounts').set({ password_hash }).where('id', '=', owner.id).execute()
    const hour = 3_600_000
    await db
      .updateTable('sessions')
      .set({ expires_at: new Date(now.getTime() + 12 * hour), last_seen_at: now })
      .where('account_id', '=', owner.id)
      .execute()
  })
})

const login = (code?: string) =>
  server.call('auth.login', { body: { username: owner.username, password, ...(code === undefined ? {} : { code }) } })
const codeAt = (secret: string, at = now) => generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) })
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

async function add(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await server.ask('totp.begin', { as: owner, body: { currentPassword: password } })
  const { recoveryCodes } = await server.ask('totp.confirm', { as: owner, body: { code: codeAt(secret) } })
  later(30)
  return { secret, recoveryCodes }
}

test('setup requires the password, and takes effect with a valid code', async () => {
  expect(await server.call('totp.begin', { as: owner, body: { currentPassword: 'wrong' } })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'currentPassword', message: 'Wrong password' }] },
  })
  await server.call('totp.begin', { as: owner, body: { currentPassword: password } })
  expect(await server.call('totp.confirm', { as: owner, body: { code: '000000' } })).toMatchObject({ status: 400 })
  expect(await login()).toMatchObject({ status: 200 })
})

test('then signing in requires a code, each code works once, and the clock may be one step off', async () => {
  const { secret } = await add()
  expect(await login()).toMatchObject({ status: 401, body: { code: 'second_factor_required' } })
  expect(await login('123456')).toMatchObject({ status: 401, body: { code: 'second_factor_required' } })
  const code = codeAt(secret)
  expect(await login(code)).toMatchObject({ status: 200 })
  expect(await login(code)).toMatchObject({ status: 401 })
  later(60)
  expect(await login(codeAt(secret, new Date(now.getTime() - 30_000)))).toMatchObject({ status: 200 })
  expect(await login(codeAt(secret, new Date(now.getTime() - 120_000)))).toMatchObject({ status: 401 })
})

test('the same code in two concurrent logins signs in once', async () => {
  const { secret } = await add()
  const code = codeAt(secret)
  const answers = await Promise.all([login(code), login(code)])
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401'])
})

test('a recovery code signs in once, and the factor can be removed', async () => {
  const { recoveryCodes } = await add()
  expect(recoveryCodes).toHaveLength(10)
  const [code = ''] = recoveryCodes
  expect(await login(code)).toMatchObject({ status: 200 })
  expect(await login(code)).toMatchObject({ status: 401 })
  expect(await server.call('totp.remove', { as: owner, body: { currentPassword: password } })).toMatchObject({
    status: 200,
  })
  expect(await login()).toMatchObject({ status: 200 })
})

test('wrong codes are throttled like wrong passwords', async () => {
  await add()
  for (let tries = 0; tries < 11; tries += 1) await login('123456')
  expect(await login('123456')).toMatchObject({ status: 429 })
})
