import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { sha256, newId, newToken } from '../../lib/ids.ts'
import { buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { hashPassword } from './passwords.ts'

const password = 'a long enough password'
let server: TestServer
let owner: Account
let passwordHash: string
let now = new Date()

beforeAll(async () => {
  server = await testServer({ clock: { now: () => now } })
  passwordHash = await hashPassword(password)
})
afterAll(() => server.close())
beforeEach(async () => {
  now = new Date()
  owner = await buildManager(server.database)
  await asSystem(server.database, async (db) => {
    await db.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', owner.id).execute()
    await db.deleteFrom('login_attempts').execute()
  })
})

const login = (fields: object = {}) =>
  server.call('auth.login', { body: { username: owner.username, password, ...fields } as never })
const guess = (name: 'username' | 'email') =>
  server.call('auth.login', {
    body: { [name]: name === 'email' ? `${owner.username}@test.example` : owner.username, password: 'a wrong guess' },
  })

test('failures by username and by email count together', async () => {
  for (let tries = 0; tries < 6; tries += 1) {
    await guess('username')
    await guess('email')
  }
  expect(await login()).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
})

test('waiting as instructed allows at most a hundred guesses per day', async () => {
  const end = now.getTime() + 24 * 3_600_000
  let guesses = 0
  while (now.getTime() < end) {
    const { status, headers } = await guess('username')
    if (status === 401) guesses += 1
    else now = new Date(now.getTime() + Number(headers.get('retry-after')) * 1000)
  }
  expect(guesses).toBeLessThanOrEqual(100)
  // A day later the owner signs in.
  now = new Date(now.getTime() + 25 * 3_600_000)
  expect(await login()).toMatchObject({ status: 200 })
}, 120_000)

async function block() {
  for (let tries = 0; tries < 12; tries += 1) await guess('username')
  expect(await login()).toMatchObject({ status: 429 })
}

test('the right password with the right code signs in while others keep failing', async () => {
  const { secret } = await server.ask('totp.begin', { as: owner, body: { currentPassword: password } })
  const codeNow = () => generateSync({ secret, epoch: Math.floor(now.getTime() / 1000) })
  await server.call('totp.confirm', { as: owner, body: { code: codeNow() } })
  await block()
  now = new Date(now.getTime() + 30_000)
  await asSystem(server.database, (db) =>
    db
      .updateTable('login_attempts')
      .set({ blocked_until: new Date(now.getTime() + 3_600_000) })
      .execute(),
  )
  expect(await login({ code: '000000' })).toMatchObject({ status: 429 })
  expect(
    await server.call('auth.login', { body: { username: owner.username, password: 'wrong', code: codeNow() } }),
  ).toMatchObject({ status: 429 })
  expect(await login({ code: codeNow() })).toMatchObject({ status: 200 })
})

test('a password set by a mailed link signs in immediately', async () => {
  await block()
  const token = newToken()
  await asSystem(server.database, async (db) => {
    const { password_version } = await db
      .selectFrom('accounts')
      .select('password_version')
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('password_resets')
      .values({
        organization_id: owner.organizationId,
        id: newId(),
        account_id: owner.id,
        token_hash: sha256(token),
        password_version,
        created_at: now,
        expires_at: new Date(now.getTime() + 600_000),
      })
      .execute()
    await db.deleteFrom('login_attempts').where('key', 'like', 'address:%').execute()
  })
  const newPassword = 'another long enough password'
  expect(await server.call('auth.resetPassword', { body: { token, newPassword } })).toMatchObject({ status: 200 })
  expect(await login({ password: newPassword })).toMatchObject({ status: 200 })
})

test('wrong passwords when turning off the second factor count as well', async () => {
  const remove = () => server.call('totp.remove', { as: owner, body: { currentPassword: 'a wrong guess' } })
  for (let tries = 0; tries < 11; tries += 1) expect(await remove()).toMatchObject({ status: 400 })
  expect(await remove()).toMatchObject({ status: 429 })
})
