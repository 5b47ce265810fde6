import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { asSystem } from './db/pool.ts'
import { hashPassword } from './modules/auth/index.ts'
import { checkInvariants, issue } from './modules/balance/index.ts'
import { fingerprint } from './testing/fingerprint.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from './testing/builders.ts'
import { testServer, type TestServer } from './testing/server.ts'
import { until } from './testing/until.ts'

// Vulnerabilities found in similar products, as far as users and money are concerned. Those with tests under other names:
// reset-token-in-answer, sessions-survive-password: modules/auth/ways-back.test.ts
// mail-changed-unverified, role-escalation: modules/users/users.test.ts
// admin-by-registration: modules/users/ways-in.test.ts
// guessed-code: modules/auth/second-factor.test.ts
// bodies with server-owned fields: mass-assignment.test.ts
// ids in lists, and every other id: relations.test.ts
// secrets in the log: canaries-beyond-answers.test.ts

let server: TestServer
let admin: Account
let reseller: Account
let manager: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web,worker'] })
  const { database } = server
  admin = await buildAdmin(database)
  reseller = await buildReseller(database, { parent: admin })
  manager = await buildManager(database, { parent: reseller })
  foreign = await buildManager(database, { parent: await buildReseller(database, { parent: admin }) })
})
afterAll(async () => {
  expect(await asSystem(server.database, (db) => checkInvariants(db))).toEqual([])
  await server.close()
})

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await server.database.ownerPool.query<Row>(text, values)).rows
const login = ({ username }: Account, password: string) => server.call('auth.login', { body: { username, password } })
const newest = async (recipient: string) =>
  (
    await query<{ link: string }>('select link from mails where recipient = $1 order by created_at desc', [recipient])
  )[0]
const tokenIn = (link = '') => new URL(link, server.url).searchParams.get('t') ?? ''

test('peer-hole/unbound-reset-token: a link sets the password of its own account only, whatever account the body names', async () => {
  const passwordHash = await hashPassword('the password of before')
  await query('update accounts set password_hash = $1 where id = any($2)', [passwordHash, [manager.id, foreign.id]])
  const email = `${manager.username}@test.example`
  await server.call('auth.sendResetLink', { body: { email } })
  await until(async () => (await newest(email)) !== undefined, 'the mail')
  const named = { userId: foreign.id, accountId: foreign.id, username: foreign.username, id: foreign.id }
  const body = { token: tokenIn((await newest(email))?.link), newPassword: 'the password of after', ...named }
  const answer = await server.callUnchecked('auth.resetPassword', { body, query: { userId: foreign.id } })
  expect(answer).toMatchObject({ status: 200 })
  expect(await login(foreign, 'the password of after')).toMatchObject({ status: 401 })
  expect(await login(foreign, 'the password of before')).toMatchObject({ status: 200 })
  expect(await login(manager, 'the password of after')).toMatchObject({ status: 200 })
  manager = { ...manager, token: (await login(manager, 'the password of after')).data().token }
})

test("peer-hole/impersonation-exit: nobody can end another's impersonation, or use that to enter an account", async () => {
  const visit = async (account: Account) => {
    const answer = await server.call('auth.impersonate', { as: admin, body: { userId: account.id } })
    return answer.data()
  }
  const [one, other] = [await visit(manager), await visit(foreign)]
  const exit = (exitToken: string, more: object = {}) =>
    server.callUnchecked('auth.exitImpersonation', { as: foreign, body: { exitToken, userId: foreign.id, ...more } })
  for (const guess of [manager.token, one.impersonatedUser.token, 'f'.repeat(64)])
    expect((await exit(guess)).text).not.toMatch(/[\da-f]{64}/)
  expect(await server.call('profile.details', { as: one.impersonatedUser })).toMatchObject({ status: 200 })
  expect((await exit(one.exitToken, { sessionId: other.exitToken })).text).not.toMatch(/[\da-f]{64}/)
  const after = [one, other].map(({ impersonatedUser }) => server.call('profile.details', { as: impersonatedUser }))
  expect((await Promise.all(after)).map(({ status }) => status)).toEqual([401, 200])
})

test('peer-hole/token-without-tenant: an invitation belongs to its sender, whatever its body and host name say', async () => {
  await server.call('invitations.create', {
    as: manager,
    body: { email: 'asked@test.example', type: 'user', modules: [] },
  })
  await until(async () => (await newest('asked@test.example')) !== undefined, 'the mail')
  const link = (await newest('asked@test.example'))?.link ?? ''
  const token = tokenIn(link) || (/[\da-f]{64}/.exec(link)?.[0] ?? '')
  const before = await fingerprint(server.database, foreign.organizationId)
  const claims = { organizationId: foreign.organizationId, parentId: foreign.id, type: 'manager', role: 'admin' }
  const body = { token, name: 'Asha', username: 'asked-in', password: 'a password of her own', ...claims }
  await server.call('invitations.accept', { body, headers: { host: 'foreign.example' } })
  const rows = await query('select organization_id, parent_id, role from accounts where username = $1', ['asked-in'])
  expect(rows).toEqual([{ organization_id: manager.organizationId, parent_id: manager.id, role: 'user' }])
  expect(await fingerprint(server.database, foreign.organizationId)).toBe(before)
})

describe('peer-hole/missing-department', () => {
  test('a department head cannot change another department, or its own status', async () => {
    const [one, other] = [
      await buildDepartmentHead(server.database, { parent: manager }),
      await buildDepartmentHead(server.database, { parent: manager }),
    ]
    const theirs = await buildUser(server.database, { parent: other })
    const before = await fingerprint(server.database, manager.organizationId)
    for (const { id: userId } of [theirs, other, manager]) {
      const modulePermissions = [{ moduleName: 'chat', granted: false }]
      const answers = [
        await server.call('users.update', { as: one, body: { userId, name: 'Renamed' } }),
        await server.callUnchecked('permissions.grant', { as: one, body: { userId, modulePermissions } }),
        await server.call('balance.add', { as: one, body: { userId, amount: 1 } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    }
    expect(await fingerprint(server.database, manager.organizationId)).toBe(before)
  })

  test('both spellings of the role are the same role', async () => {
    await buildDepartmentHead(server.database, { parent: manager })
    const list = (type: string) => server.call('users.list', { as: manager, query: { type } })
    const [ours, theirs] = [await list('department_head'), await list('department-head')]
    expect(ours.text).toContain('"department_head"')
    expect(theirs.body).toEqual(ours.body)
    for (const type of ['department_head', 'department-head']) {
      const body = { name: 'Asha', email: `${type}@test.example`, type }
      expect((await server.callUnchecked('auth.register', { as: reseller, body })).status).toBeGreaterThanOrEqual(400)
    }
  })
})

test('peer-hole/two-sources-of-truth: the account in the path is the one changed, whatever account the body names', async () => {
  const member = await buildUser(server.database, { parent: manager })
  const before = await fingerprint(server.database, foreign.organizationId)
  const named = { userId: foreign.id, id: foreign.id, _id: foreign.id }
  const suspend = (userId: string, more: object = {}) =>
    server.callUnchecked('users.setStatus', {
      as: manager,
      path: { userId },
      query: { userId: userId === foreign.id ? member.id : foreign.id },
      body: { ...more, status: 'suspended', reason: 'Left' },
    })
  expect(await suspend(member.id, named)).toMatchObject({ status: 400 })
  expect(await suspend(foreign.id)).toMatchObject({ status: 404 })
  expect(await query('select status from accounts where id = $1', [member.id])).toEqual([{ status: 'active' }])
  expect(await suspend(member.id)).toMatchObject({ status: 200 })
  expect(await query('select status from accounts where id = $1', [member.id])).toEqual([{ status: 'suspended' }])
  expect(await fingerprint(server.database, foreign.organizationId)).toBe(before)
})

test('peer-hole/self-payment: a transfer to oneself changes no balance, and accounts above cannot be paid by guessing an id', async () => {
  await asSystem(server.database, (db) =>
    issue(db, {
      issuer: { organizationId: admin.organizationId, accountId: admin.id },
      organizationId: reseller.organizationId,
      accountId: reseller.id,
      amount: 1_000_000,
      opKey: 'self-payment',
      reference: 'test',
    }),
  )
  const money = () => query('select id, posted, held from ledger_accounts order by id')
  const before = await money()
  const [self, below] = [reseller.id, manager.id]
  const attempts = [
    ['balance.add', { userId: self, amount: 10 }],
    ['balance.deduct', { userId: self, amount: 10 }],
    ['balance.add', { userId: below, amount: -10 }],
    ['balance.deduct', { userId: admin.id, amount: 10 }],
    ['balance.add', { userId: foreign.id, amount: 10 }],
    ['balance.transfer', { fromUserId: self, toUserId: self, amount: 10 }],
    ['balance.transfer', { fromUserId: below, toUserId: below, amount: 10 }],
    ['balance.transfer', { fromUserId: below, toUserId: self, amount: 10 }],
    ['balance.transfer', { fromUserId: foreign.id, toUserId: below, amount: 10 }],
  ] as const
  const answers = await Promise.all(
    [...attempts, ...attempts].map(([name, body]) => server.call(name, { as: reseller, body })),
  )
  expect(answers.every(({ status }) => status >= 400 && status < 500)).toBe(true)
  expect(await money()).toEqual(before)
})

test.each(['javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'data:text/html,x', 'vbscript:x', ' javascript:alert(1)'])(
  'peer-hole/link-scheme: a brand cannot link to %s',
  async (link) => {
    const brand = { name: 'Deccan', color: '#0f766e', colorDark: '#5eead4' }
    for (const field of ['supportUrl', 'privacyUrl'])
      expect(await server.call('brand.set', { as: reseller, body: { ...brand, [field]: link } })).toMatchObject({
        status: 400,
      })
  },
)

test.each(['BQYHJGJHJ', 'ab'.repeat(8), 'z'.repeat(64)])(
  'peer-hole/default-secret: the server does not start with the key “%s”',
  (key) => {
    expect(() => readConfig({ SECRET_KEY: key }, [])).toThrow('SECRET_KEY')
  },
)
