import type { AccountStatus } from '@carillon/contract/accounts'
import type { Role } from '@carillon/contract/roles'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { smsLeg } from '../../testing/draft-legs.ts'
import { buildManager, buildReseller, buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { hashPassword } from '../auth/index.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Account
let reseller: Account
let childReseller: Account
let manager: Account
let sibling: Account
let head: Account
let user: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer()
  const { database } = server
  ;({ admin, reseller, manager, head, user, foreign } = await buildTree(database))
  childReseller = await buildReseller(database, { parent: reseller })
  sibling = await buildManager(database, { parent: reseller })
})
afterAll(() => server.close())

let count = 0
const person = () => {
  count += 1
  return { name: `Person ${count}`, email: `person-${count}@test.example`, username: `person-${count}` }
}
const create = async (as: Account, fields: object) =>
  server.call('auth.register', { as, body: { ...person(), ...fields } })
const rowOf = (id: string) =>
  asSystem(server.database, (db) =>
    db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )

describe('who may create whom', () => {
  /** The roles that each role can create, and the accounts they can be created below. */
  const creatable: Record<Role, Partial<Record<Role, readonly string[]>>> = {
    admin: {
      reseller: ['admin', 'reseller', 'childReseller'],
      manager: ['admin', 'reseller', 'childReseller'],
      department_head: ['manager', 'foreign'],
      user: ['manager', 'head', 'foreign'],
    },
    reseller: { reseller: ['reseller', 'childReseller'], manager: ['reseller', 'childReseller'] },
    manager: { department_head: ['manager'], user: ['manager', 'head'] },
    user: {},
    department_head: {},
  }
  const all: Role[] = ['admin', 'reseller', 'manager', 'department_head', 'user']
  const who = (): Record<Role, Account> => ({ admin, reseller, manager, user, department_head: head })

  test.each(all)('%s: exactly these roles, exactly below these accounts', async (creator) => {
    const places = { admin, reseller, childReseller, manager, head, user, foreign, nobody: { id: newId() } }
    for (const type of all)
      for (const [place, parent] of Object.entries(places)) {
        const answer = await create(who()[creator], { type, parentId: parent.id })
        const expected = creatable[creator][type]?.includes(place) ?? false
        expect([creator, type, place, answer.status < 300]).toEqual([creator, type, place, expected])
      }
  })

  test('out-of-scope and missing accounts get the same response', async () => {
    const words = async (parentId: string) => {
      const { status, body } = await create(reseller, { type: 'manager', parentId })
      return { status, body }
    }
    expect(await words(foreign.id)).toEqual(await words(newId()))
    expect((await words(foreign.id)).status).toBe(404)
  })

  test('an account can grant only modules that it has and the organisation has', async () => {
    const poor = await buildManager(server.database, { parent: reseller, modules: ['campaign'] })
    expect((await create(poor, { modules: ['chat'] })).status).toBe(403)
    expect((await create(poor, { modules: ['campaign'] })).status).toBe(200)
    expect((await create(admin, { type: 'user', parentId: poor.id, modules: ['chat'] })).status).toBe(409)
  })

  test('a taken name is rejected with a message, whoever has it', async () => {
    const answer = await create(manager, { username: foreign.username })
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', details: [{ field: 'username' }] } })
  })

  test('without a password and without mail, the first password is shown once and has to be changed', async () => {
    const made = (await create(manager, {})).data()
    expect(made.temporaryPassword).toMatch(/^[\w-]{16}$/)
    expect((await rowOf(made._id)).is_first_login).toBe(true)
  })
})

test('an opening balance comes from the creator; an admin issues it, others need it in their balance', async () => {
  const rich = (await create(admin, { type: 'reseller', balance: 1000.5 })).data()
  const balance = async (as: Account, userId: string) =>
    (await server.ask('users.get', { as, path: { userId } })).balance
  expect(await balance(admin, rich._id)).toBe(1000.5)
  expect((await create(reseller, { type: 'manager', balance: 1 })).body).toMatchObject({ code: 'insufficient_balance' })
  expect((await create(admin, { type: 'manager', balance: 0.00001 })).status).toBe(400)
  expect((await create(admin, { type: 'user', parentId: manager.id, balance: 5 })).status).toBe(400)
  const own = (await create(admin, { type: 'user', parentId: manager.id, balance: 5, ownBalance: true })).data()
  expect(await balance(manager, own._id)).toBe(5)
  const shared = (await create(manager, {})).data()
  expect(await balance(manager, shared._id)).toBeUndefined()
})

describe('who may change whom', () => {
  const actions = (id: string) =>
    [
      ['users.update', { body: { userId: id, name: 'Renamed' } }],
      ['users.setStatus', { path: { userId: id }, body: { status: 'active' } }],
      ['users.move', { path: { userId: id }, body: { parentId: newId() } }],
      ['limits.set', { body: { userId: id, limits: [{ key: 'users', limit: null }] } }],
      ['permissions.grant', { body: { userId: id, modulePermissions: [{ moduleName: 'chat', granted: true }] } }],
    ] as const

  test.each([
    ['itself', () => manager, () => manager, 403],
    ['the one above', () => manager, () => reseller, 404],
    ['the one at the top', () => reseller, () => admin, 404],
    ['a sibling', () => manager, () => sibling, 404],
    ['an account out of scope', () => reseller, () => foreign, 404],
    ['a missing account', () => reseller, () => ({ id: newId() }), 404],
  ])('an account cannot change %s', async (_, actor, target, status) => {
    for (const [name, call] of actions(target().id))
      expect([name, (await server.call(name, { ...call, as: actor() })).status]).toEqual([name, status])
  })

  test.each([
    ['a child', () => manager, () => head],
    ['a grandchild', () => reseller, () => user],
    ['an account several levels below', () => admin, () => user],
  ])('an account can change %s', async (_, actor, target) => {
    const refused = await Promise.all(
      actions(target().id).map(async ([name, call]) => [
        name,
        (await server.call(name, { ...call, as: actor() })).status,
      ]),
    )
    // The move is rejected because its target does not exist; the other changes are made.
    expect(refused.filter(([, status]) => status !== 200)).toEqual([['users.move', 404]])
  })

  test('a department head can rename its users, a user nobody', async () => {
    expect(
      (await server.call('users.update', { as: head, body: { userId: user.id, name: 'By the head' } })).status,
    ).toBe(200)
    expect((await server.call('users.update', { as: user, body: { userId: head.id, name: 'x' } })).status).toBe(404)
  })

  test('fields owned by the server are rejected, or change nothing', async () => {
    const owned = {
      type: 'admin',
      role: 'admin',
      parentId: admin.id,
      balance: 1e6,
      status: 'active',
      organization_id: admin.id,
      path: admin.path,
    }
    const before = await rowOf(user.id)
    for (const [field, value] of Object.entries(owned)) {
      const answer = await server.call('users.update', { as: manager, body: { userId: user.id, [field]: value } })
      expect([field, answer.status]).toEqual([field, 400])
      expect((await server.call('profile.update', { as: user, body: { [field]: value } })).status).toBe(400)
    }
    const made = (
      await create(manager, {
        id: admin.id,
        _id: admin.id,
        organization_id: admin.id,
        path: admin.path,
        may_impersonate: true,
        status: 'closed',
      })
    ).data()
    const { id, organization_id, path, may_impersonate, status } = await rowOf(made._id)
    expect({ organization_id, path, may_impersonate, status }).toEqual({
      organization_id: manager.id,
      path: `${manager.path}.${id.replaceAll('-', '')}`,
      may_impersonate: false,
      status: 'active',
    })
    expect(await rowOf(user.id)).toEqual(before)
  })
})

describe('limits', () => {
  test('of twenty concurrent creations under a limit of five, five succeed', async () => {
    const organization = await buildManager(server.database, { parent: reseller })
    await server.call('limits.set', {
      as: reseller,
      body: { userId: organization.id, limits: [{ key: 'users', limit: 5 }] },
    })
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(organization, {})))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect({ status, body }).toMatchObject({
        status: 409,
        body: { code: 'limit_exceeded', message: 'The limit of 5 users is reached' },
      })
    const { limits } = await server.ask('limits.list', { as: organization })
    expect(limits.find(({ key }) => key === 'users')).toMatchObject({ limit: 5, used: 5, isOwn: true })
  })

  test('the strictest limit above counts, and no account can get a higher one', async () => {
    const upper = await buildReseller(server.database, { parent: admin })
    const organization = await buildManager(server.database, { parent: upper })
    const other = await buildManager(server.database, { parent: upper })
    const limit = (as: Account, userId: string, value: number | null) =>
      server.call('limits.set', { as, body: { userId, limits: [{ key: 'users', limit: value }] } })
    expect((await limit(admin, upper.id, 2)).status).toBe(200)
    expect((await limit(upper, organization.id, 3)).status).toBe(400)
    expect((await limit(upper, organization.id, 1)).status).toBe(200)
    expect((await create(organization, {})).status).toBe(200)
    expect((await create(organization, {})).status).toBe(409)
    expect((await limit(upper, organization.id, null)).status).toBe(200)
    expect((await create(other, {})).status).toBe(200)
    expect((await create(organization, {})).body).toMatchObject({ message: 'The limit of 2 users is reached' })
  })
})

describe('moving', () => {
  test('takes all accounts below along, and visibility follows', async () => {
    const { database } = server
    const from = await buildReseller(database, { parent: admin })
    const to = await buildReseller(database, { parent: admin })
    const organization = await buildManager(database, { parent: from })
    const member = await buildUser(database, { parent: organization })
    const draft = await server.ask('drafts.create', { as: member, body: { campaignName: 'Moved', legs: [smsLeg()] } })
    const sees = async (as: Account) => (await server.call('campaigns.get', { as, path: { id: draft._id } })).status
    expect([await sees(from), await sees(to), await sees(organization)]).toEqual([200, 404, 200])
    expect(
      (await server.call('users.move', { as: from, path: { userId: organization.id }, body: { parentId: to.id } }))
        .status,
    ).toBe(404)

    const moved = await server.call('users.move', {
      as: admin,
      path: { userId: organization.id },
      body: { parentId: to.id },
    })
    expect(moved).toMatchObject({ status: 200, body: { data: { parentId: to.id } } })
    expect([await sees(from), await sees(to), await sees(organization), await sees(member)]).toEqual([
      404, 200, 200, 200,
    ])
    expect((await rowOf(member.id)).path.startsWith(`${to.path}.`)).toBe(true)
    expect((await server.call('users.get', { as: from, path: { userId: member.id } })).status).toBe(404)
  })

  test('keeps users in their organisation, and no account can move below itself', async () => {
    const move = async (as: Account, userId: string, parentId: string) =>
      (await server.call('users.move', { as, path: { userId }, body: { parentId } })).status
    expect(await move(reseller, user.id, sibling.id)).toBe(400)
    expect(await move(reseller, manager.id, head.id)).toBe(400)
    expect(await move(admin, reseller.id, childReseller.id)).toBe(400)
    expect(await move(manager, user.id, manager.id)).toBe(200)
    expect(await move(manager, user.id, head.id)).toBe(200)
  })

  test('of two concurrent moves that would form a cycle, one is rejected', async () => {
    const { database } = server
    const [one, two] = [
      await buildReseller(database, { parent: admin }),
      await buildReseller(database, { parent: admin }),
    ]
    const move = (userId: string, parentId: string) =>
      server.call('users.move', { as: admin, path: { userId }, body: { parentId } })
    const answers = await Promise.all([move(one.id, two.id), move(two.id, one.id)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
  })
})

describe('lists', () => {
  test('return accounts below, searched by prefix, and no others', async () => {
    const list = async (as: Account, query: Record<string, string>) =>
      (await server.call('users.list', { as, query })).data()
    const found = await list(reseller, { search: head.username.slice(0, -2) })
    expect(found.users.map(({ _id }) => _id)).toEqual([head.id])
    expect(found.users[0]?.aboveIds.toSorted()).toEqual([reseller.id, manager.id].toSorted())
    expect((await list(reseller, { search: foreign.username })).count).toBe(0)
    expect((await list(reseller, { search: '%' })).count).toBe(0)
    const ids = (await list(manager, { limit: '100', type: 'department-head' })).users
    expect(ids.every(({ type }) => type === 'department_head')).toBe(true)
    expect((await server.call('users.list', { as: reseller, query: { userId: foreign.id } })).status).toBe(404)
    expect(
      (await list(admin, { userId: manager.id, direct: 'true', limit: '100' })).users.every(({ mayOpen }) => mayOpen),
    ).toBe(true)
    expect((await list(reseller, { userId: manager.id })).users.every(({ mayOpen }) => !mayOpen)).toBe(true)
  })

  test('the log names the actor and the action, to the accounts above', async () => {
    const { entries } = await server.ask('audit.list', { as: manager, query: { userId: user.id, limit: '50' } })
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'account.moved', objectId: user.id, actor: `Name of ${manager.username}` }),
    )
    expect((await server.call('audit.list', { as: manager, query: { userId: foreign.id } })).status).toBe(404)
  })
})

test("the profile changes one's own fields; without mail a new address needs the password and applies at once", async () => {
  const own = await buildUser(server.database, { parent: manager })
  const password_hash = await hashPassword('a long password')
  await asSystem(server.database, (db) =>
    db.updateTable('accounts').set({ password_hash }).where('id', '=', own.id).execute(),
  )
  const change = (body: object) => server.call('profile.update', { as: own, body })
  expect((await change({ name: 'Mine', preferences: { density: 'compact' } })).body).toMatchObject({
    data: {
      name: 'Mine',
      preferences: { density: 'compact', sounds: true },
      accountManager: `Name of ${manager.username}`,
    },
  })
  const email = `new-${own.username}@test.example`
  expect((await change({ email })).body).toMatchObject({ details: [{ field: 'currentPassword' }] })
  expect((await change({ email, currentPassword: 'wrong' })).status).toBe(400)
  expect((await change({ email: 'x', currentPassword: 'a long password' })).status).toBe(400)
  const taken = { email: `${foreign.username}@test.example`, currentPassword: 'a long password' }
  expect((await change(taken)).status).toBe(409)
  expect((await change({ email, currentPassword: 'a long password' })).body).toMatchObject({ data: { email } })
  expect(await mailsTo(`${own.username}@test.example`)).toEqual(['Your e-mail address was changed'])
})

async function mailsTo(recipient: string): Promise<string[]> {
  const rows = await asSystem(server.database, (db) =>
    db.selectFrom('mails').select('subject').where('recipient', '=', recipient).execute(),
  )
  return rows.map(({ subject }) => subject)
}

test('an account below a suspended one has the status suspended', async () => {
  const shop = await buildManager(server.database, { parent: reseller })
  const member = await buildUser(server.database, { parent: shop })
  const statusOfMember = async () => (await server.ask('profile.details', { as: member })).status
  const change = (status: Exclude<AccountStatus, 'pending'>) =>
    server.call('users.setStatus', { as: reseller, path: { userId: shop.id }, body: { status } })
  expect(await statusOfMember()).toBe('active')
  await change('suspended')
  expect(await statusOfMember()).toBe('suspended')
  await change('active')
  expect(await statusOfMember()).toBe('active')
})

test.each([-5, 0.001, 1e10, null])('an opening balance of %s is rejected with a message', async (balance) => {
  expect(await create(reseller, { type: 'manager', balance })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'balance', message: 'Please enter a valid balance amount' }] },
  })
})
