import type { AccountStatus } from '@carillon/contract/accounts'
import { truncateSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import type { Impersonation } from '@carillon/contract/auth'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildFixtures } from '../../testing/fixtures.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, signIn, type Account } from '../../testing/builders.ts'
import { testServer, type CallAnswer, type TestServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { hashPassword } from './passwords.ts'

/** Two processes of one installation with separate session caches. */
let servers: TestServer[]
let server: TestServer
let admin: Account
let visitorHash: string
const sockets: Socket[] = []

beforeAll(async () => {
  server = await testServer()
  servers = [server, await testServer({ beside: server, flags: ['--run=web'] })]
  admin = await buildAdmin(server.database)
  visitorHash = await hashPassword(visitorPassword)
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  for (const one of servers.toReversed()) await one.close()
})

const visitorPassword = 'a password of the visitor'
const setStatus = (account: Account, status: Exclude<AccountStatus, 'pending'>) =>
  server.call('users.setStatus', { as: admin, path: { userId: account.id }, body: { status } })
const change = (table: 'accounts' | 'sessions', set: object, id: string) =>
  asSystem(server.database, (db) => db.updateTable(table).set(set).where('id', '=', id).execute())

type Fixture = { top: Account; visitor: Account; customer: Account; visit: Impersonation; visitorSession: string }

/** All causes that end the right to impersonate. */
const causes: Record<string, (fixture: Fixture) => Promise<unknown>> = {
  'the customer is moved to another reseller': async ({ customer }) =>
    server.call('users.move', {
      as: admin,
      path: { userId: customer.id },
      body: { parentId: (await buildReseller(server.database, { parent: admin })).id },
    }),
  'the right is withdrawn': ({ visitor }) =>
    server.call('signUp.allowImpersonation', {
      as: admin,
      path: { userId: visitor.id },
      body: { mayImpersonate: false },
    }),
  'the visitor logs out': ({ visitor }) => server.call('auth.logout', { as: visitor }),
  'the visitor ends the session elsewhere': async ({ visitor, visitorSession }) =>
    server.call('sessions.end', {
      as: await signIn(server.database, visitor),
      path: { id: visitorSession },
    }),
  'the visitor ends all other sessions': async ({ visitor }) =>
    server.call('sessions.endOthers', { as: await signIn(server.database, visitor) }),
  'the visitor’s session expires': ({ visitorSession }) =>
    change('sessions', { expires_at: new Date() }, visitorSession),
  'the visitor changes the password': ({ visitor }) =>
    server.call('auth.changePassword', {
      as: visitor,
      body: { currentPassword: visitorPassword, newPassword: 'another password of the visitor' },
    }),
  'the visitor is suspended': ({ visitor }) => setStatus(visitor, 'suspended'),
  'the visitor is locked': ({ visitor }) => setStatus(visitor, 'locked'),
  'the visitor is closed': ({ visitor }) => setStatus(visitor, 'closed'),
  'the account above the visitor is suspended': ({ top }) => setStatus(top, 'suspended'),
  'the visitor gets another role': ({ visitor }) => change('accounts', { role: 'manager' }, visitor.id),
  'the customer is locked': ({ customer }) => setStatus(customer, 'locked'),
  'the customer is closed': ({ customer }) => setStatus(customer, 'closed'),
  'the visitor leaves': ({ visit }) => server.call('auth.exitImpersonation', { body: { exitToken: visit.exitToken } }),
}

async function buildFixture(): Promise<Fixture> {
  const top = await buildReseller(server.database, { parent: admin })
  const visitor = await buildReseller(server.database, { parent: top })
  const customer = await buildManager(server.database, { parent: visitor })
  await change('accounts', { may_impersonate: true, password_hash: visitorHash }, visitor.id)
  const visitorSession = await asSystem(server.database, (db) =>
    db.selectFrom('sessions').select('id').where('account_id', '=', visitor.id).executeTakeFirstOrThrow(),
  )
  const visit = await server.ask('auth.resellerImpersonate', { as: visitor, body: { userId: customer.id } })
  return { top, visitor, customer, visit, visitorSession: visitorSession.id }
}

async function openSocket({ url }: TestServer, token: string): Promise<Socket> {
  const socket = io(url, { transports: ['websocket'], query: { token }, reconnection: false, forceNew: true })
  sockets.push(socket)
  await until(() => socket.connected, 'the socket')
  return socket
}

const largeBytes = 256 * 1024 * 1024

/** A rejects file larger than the buffers of a connection; sparse, so it uses no disk space. */
async function makeLargeFile(customer: Account): Promise<string> {
  const { audience } = await buildFixtures(server.database, customer)
  const key = `00/${newId()}`
  for (const { dataDirectory } of servers) {
    const path = join(dataDirectory, 'files', key)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, '')
    truncateSync(path, largeBytes)
  }
  await asSystem(server.database, async (db) => {
    const { file_id: id } = await db
      .updateTable('audiences')
      .set((row) => ({ rejects_file_id: row.ref('file_id') }))
      .where('id', '=', audience)
      .returning('file_id')
      .executeTakeFirstOrThrow()
    await db.updateTable('files').set({ storage_key: key }).where('id', '=', id).execute()
  })
  return audience
}

/** Starts a download, and stops reading until the test continues it. */
function beginDownload({ url }: TestServer, { token, audience }: { token: string; audience: string }) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const address = `${url}/api/audiences/${audience}/rejects`
    get(address, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.pause()
      resolve(answer)
    }).on('error', reject)
  })
}

async function finish(answer: IncomingMessage): Promise<'whole' | 'cut off'> {
  return new Promise((resolve) => {
    answer.on('error', () => resolve('cut off'))
    answer.on('end', () => resolve(answer.complete ? 'whole' : 'cut off'))
    answer.resume()
  })
}

const statuses = (as: { token: string }) =>
  Promise.all(servers.map(async (one) => (await one.call('profile.details', { as })).status))

// Every test waits for the session caches to expire, so all wait at the same time.
describe.concurrent('visit-revoked', () => {
  test.each(Object.keys(causes))(
    'an impersonation ends in every process when %s: its calls, its sockets and its downloads',
    async (name) => {
      const fixture = await buildFixture()
      const { token } = fixture.visit.impersonatedUser
      const audience = await makeLargeFile(fixture.customer)
      const open = await Promise.all(servers.map((one) => openSocket(one, token)))
      const downloads = await Promise.all(servers.map((one) => beginDownload(one, { token, audience })))
      expect(downloads.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      expect(await statuses({ token })).toEqual([200, 200])

      const done = await causes[name]?.(fixture)
      if (typeof done === 'object' && done !== null && 'status' in done) expect(done.status).toBe(200)

      await until(async () => (await statuses({ token })).every((status) => status === 401), 'the calls to be refused')
      await until(() => open.every(({ connected }) => !connected), 'the sockets to be closed')
      expect(await Promise.all(downloads.map(finish))).toEqual(['cut off', 'cut off'])
    },
    120_000,
  )

  test("an impersonation continues while its right exists, and its end does not affect the customer's own sessions", async () => {
    const { visitor, customer, visit } = await buildFixture()
    const other = await buildManager(server.database, { parent: visitor })
    await setStatus(other, 'closed')
    expect(await statuses(visit.impersonatedUser)).toEqual([200, 200])
    await server.call('auth.logout', { as: visitor })
    await until(async () => (await statuses(visit.impersonatedUser)).every((status) => status === 401))
    expect(await statuses(customer)).toEqual([200, 200])
  })

  test('a suspended account cannot impersonate', async () => {
    const { visitor, customer } = await buildFixture()
    await setStatus(visitor, 'suspended')
    await until(
      async () =>
        (await server.call('auth.resellerImpersonate', { as: visitor, body: { userId: customer.id } })).status === 403,
    )
  })
})

describe.concurrent('ordinary sessions', () => {
  const all = async (wanted: number, ask: (one: TestServer) => Promise<CallAnswer>) =>
    until(
      async () => (await Promise.all(servers.map(ask))).every(({ status }) => status === wanted),
      `${wanted} from every process`,
    )

  test('a module that is removed is unavailable in every process', async () => {
    const manager = await buildManager(server.database, { parent: admin })
    const ask = (one: TestServer) => one.call('smsTemplates.list', { as: manager })
    await all(200, ask)
    const taken = { userId: manager.id, modulePermissions: [{ moduleName: 'template' as const, granted: false }] }
    expect((await server.call('permissions.grant', { as: admin, body: taken })).status).toBe(200)
    await all(403, ask)
  })

  test('a changed role applies in every process', async () => {
    const reseller = await buildReseller(server.database, { parent: admin })
    const ask = (one: TestServer) => one.call('signUp.get', { as: reseller })
    await all(200, ask)
    await change('accounts', { role: 'manager' }, reseller.id)
    await all(403, ask)
  })

  test('a moved account sees the accounts below its new parent in every process', async () => {
    const manager = await buildManager(server.database, { parent: admin })
    const parent = await buildReseller(server.database, { parent: admin })
    const user = await buildUser(server.database, { parent: manager })
    const ask = (one: TestServer) => one.call('users.get', { as: manager, path: { userId: user.id } })
    await all(200, ask)
    const moved = { as: admin, path: { userId: manager.id }, body: { parentId: parent.id } }
    expect((await server.call('users.move', moved)).status).toBe(200)
    await all(200, ask)
  })
})
