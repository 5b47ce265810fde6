import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { testServer, type CallAnswer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Account
let reseller: Account
let manager: Account

beforeAll(async () => {
  server = await testServer()
  admin = await buildAdmin(server.database)
  reseller = await buildReseller(server.database, { parent: admin })
  manager = await buildManager(server.database, { parent: reseller })
})
afterAll(() => server.close())

const rowOf = (email: string) =>
  asSystem(server.database, (db) => db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst())
const password = 'a long password'

describe('self-registration', () => {
  const bodyWithExtras = (email: string) => ({
    name: 'Asha Rao',
    organization: 'Rao Sarees',
    email,
    password,
    type: 'admin',
    modules: ['campaign', 'template'],
    balance: 100_000,
    parentId: reseller.id,
  })

  test('creates a pending user in a new organisation and nothing else, whatever the request contains', async () => {
    const email = 'greedy@test.example'
    const made = (await server.callUnchecked('auth.registerDefault', { body: bodyWithExtras(email) })).data()
    expect(made).toMatchObject({ type: 'user', status: 'pending' })
    expect(await rowOf(email)).toMatchObject({
      id: made._id,
      organization_id: made._id,
      parent_id: admin.id,
      role: 'user',
      status: 'pending',
      name: 'Rao Sarees',
    })
    const [modules, money] = await asSystem(server.database, async (db) => [
      await db.selectFrom('account_modules').selectAll().where('account_id', '=', made._id).execute(),
      await db.selectFrom('ledger_accounts').selectAll().where('account_id', '=', made._id).execute(),
    ])
    expect([modules, money]).toEqual([[], []])
    const login = await server.call('auth.login', { body: { email, password } })
    expect(login.status).toBe(403)
    const notified = await asSystem(server.database, (db) =>
      db
        .selectFrom('notifications')
        .select(['account_id', 'kind'])
        .where('event_key', '=', `account_registered:${made._id}`)
        .execute(),
    )
    expect(notified).toEqual([{ account_id: admin.id, kind: 'account_registered' }])
  })

  test('is separate from registering an account below, which requires a session', async () => {
    const email = 'unsigned@test.example'
    expect(await server.call('auth.register', { body: { name: 'Unsigned', email, password } })).toMatchObject({
      status: 401,
      body: { code: 'no_token', message: 'No authentication token found.' },
    })
    expect(await rowOf(email)).toBeUndefined()
  })

  test('a known address gets the same response; its owner is notified', async () => {
    const body = { name: 'Twice', email: 'twice@test.example', password }
    const first = await server.call('auth.registerDefault', { body: { ...body, username: 'twice-1' } })
    const second = await server.call('auth.registerDefault', { body: { ...body, username: 'twice-2' } })
    const shape = ({ status, body: answer }: CallAnswer) => ({
      status,
      answer: JSON.parse(JSON.stringify(answer).replaceAll(/[\da-f-]{36}|twice-\d/g, '')) as unknown,
    })
    expect(shape(second)).toEqual(shape(first))
    expect((await rowOf(body.email))?.username).toBe('twice-1')
    const mails = await asSystem(server.database, (db) =>
      db.selectFrom('mails').select('subject').where('recipient', '=', body.email).execute(),
    )
    expect(mails).toEqual([{ subject: 'You already have an account' }])
  })

  test('a common password is rejected at its field', async () => {
    for (const weak of ['password1', 'aaaaaaaaaaaa', 'weak@test.example'])
      expect([
        weak,
        await server.call('auth.registerDefault', { body: { name: 'x', email: 'weak@test.example', password: weak } }),
      ]).toMatchObject([weak, { status: 400, body: { details: [{ field: 'password' }] } }])
  })

  test('a taken username is reported', async () => {
    const body = { name: 'x', email: 'other@test.example', password, username: manager.username }
    expect(await server.call('auth.registerDefault', { body })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'username', message: expect.stringContaining('taken') as string }] },
    })
  })

  test('the account above approves it with a role and modules, or rejects it permanently', async () => {
    const enter = async (email: string) =>
      (await server.ask('auth.registerDefault', { body: { name: 'New', email, password } }))._id
    const [wanted, unwanted] = [await enter('wanted@test.example'), await enter('unwanted@test.example')]
    const answer = (userId: string, body: object, as = admin) =>
      server.callUnchecked('users.setStatus', { as, path: { userId }, body })
    expect((await answer(wanted, { status: 'active' }, reseller)).status).toBe(404)
    expect((await answer(wanted, { status: 'suspended' })).status).toBe(409)
    expect((await answer(wanted, { status: 'active', type: 'admin' })).status).toBe(400)
    expect(await answer(wanted, { status: 'active', type: 'manager', modules: ['campaign'] })).toMatchObject({
      status: 200,
      body: { data: { type: 'manager', status: 'active', modules: ['campaign'] } },
    })
    expect((await answer(wanted, { status: 'suspended', type: 'user' })).status).toBe(400)
    const login = await server.call('auth.login', { body: { email: 'wanted@test.example', password } })
    expect(login).toMatchObject({ status: 200, body: { type: 'manager' } })

    expect((await answer(unwanted, { status: 'closed', reason: 'Not a business' })).status).toBe(200)
    expect((await answer(unwanted, { status: 'active' })).status).toBe(409)
    expect((await server.call('auth.login', { body: { email: 'unwanted@test.example', password } })).status).toBe(401)
  })

  test('on the host of a brand it belongs to the reseller, which may approve at once or close it', async () => {
    await asSystem(server.database, (db) =>
      db.insertInto('brand_hosts').values({ organization_id: reseller.id, host: 'localhost' }).execute(),
    )
    const at = (path: string, body: object) =>
      fetch(`${server.url.replace('127.0.0.1', 'localhost')}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as { data: { kind?: string } } }))
    const open = { allowRegistration: true, autoApprove: true, defaultModules: ['campaign' as const] }
    expect((await server.call('signUp.set', { as: reseller, body: open })).status).toBe(200)
    const made = await at('/api/v1/auth/register-defualt', { name: 'Local', email: 'local@test.example', password })
    expect(made).toMatchObject({ status: 200, body: { data: { status: 'active' } } })
    expect(await rowOf('local@test.example')).toMatchObject({ parent_id: reseller.id })
    expect((await server.call('auth.login', { body: { email: 'local@test.example', password } })).status).toBe(200)

    await server.call('signUp.set', { as: reseller, body: { ...open, allowRegistration: false } })
    expect(await at('/api/v1/auth/registration', {})).toMatchObject({ body: { data: { kind: 'closed' } } })
    expect(
      await at('/api/v1/auth/register-defualt', { name: 'Late', email: 'late@test.example', password }),
    ).toMatchObject({
      status: 403,
      body: { message: 'Registration is closed: ask your account manager' },
    })
    expect(await server.call('auth.registration', { body: {} })).toMatchObject({ body: { data: { kind: 'open' } } })
  })
})

describe('an invitation', () => {
  const invite = (as: Account, body: object) =>
    server.callUnchecked('invitations.create', { as, body: { type: 'user', modules: ['campaign'], ...body } })
  const tokenOf = (answer: CallAnswer<'invitations.create'>) => answer.data().link?.split('t=')[1] ?? ''
  const accept = (token: string, username: string) =>
    server.call('invitations.accept', { body: { token, name: 'Invited', username, password } })

  test('creates one account, even when two requests use its link at once', async () => {
    const token = tokenOf(await invite(manager, { email: 'invited@test.example', ownBalance: true }))
    expect(await server.call('auth.registration', { body: { token } })).toMatchObject({
      body: { data: { kind: 'invitation', email: 'invited@test.example', type: 'user' } },
    })
    const answers = await Promise.all([accept(token, 'invited-1'), accept(token, 'invited-2')])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
    expect(await rowOf('invited@test.example')).toMatchObject({
      organization_id: manager.id,
      parent_id: manager.id,
      role: 'user',
    })
    expect(await server.call('auth.registration', { body: { token } })).toMatchObject({
      body: { data: { kind: 'closed' } },
    })
    const listed = await server.ask('invitations.list', { as: manager })
    expect(listed.invitations.map(({ status }) => status)).toContain('accepted')
  })

  test('can be withdrawn by the accounts it belongs to', async () => {
    const made = await invite(manager, { email: 'revoked@test.example' })
    const { _id: id } = made.data()
    const other = await buildManager(server.database, { parent: reseller })
    expect((await server.call('invitations.revoke', { as: other, path: { id } })).status).toBe(404)
    expect((await server.call('invitations.revoke', { as: manager, path: { id } })).status).toBe(200)
    expect((await accept(tokenOf(made), 'revoked')).status).toBe(400)
  })

  test('replaces an earlier one to the same address', async () => {
    const earlier = tokenOf(await invite(manager, { email: 'two-letters@test.example' }))
    const later = tokenOf(await invite(manager, { email: 'two-letters@test.example' }))
    expect((await accept(earlier, 'twice-early')).status).toBe(400)
    expect((await accept(later, 'twice-late')).status).toBe(200)
  })

  test('follows the same rules as creating', async () => {
    expect((await invite(manager, { email: 'a@test.example', type: 'reseller' })).status).toBe(403)
    expect((await invite(reseller, { email: 'b@test.example', type: 'manager', parentId: admin.id })).status).toBe(404)
    expect((await invite(manager, { email: `${reseller.username}@test.example` })).status).toBe(400)
    expect((await accept('0'.repeat(64), 'nobody')).status).toBe(400)
  })

  test('grants no module that the organisation lost meanwhile', async () => {
    const organization = await buildManager(server.database, { parent: reseller })
    const token = tokenOf(
      await invite(organization, { email: 'late-module@test.example', modules: ['campaign', 'chat'] }),
    )
    await server.call('permissions.grant', {
      as: reseller,
      body: { userId: organization.id, modulePermissions: [{ moduleName: 'chat', granted: false }] },
    })
    const made = (await accept(token, 'late-module')).data()
    const modules = await asSystem(server.database, (db) =>
      db.selectFrom('account_modules').select('module').where('account_id', '=', made._id).execute(),
    )
    expect(modules).toEqual([{ module: 'campaign' }])
  })
})

test('registrations from one address are limited', async () => {
  const statuses: number[] = []
  for (let index = 0; index < 25; index += 1)
    statuses.push(
      (
        await server.call('auth.registerDefault', {
          body: { name: 'x', email: `flood-${index}@test.example`, password },
        })
      ).status,
    )
  expect(statuses.at(-1)).toBe(429)
})
