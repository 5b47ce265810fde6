import { endpoints, type EndpointName } from '@carillon/contract'
import { WebhookEventType } from '@carillon/contract/webhook-records'
import { generateSync } from 'otplib'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from './db/pool.ts'
import { hashPassword } from './modules/auth/index.ts'
import { notify } from './modules/notifications/index.ts'
import { signIn, type Account } from './testing/builders.ts'
import { filledCall, samplePassword } from './testing/call-samples.ts'
import { withMark } from './testing/marked-calls.ts'
import { buildCanaryFixtures, marks, type CanaryFixtures } from './testing/canary-fixtures.ts'
import { testServer, type TestServer } from './testing/server.ts'
import { until } from './testing/until.ts'
import { startReceiver, type Receiver } from './testing/webhook-receiver.ts'

let server: TestServer
let fixtures: CanaryFixtures
let receiver: Receiver
const listeners = new Map<Account, string>()
const log: string[] = []
const sockets: Socket[] = []
/** Events received on each account's socket. */
const received = new Map<Account, string>()

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.ownerPool.query<Row>(text, values)).rows

beforeAll(async () => {
  receiver = await startReceiver()
  const environment = { EGRESS_ALLOW: `127.0.0.1:${receiver.port}` }
  server = await testServer({ log, flags: ['--run=web,worker'], environment })
  fixtures = await buildCanaryFixtures(server.database)
  const { people, foreign, otherReseller } = fixtures
  for (const account of [...Object.values(people), foreign, otherReseller]) {
    await listen(account)
    await subscribe(account)
  }
  await writeEverywhere(people.manager, { ...fixtures.acmeHas, mark: marks.acme })
  await writeEverywhere(foreign, { ...fixtures.foreignHas, mark: marks.foreign })
  await until(() => has(people.manager, marks.acme) && has(foreign, marks.foreign), 'the own marks')
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await server.close()
  await receiver.close()
})

const has = (account: Account, mark: string) => (received.get(account) ?? '').includes(mark)

async function listen(account: Account) {
  const { token } = await signIn(server.database, account)
  const socket = io(server.url, { transports: ['websocket'], query: { token }, reconnection: false, forceNew: true })
  sockets.push(socket)
  socket.onAny((...frame) => received.set(account, `${received.get(account) ?? ''}\n${JSON.stringify(frame)}`))
  await new Promise((resolve, reject) => socket.on('connect', () => resolve(undefined)).on('connect_error', reject))
}

/** All events of the account, to a receiver and for its listener. */
async function subscribe(account: Account) {
  const body = { url: receiver.url(`/${account.username}`), types: WebhookEventType.options }
  await server.ask('webhookEndpoints.create', { as: account, body })
  const { id } = await server.ask('events.listen', { as: account, body: { environment: 'live' } })
  listeners.set(account, id)
}

/** Notifies the account, and makes every write call with the mark in all texts. */
async function writeEverywhere(account: Account, { mark, ...fixtures }: CanaryFixtures['acmeHas'] & { mark: string }) {
  // Before the calls, one of which ends the session of its socket.
  await asSystem(server.database, (db) =>
    notify(db, [
      {
        organizationId: account.organizationId,
        accountId: account.id,
        kind: 'campaign_completed',
        title: `Done ${mark}`,
        description: `Done ${mark}`,
        eventKey: 'told',
      },
    ]),
  )
  const writing = (Object.keys(endpoints) as EndpointName[]).filter((name) => !endpoints[name].route.startsWith('GET '))
  for (const name of writing) {
    const call = withMark(name, filledCall(name, { as: account, has: fixtures }), mark)
    const { status } = await server.callUnchecked(name, { ...call, as: await signIn(server.database, account) })
    expect([name, status, status < 500]).toEqual([name, status, true])
  }
}

const ofStrangers = () => [
  ...Object.values(fixtures.people).map((account) => ({ account, strange: [marks.foreign, marks.above] })),
  ...[fixtures.foreign, fixtures.otherReseller].map((account) => ({ account, strange: [marks.acme] })),
]

test('no socket frame contains data of another tenant', () => {
  for (const { account, strange } of ofStrangers())
    for (const mark of strange) expect([account.username, has(account, mark)]).toEqual([account.username, false])
})

test('nor does a webhook, or an event of a listener', async () => {
  const { people, foreign } = fixtures
  const hooksOf = ({ username }: Account) =>
    receiver.received.filter(({ path }) => path === `/${username}`).map(({ body }) => body)
  await until(
    () => hooksOf(people.manager).join().includes(marks.acme) && hooksOf(foreign).join().includes(marks.foreign),
    'webhooks with the own marks',
  )
  for (const { account, strange } of ofStrangers()) {
    const query = { listenerId: listeners.get(account) ?? '', limit: 100 }
    const as = await signIn(server.database, account)
    const { events } = await server.ask('events.list', { as, query })
    const all = JSON.stringify(hooksOf(account)) + JSON.stringify(events)
    for (const mark of strange) expect([account.username, all.includes(mark)]).toEqual([account.username, false])
  }
})

test('nor does a mail', async () => {
  for (const { account, strange } of ofStrangers()) {
    const mails = await query('select * from mails where organization_id = $1', [account.organizationId])
    for (const mark of strange) expect(JSON.stringify(mails)).not.toContain(mark)
  }
  const allMails = await query<{ mails: string }>(`select string_agg(m::text, ' ') as mails from mails m`)
  for (const mark of [marks.acme, marks.foreign]) expect(allMails[0]?.mails).toContain(mark)
  // The page that shows all mails exists only in the demo.
  expect((await fetch(`${server.url}/dev/mail`)).status).toBe(404)
})

test('the log contains no user texts, also where the database rejects a row with details', async () => {
  const { manager } = fixtures.people
  await query(`alter table support_requests add constraint never check (subject = '') not valid`)
  const body = { subject: `Refused ${marks.acme}`, body: `Why ${marks.acme}` }
  expect(await server.call('support.open', { as: await signIn(server.database, manager), body })).toMatchObject({
    status: 500,
  })
  await query('alter table support_requests drop constraint never')
  expect(log.join('')).toContain('a call failed')
  expect(log.join('')).toContain('"constraint":"never"')
  for (const mark of Object.values(marks)) expect(log.filter((line) => line.includes(mark))).toEqual([])
})

test("nor a password, a token, a key, a second factor's secret, a provider's password or a link", async () => {
  const secrets = await useSecrets(fixtures.people.user)
  expect(Object.values(secrets).every((secret) => secret.length >= 6)).toBe(true)
  for (const [name, secret] of Object.entries(secrets))
    expect([name, log.filter((line) => line.includes(secret))]).toEqual([name, []])
})

/** Sends all secrets of an account to the product, valid and invalid; returns them. */
async function useSecrets(account: Account) {
  const { username } = account
  const hash = await hashPassword(samplePassword)
  await query('update accounts set password_hash = $1, totp_secret = null where id = $2', [hash, account.id])
  const as = await signIn(server.database, account)
  const wrong = 'a guess at the password'
  await server.call('auth.login', { body: { username, password: wrong } })
  await server.call('auth.login', { body: { username, password: samplePassword } })
  const begun = await server.ask('totp.begin', { as, body: { currentPassword: samplePassword } })
  const code = generateSync({ secret: begun.secret })
  await server.call('totp.confirm', { as, body: { code } })
  const { ticket } = await server.ask('realtime.ticket', { as })
  await server.call('profile.details', { as: { token: ticket } })

  await server.call('auth.sendResetLink', { body: { email: `${username}@test.example` } })
  const linkOf = () =>
    query<{ link: string }>(
      `select link from mails where recipient = $1 and link is not null order by created_at desc limit 1`,
      [`${username}@test.example`],
    )
  await until(async () => (await linkOf()).length > 0, 'the mail')
  const link = new URL((await linkOf())[0]?.link ?? '', server.url).searchParams.get('t') ?? ''
  const newPassword = 'the password that comes after'
  await server.call('auth.resetPassword', { body: { token: link, newPassword } })
  await server.call('auth.resetPassword', { body: { token: link, newPassword } })

  const providerPassword = 'a-provider-password-of-its-own'
  const config = { host: 'smsc.example', systemId: 'acme', password: providerPassword }
  const body = { name: 'Main', provider: 'smpp', headers: ['CARLLN'], config }
  await server.call('smsAccounts.create', { as: await signIn(server.database, fixtures.people.manager), body })
  const own = { as: await signIn(server.database, fixtures.people.manager) }
  const url = receiver.url('/secrets')
  const endpoint = await server.ask('webhookEndpoints.create', { ...own, body: { url, types: ['balance.low'] } })
  const key = await server.ask('apiKeys.create', {
    ...own,
    body: { name: 'Keys in logs', environment: 'live', scopes: ['balance:read'] },
  })
  await server.call('balance.get', { as: { token: key.secret } })
  await server.call('apiKeys.validate', { ...own, body: { key: key.secret } })
  const keys = { webhookSecret: endpoint.secret ?? '', apiKey: key.secret }
  const signIns = { token: as.token, totp: begun.secret, ticket, link }
  return { wrong, samplePassword, newPassword, providerPassword, ...signIns, ...keys }
}
