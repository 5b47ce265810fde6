import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

const password = 'a password of his own choice'
let server: TestServer
let manager: Account

beforeAll(async () => {
  // No server listens there, so mails stay readable.
  const environment = { SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'https://messages.example' }
  server = await testServer({ environment })
  const reseller = await buildReseller(server.database, { parent: await buildAdmin(server.database) })
  manager = await buildManager(server.database, { parent: reseller })
})
afterAll(() => server.close())

const login = (username: string, secret: string) => server.call('auth.login', { body: { username, password: secret } })

async function mailsTo(email: string) {
  const { rows } = await server.database.ownerPool.query<{ link: string | null; organization_id: string }>(
    'select link, organization_id from mails where recipient = $1',
    [email],
  )
  return rows
}

test('an account created with mail chooses its password by the mailed link, once, and nobody else learns it', async () => {
  const newUser = { name: 'Asha', username: 'asha-rao', email: 'asha@test.example' }
  const made = await server.call('auth.register', { as: manager, body: newUser })
  expect(made.data()).not.toHaveProperty('temporaryPassword')
  expect(made.text).not.toMatch(/[\da-f]{64}/)

  const mails = await mailsTo(newUser.email)
  expect(mails).toEqual([
    {
      organization_id: manager.organizationId,
      link: expect.stringMatching(/^https:\/\/messages\.example\/reset-password\?t=[\da-f]{64}$/),
    },
  ])
  const token = new URL(mails[0]?.link ?? '').searchParams.get('t') ?? ''
  const set = (newPassword: string) => server.call('auth.resetPassword', { body: { token, newPassword } })

  expect(await set('short')).toMatchObject({ status: 400 })
  expect(await set(password)).toMatchObject({ status: 200 })
  expect(await set('another password after that')).toMatchObject({ status: 400 })
  const signedIn = await login(newUser.username, password)
  expect(signedIn).toMatchObject({ status: 200 })
  // The owner chose it, so it need not be changed.
  const { token: session } = signedIn.data()
  expect((await server.call('topUps.list', { as: { token: session } })).status).toBe(200)
  expect(await login(newUser.username, 'another password after that')).toMatchObject({ status: 401 })
})

test('after seven days the link no longer works', async () => {
  const newUser = { name: 'Ravi', username: 'ravi-rao', email: 'ravi@test.example' }
  await server.call('auth.register', { as: manager, body: newUser })
  const [mail] = await mailsTo(newUser.email)
  const token = new URL(mail?.link ?? '').searchParams.get('t') ?? ''
  const { rows } = await server.database.ownerPool.query<{ days: number }>(
    `select extract(epoch from expires_at - now()) / 86400 as days from password_resets order by created_at desc limit 1`,
  )
  expect(Number(rows[0]?.days)).toBeCloseTo(7, 1)
  await server.database.ownerPool.query(`update password_resets set expires_at = now() - interval '1 second'`)
  expect(await server.call('auth.resetPassword', { body: { token, newPassword: password } })).toMatchObject({
    status: 400,
  })
})
