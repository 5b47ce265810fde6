import { afterAll, beforeAll, expect, test } from 'vitest'
import { inScope } from '../../db/pool.ts'
import { buildAdmin, buildReseller, type Account } from '../../testing/builders.ts'
import { openPostOffice, type PostOffice } from '../../testing/post-office.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { sendTestMail } from './send-test-mail.ts'

let post: PostOffice
let server: TestServer
let admin: Account
const from = 'Carillon <mail@carillon.example>'

beforeAll(async () => {
  post = await openPostOffice()
  server = await testServer({
    flags: ['--run=web'],
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${post.port}?ignoreTLS=true`,
      MAIL_FROM: from,
    },
  })
  admin = await buildAdmin(server.database)
})
afterAll(async () => {
  await server.close()
  post.close()
})

const read = () => server.ask('mail.status', { as: admin })
const send = () => server.ask('mail.test', { as: admin })
const emailOf = async ({ id }: Account) =>
  (await server.database.ownerPool.query<{ email: string }>('select email from accounts where id = $1', [id])).rows[0]
    ?.email

test('without any mail yet, the server and the sender are shown', async () => {
  expect(await read()).toEqual({
    mode: 'server',
    server: { host: '127.0.0.1', port: post.port, isEncrypted: false },
    from,
  })
})

test("a test mail goes to the caller's own address, and its result has the server's response", async () => {
  const to = await emailOf(admin)
  expect(await send()).toEqual({ to, outcome: 'accepted', response: '250 Taken' })
  expect(post.received).toHaveLength(1)
  expect(post.received[0]).toContain(`To: ${to}`)
  expect((await read()).lastSuccess).toEqual({
    at: expect.any(String),
    to,
    subject: 'Test mail',
    response: '250 Taken',
  })
})

test("a rejection is reported with the server's message, beside the last success", async () => {
  post.refusals = ['550 5.7.1 Sender not allowed here']
  expect(await send()).toMatchObject({ outcome: 'refused', response: '550 5.7.1 Sender not allowed here' })
  const { lastFailure, lastSuccess } = await read()
  expect(lastFailure).toMatchObject({ response: '550 5.7.1 Sender not allowed here' })
  expect(lastSuccess).toMatchObject({ response: '250 Taken' })
})

test('a server that does not respond is awaited for a limited time', async () => {
  post.isSilent = true
  const scope = { organizationId: admin.organizationId, path: admin.path, descends: true }
  const request = {
    settings: { smtpUrl: post.url, from, hasMailbox: false },
    actor: { organizationId: admin.organizationId, email: 'asha@test.example' },
    timeoutMs: 300,
  }
  const outcome = await sendTestMail((work) => inScope(server.database, scope, work), request)
  post.isSilent = false
  expect(outcome.outcome).toBe('timeout')
  expect((await read()).lastFailure).toMatchObject({ to: 'asha@test.example', response: outcome.response })
})

test('user and password of the server are never shown', async () => {
  const other = await testServer({
    beside: server,
    flags: ['--run=web'],
    environment: { SMTP_URL: 'smtps://postmaster:geheim-7781@mail.example.com' },
  })
  const { text } = await fetchStatus(other, admin)
  expect(text).toContain('"host":"mail.example.com","port":465,"isEncrypted":true')
  expect(text).not.toMatch(/geheim|postmaster/)
  await other.close()
})

test('without a server there is nothing to test, and the response names the settings', async () => {
  const bare = await testServer({ beside: server, flags: ['--run=web'] })
  expect((await bare.call('mail.status', { as: admin })).body).toMatchObject({ data: { mode: 'none' } })
  expect(await bare.call('mail.test', { as: admin })).toMatchObject({
    status: 409,
    body: { message: 'Mail is not configured. Set SMTP_URL and restart the server' },
  })
  await bare.close()
})

test('only an admin may use it', async () => {
  const reseller = await buildReseller(server.database, { parent: admin })
  expect((await server.call('mail.status', { as: reseller })).status).toBe(403)
  expect((await server.call('mail.test', { as: reseller })).status).toBe(403)
})

async function fetchStatus({ url }: TestServer, { token }: Account) {
  const answer = await fetch(`${url}/api/admin/mail`, { headers: { authorization: `Bearer ${token}` } })
  return { text: await answer.text() }
}
