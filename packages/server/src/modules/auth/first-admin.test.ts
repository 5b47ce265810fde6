import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'
import { offerFirstAdmin } from './first-admin.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const person = { name: 'Asha', username: 'asha', email: 'asha@test.example', password: 'a long enough password' }
const create = (body: object) => server.callUnchecked('auth.firstAdmin', { body })

test('the printed link creates the first admin once, who can then sign in', async () => {
  const token = await offerFirstAdmin(server.database, new Date())
  expect(await create({ ...person, token: 'f'.repeat(64) })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'token' }] },
  })
  expect(await create({ ...person, token })).toMatchObject({ status: 200 })
  expect(await create({ ...person, username: 'ravi', email: 'ravi@test.example', token })).toMatchObject({
    status: 400,
  })
  expect(await server.call('auth.login', { body: { username: 'asha', password: person.password } })).toMatchObject({
    status: 200,
    body: { type: 'admin' },
  })
})

test('with an account there is no further offer', async () => {
  expect(await offerFirstAdmin(server.database, new Date())).toBeUndefined()
})

test('a short password is an error of its field', async () => {
  expect(await create({ ...person, password: 'short', token: 'f'.repeat(64) })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'password', message: 'A password has at least 15 characters' }] },
  })
})
