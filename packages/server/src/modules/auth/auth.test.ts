import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { hashPassword } from './passwords.ts'

let server: TestServer
let manager: Account
const password = 'a long enough password'

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
  const password_hash = await hashPassword(password)
  await asSystem(server.database, (db) =>
    db.updateTable('accounts').set({ password_hash }).where('id', '=', manager.id).execute(),
  )
})
afterAll(() => server.close())

const login = (body: unknown) => server.callUnchecked('auth.login', { body })

test('signs in by username and returns the user object', async () => {
  const answer = await login({ username: manager.username, password })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      success: true,
      message: 'OK',
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      type: 'manager',
      username: manager.username,
      isFirstLogin: false,
    },
  })
})

test('signs in by e-mail address, ignoring case', async () => {
  expect(await login({ email: `${manager.username}@TEST.example`, password })).toMatchObject({ status: 200 })
})

test('responds the same to a wrong password and an unknown name', async () => {
  const wrong = await login({ username: manager.username, password: 'not the password' })
  const unknown = await login({ username: 'nobody', password })
  expect(wrong).toMatchObject({ status: 401, body: { success: false, code: 'wrong_credentials' } })
  expect(unknown.body).toEqual(wrong.body)
})

test('throttles guessing of one name, and reports the wait', async () => {
  const guess = () => login({ username: 'victim', password: 'guess' })
  for (let tries = 0; tries < 11; tries += 1) await guess()
  const refused = await guess()
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('names the missing field', async () => {
  expect(await login({ password })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'email', message: 'Enter your email or username' }] },
  })
})

test('checks the token in the order of the specification', async () => {
  expect(await server.call('profile.details')).toMatchObject({
    status: 401,
    body: { message: 'No authentication token found.' },
  })
  expect(await server.call('profile.details', { as: { token: 'f'.repeat(64) } })).toMatchObject({
    status: 401,
    body: { message: 'User not authenticated.' },
  })
})

test('ends a session immediately', async () => {
  const { token } = (await login({ username: manager.username, password })).data()
  expect(await server.call('profile.details', { as: { token } })).toMatchObject({ status: 200 })
  await server.call('auth.logout', { as: { token } })
  expect(await server.call('profile.details', { as: { token } })).toMatchObject({ status: 401 })
})
