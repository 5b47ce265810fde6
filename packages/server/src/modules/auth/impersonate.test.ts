import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Impersonation } from '@carillon/contract/auth'
import type { EndpointName } from '@carillon/contract'
import { asSystem } from '../../db/pool.ts'
import { buildManager, buildReseller, buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { sampleCall } from '../../testing/call-samples.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Account
let reseller: Account
let manager: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer()
  ;({ admin, reseller, manager, foreign } = await buildTree(server.database))
})
afterAll(() => server.close())

const visit = (as: Account, userId: string, reason = 'Checking a report') =>
  server.call('auth.impersonate', { as, body: { userId, reason } })
const visitAsReseller = (userId: string) => server.call('auth.resellerImpersonate', { as: reseller, body: { userId } })

async function open(account = manager): Promise<Impersonation> {
  return (await visit(admin, account.id)).data()
}

test('an admin impersonates an account for an hour at most, and both names are in both audit logs', async () => {
  const record = await open()
  expect(record).toMatchObject({
    impersonationMode: true,
    impersonatedUser: { username: manager.username, type: 'manager' },
  })
  expect(record.impersonatedUser.expiresAt).toBeLessThanOrEqual(Date.now() / 1000 + 3600)
  expect(JSON.stringify(record)).not.toContain(admin.token)
  const lines = await asSystem(server.database, async (db) => {
    const { rows } = await sql<{ organization_id: string }>`
      select organization_id from audit_log
      where action = 'impersonation.started' and actor_id = ${admin.id}::uuid and subject_id = ${manager.id}::uuid`.execute(
      db,
    )
    return rows.map(({ organization_id: id }) => id)
  })
  expect(lines).toEqual(expect.arrayContaining([admin.organizationId, manager.organizationId]))
})

test('the owner can see the impersonation', async () => {
  await open()
  const sessions = await server.call('sessions.list', { as: manager })
  expect(sessions.text).toContain('openedBy')
  const notifications = await server.call('notifications.list', { as: manager })
  expect(notifications.text).toContain('opened your account')
})

const closed: EndpointName[] = [
  'balance.add',
  'balance.request',
  'auth.changePassword',
  'permissions.grant',
  'users.update',
  'auth.register',
  'totp.begin',
  'sessions.endOthers',
  'limits.set',
  'billingDetails.set',
]

test.each(closed)('during impersonation, %s is rejected', async (name) => {
  const { impersonatedUser } = await open()
  expect(await server.call(name, { ...sampleCall(name), as: impersonatedUser })).toMatchObject({
    status: 403,
    body: { message: 'Not allowed while viewing another account' },
  })
})

test('the exit token ends only its impersonation', async () => {
  const record = await open()
  const other = await open()
  expect(await server.call('profile.details', { as: { token: record.exitToken } })).toMatchObject({ status: 401 })
  expect(await server.call('auth.exitImpersonation', { body: { exitToken: record.exitToken } })).toMatchObject({
    status: 200,
  })
  expect(await server.call('profile.details', { as: record.impersonatedUser })).toMatchObject({ status: 401 })
  expect(await server.call('profile.details', { as: other.impersonatedUser })).toMatchObject({ status: 200 })
  expect(await server.call('profile.details', { as: admin })).toMatchObject({ status: 200 })
})

test('a reseller can impersonate only if allowed by the admin, and only accounts below it', async () => {
  expect(await visitAsReseller(manager.id)).toMatchObject({ status: 403 })
  await server.call('signUp.allowImpersonation', {
    as: admin,
    path: { userId: reseller.id },
    body: { mayImpersonate: true },
  })
  expect(await visitAsReseller(manager.id)).toMatchObject({ status: 200 })
  expect(await visitAsReseller(foreign.id)).toMatchObject({ status: 404 })
  expect(await visitAsReseller(reseller.id)).toMatchObject({ status: 403 })
  expect(await visitAsReseller(admin.id)).toMatchObject({ status: 404 })
})

test('an impersonating session cannot impersonate others', async () => {
  const { impersonatedUser } = await open(reseller)
  expect(
    await server.call('auth.resellerImpersonate', { as: impersonatedUser, body: { userId: manager.id } }),
  ).toMatchObject({ status: 403 })
})

test('an impersonation ends with the impersonator’s own account', async () => {
  const second = await buildReseller(server.database, { parent: admin })
  const customer = await buildUser(server.database, { parent: await buildManager(server.database, { parent: second }) })
  await server.call('signUp.allowImpersonation', {
    as: admin,
    path: { userId: second.id },
    body: { mayImpersonate: true },
  })
  const { impersonatedUser } = await server.ask('auth.resellerImpersonate', {
    as: second,
    body: { userId: customer.id },
  })
  await asSystem(server.database, (db) =>
    db.updateTable('accounts').set({ status: 'locked' }).where('id', '=', second.id).execute(),
  )
  expect(await server.call('profile.details', { as: impersonatedUser })).toMatchObject({ status: 401 })
})
