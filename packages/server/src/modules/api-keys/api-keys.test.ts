import { maximumApiKeys } from '@carillon/contract/api-key-records'
import { Module } from '@carillon/contract/roles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildKey } from '../../testing/api-keys.ts'
import { buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let tree: Awaited<ReturnType<typeof buildTree>>

beforeAll(async () => {
  server = await testServer()
  tree = await buildTree(server.database)
  const allowed = { as: tree.admin, path: { userId: tree.reseller.id }, body: { mayImpersonate: true } }
  await server.ask('signUp.allowImpersonation', allowed)
})
afterAll(() => server.close())

const create = (as: Account | { token: string }, body: object = {}) =>
  server.callUnchecked('apiKeys.create', {
    as,
    body: { name: `Shop ${newId()}`, environment: 'live', scopes: ['balance:read'], ...body },
  })

async function created(as: Account, body?: object) {
  const answer = await create(as, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.data() as Awaited<ReturnType<typeof server.ask<'apiKeys.create'>>>
}

const namesSeenBy = async (as: Account) =>
  (await server.ask('apiKeys.list', { as, query: { limit: 100 } })).data.map(({ name }) => name)

const auditOf = async (id: string) => {
  const lines = await asSystem(server.database, (db) =>
    db
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'details'])
      .where('object_id', '=', id)
      .orderBy('seq')
      .execute(),
  )
  return lines.map(({ action, actor_id, details }) => ({ action, actor: actor_id, details }))
}

test('a new key is shown once, with its owner and what it may do', async () => {
  const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString()
  const { secret, ...key } = await created(tree.manager, {
    name: 'Shop',
    environment: 'test',
    scopes: ['campaigns:read', 'balance:read'],
    ipAllowlist: ['203.0.113.0/24'],
    expiresAt,
  })
  expect(secret).toMatch(/^carillon_test_[\da-f]{8}_[\da-f]{64}_[\da-f]{8}$/)
  expect(key).toEqual({
    id: expect.any(String),
    name: 'Shop',
    environment: 'test',
    prefix: secret.slice(0, 22),
    last4: secret.slice(-4),
    status: 'expiring',
    scopes: ['campaigns:read', 'balance:read'],
    keyConfigId: null,
    ipAllowlist: ['203.0.113.0/24'],
    createdBy: { _id: tree.manager.id, name: `Name of ${tree.manager.username}` },
    isOwn: true,
    createdAt: expect.any(String),
    lastUsedAt: null,
    lastUsedIp: null,
    expiresAt,
    deactivatedAt: null,
    regeneratedAt: null,
    graceUntil: null,
    usage: { today: 0, month: 0 },
  })
  const listed = await server.call('apiKeys.list', { as: tree.manager, query: { search: 'shop' } })
  expect(listed.data().data).toEqual([key])
  expect(listed.text).not.toContain(secret.slice(23, 87))
  expect(await auditOf(key.id)).toEqual([
    {
      action: 'api_key.created',
      actor: tree.manager.id,
      details: {
        name: 'Shop',
        key: key.prefix,
        scopes: 'campaigns:read, balance:read',
        addresses: '203.0.113.0/24',
        expires: expiresAt,
        keyConfig: 'none',
      },
    },
  ])
})

test('managers see the keys of their organisation, others their own and those below', async () => {
  const own = { manager: 'Of the manager', head: 'Of the head', user: 'Of the user', foreign: 'Of a stranger' }
  for (const [who, name] of Object.entries(own)) await created(tree[who as keyof typeof own], { name })
  const colleague = await buildUser(server.database, { parent: tree.manager })
  expect(await namesSeenBy(tree.manager)).toEqual(expect.arrayContaining([own.manager, own.head, own.user]))
  expect(await namesSeenBy(tree.reseller)).toEqual(expect.arrayContaining([own.manager, own.head, own.user]))
  expect(await namesSeenBy(tree.head)).toEqual([own.user, own.head])
  expect(await namesSeenBy(tree.user)).toEqual([own.user])
  expect(await namesSeenBy(colleague)).toEqual([])
  expect(await namesSeenBy(tree.manager)).not.toContain(own.foreign)
})

test('others cannot change or regenerate a key, and those above its owner can deactivate it', async () => {
  const key = await buildKey(server.database, tree.user, { name: 'Till' })
  const path = { id: key.id }
  const onlyOwner = { status: 403, body: { message: 'Only its owner can change an API key. You can deactivate it' } }
  for (const as of [tree.head, tree.manager, tree.reseller]) {
    expect(await server.call('apiKeys.update', { as, path, body: { name: 'Mine' } })).toMatchObject(onlyOwner)
    expect(await server.call('apiKeys.regenerate', { as, path, body: {} })).toMatchObject(onlyOwner)
  }
  expect(await server.call('apiKeys.deactivate', { as: tree.foreign, path })).toMatchObject({ status: 404 })
  const first = await server.ask('apiKeys.deactivate', { as: tree.manager, path })
  expect(first).toEqual({ id: key.id, deactivatedAt: expect.any(String) })
  expect(await server.ask('apiKeys.deactivate', { as: tree.user, path })).toEqual(first)
  expect(await auditOf(key.id)).toEqual([
    { action: 'api_key.deactivated', actor: tree.manager.id, details: { name: 'Till' } },
  ])
  const { notifications } = await server.ask('notifications.list', { as: tree.user })
  expect(notifications).toMatchObject([
    { kind: 'account_security', description: `${tree.manager.username} deactivated Till. Calls with it fail.` },
  ])
  const ended = { status: 409, body: { message: 'This API key is deactivated' } }
  expect(await server.call('apiKeys.update', { as: tree.user, path, body: {} })).toMatchObject(ended)
  expect(await server.call('apiKeys.regenerate', { as: tree.user, path, body: {} })).toMatchObject(ended)
})

test('an impersonating session cannot create, change, regenerate or deactivate keys, nor change key configs', async () => {
  const { impersonatedUser: as } = await server.ask('auth.impersonate', {
    as: tree.admin,
    body: { userId: tree.manager.id, reason: 'A question' },
  })
  const key = await buildKey(server.database, tree.manager, { config: {} })
  const path = { id: key.id }
  const ofConfig = { as, path: { id: key.configId ?? '' } }
  const body = { binding: { name: 'Rules' } }
  const refused = { status: 403, body: { message: 'Not allowed while viewing another account' } }
  expect(await create(as)).toMatchObject(refused)
  expect(await server.call('apiKeys.update', { as, path, body: {} })).toMatchObject(refused)
  expect(await server.call('apiKeys.regenerate', { as, path, body: {} })).toMatchObject(refused)
  expect(await server.call('apiKeys.deactivate', { as, path })).toMatchObject(refused)
  expect(await server.call('keyConfigs.create', { as, body })).toMatchObject(refused)
  expect(await server.call('keyConfigs.update', { ...ofConfig, body })).toMatchObject(refused)
  expect(await server.call('keyConfigs.delete', ofConfig)).toMatchObject(refused)
  expect(await server.call('apiKeys.list', { as })).toMatchObject({ status: 200 })
})

test('scopes that the owner’s role or modules do not allow are refused at the field', async () => {
  const modules = Module.options.filter((module) => module !== 'template' && module !== 'chat')
  const member = await buildUser(server.database, { parent: tree.manager, modules })
  const refused = (message: string) => ({ status: 400, body: { details: [{ field: 'scopes', message }] } })
  expect(await create(member, { scopes: ['campaigns:read', 'templates:write', 'chats:read'] })).toMatchObject(
    refused('Your role and modules do not allow templates:write, chats:read'),
  )
  // Contacts of audiences need another module than those of chats.
  expect(await create(member, { scopes: ['campaigns:read', 'contacts:read'] })).toMatchObject({ status: 200 })
  expect(await create(tree.reseller, { scopes: ['media:write'] })).toMatchObject(
    refused('Your role and modules do not allow media:write'),
  )
  const key = await buildKey(server.database, member)
  const wider = { as: member, path: { id: key.id }, body: { scopes: ['chats:write' as const] } }
  expect(await server.call('apiKeys.update', wider)).toMatchObject(
    refused('Your role and modules do not allow chats:write'),
  )
})

test.each([
  ['name', { name: ' ' }],
  ['scopes', { scopes: [] }],
  ['scopes', { scopes: ['balance:read', 'balance:read'] }],
  ['scopes.0', { scopes: ['admin:*'] }],
  ['environment', { environment: 'sandbox' }],
  ['ipAllowlist.0', { ipAllowlist: ['203.0.113.0/33'] }],
  ['ipAllowlist.1', { ipAllowlist: ['::1', 'example.com'] }],
  ['expiresAt', { expiresAt: new Date(Date.now() - 1000).toISOString() }],
  ['keyConfigId', { keyConfigId: newId() }],
  ['secret', { secret: 'mine' }],
])('a wrong %s is refused: %j', async (field, body) => {
  expect(await create(tree.manager, body)).toMatchObject({ status: 400, body: { details: [{ field }] } })
})

test('names are unique among an account’s keys that are not deactivated', async () => {
  const taken = {
    status: 400,
    body: { details: [{ field: 'name', message: 'Another of your API keys has this name' }] },
  }
  const { id } = await created(tree.head, { name: 'Till 1' })
  const other = await created(tree.head, { name: 'Till 2' })
  expect(await create(tree.head, { name: 'TILL 1' })).toMatchObject(taken)
  const rename = { as: tree.head, path: { id: other.id }, body: { name: 'till 1' } }
  expect(await server.call('apiKeys.update', rename)).toMatchObject(taken)
  await created(tree.user, { name: 'Till 1' })
  await server.ask('apiKeys.deactivate', { as: tree.head, path: { id } })
  expect(await server.call('apiKeys.update', rename)).toMatchObject({ status: 200 })
})

test('a change writes what it names', async () => {
  const { id } = await created(tree.head, { name: 'Old', ipAllowlist: ['203.0.113.7'] })
  const config = await server.ask('keyConfigs.create', { as: tree.head, body: { binding: { name: 'Rules' } } })
  const expiresAt = new Date(Date.now() + 86_400_000 * 60).toISOString()
  const change = { name: 'New', keyConfigId: config.id, expiresAt }
  const first = await server.ask('apiKeys.update', { as: tree.head, path: { id }, body: change })
  expect(first).toMatchObject({ ...change, ipAllowlist: ['203.0.113.7'], scopes: ['balance:read'], status: 'active' })
  const back = { keyConfigId: null, expiresAt: null, ipAllowlist: [], scopes: ['campaigns:read' as const] }
  expect(await server.ask('apiKeys.update', { as: tree.head, path: { id }, body: back })).toMatchObject(back)
  expect((await auditOf(id)).map(({ action }) => action)).toEqual([
    'api_key.created',
    'api_key.updated',
    'api_key.updated',
  ])
})

test('of creations at the limit at the same moment, as many succeed as there is room for', async () => {
  const member = await buildUser(server.database, { parent: tree.manager })
  for (let count = 0; count < maximumApiKeys - 2; count += 1) await buildKey(server.database, member)
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(member)))
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '200', '409', '409', '409'])
})

test('keys are listed by status, environment and text', async () => {
  const member = await buildUser(server.database, { parent: tree.manager })
  const soon = new Date(Date.now() + 86_400_000)
  const past = new Date(Date.now() - 86_400_000)
  await buildKey(server.database, member, { name: 'Gone 100%', deactivatedAt: past })
  await buildKey(server.database, member, { name: 'Late', expiresAt: past })
  await buildKey(server.database, member, { name: 'Soon', expiresAt: soon })
  await buildKey(server.database, member, { name: 'Plain', environment: 'test' })
  const list = async (query: object) =>
    (await server.ask('apiKeys.list', { as: member, query })).data.map(({ name, status }) => `${name}: ${status}`)
  expect(await list({})).toEqual(['Plain: active', 'Soon: expiring', 'Late: expired', 'Gone 100%: deactivated'])
  expect(await list({ status: 'expired' })).toEqual(['Late: expired'])
  expect(await list({ environment: 'test' })).toEqual(['Plain: active'])
  expect(await list({ search: '100%' })).toEqual(['Gone 100%: deactivated'])
  const { prefix = '' } = (await server.ask('apiKeys.list', { as: member, query: { search: 'Late' } })).data[0] ?? {}
  expect(await list({ search: prefix })).toEqual(['Late: expired'])
  expect(await list({ search: prefix.slice(-8) })).toEqual(['Late: expired'])
  expect(await list({ search: '%' })).toEqual(['Gone 100%: deactivated'])
  const page = await server.ask('apiKeys.list', { as: member, query: { page: 2, limit: 3 } })
  expect(page.pagination).toEqual({ page: 2, limit: 3, total: 4, totalPages: 2 })
})
