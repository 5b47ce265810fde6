import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildKey } from '../../testing/api-keys.ts'
import { buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer, type UncheckedOptions } from '../../testing/server.ts'
import { newSecret } from './key-text.ts'

let server: TestServer
/** Another process of the same installation. */
let other: TestServer
let tree: Awaited<ReturnType<typeof buildTree>>
let member: Account
let time = Date.now()
const clock = { now: () => new Date(time) }
const pass = (milliseconds: number) => {
  time += milliseconds
}
const hours = 3_600_000

beforeAll(async () => {
  server = await testServer({ clock, environment: { TRUST_PROXY: '1' } })
  other = await testServer({ clock, environment: { TRUST_PROXY: '1' }, beside: server, flags: ['--run=web'] })
  tree = await buildTree(server.database)
})
beforeEach(async () => {
  member = await buildUser(server.database, { parent: tree.head })
})
afterAll(async () => {
  await other.close()
  await server.close()
})

const balance = async (token: string, { at = server, from = '203.0.113.7' } = {}) => {
  const headers = { 'x-forwarded-for': from }
  const { status, body } = await at.call('balance.get', { as: { token }, headers })
  return status === 200 ? 200 : [status, (body as { code: string }).code]
}
/** In the process that changed something, and in another one. */
const inBoth = async (token: string) => [await balance(token), await balance(token, { at: other })]

test('a key acts as its owner, within its scopes', async () => {
  const { token } = await buildKey(server.database, member, { scopes: ['balance:read', 'templates:read'] })
  const as = { token }
  expect(await server.call('balance.get', { as })).toMatchObject({ status: 200 })
  expect(await server.call('smsTemplates.list', { as })).toMatchObject({ status: 200 })
  expect(await server.call('campaigns.list', { as })).toMatchObject({
    status: 403,
    body: {
      code: 'scope_missing',
      message: 'This API key does not have the scope campaigns:read',
      details: [{ field: 'scope', message: 'campaigns:read' }],
    },
  })
  // The owner's role does not allow it, whatever the key's scopes.
  const ofHead = await buildKey(server.database, tree.head)
  expect(await server.call('uploads.list', { as: ofHead, query: { channel: 'sms' } })).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
})

test('calls for people only, keys among them, are closed to keys', async () => {
  const as = await buildKey(server.database, tree.manager)
  const closed: [Parameters<typeof server.callUnchecked>[0], UncheckedOptions][] = [
    ['profile.details', {}],
    ['users.list', {}],
    ['apiKeys.list', {}],
    ['apiKeys.create', { body: { name: 'Mine', environment: 'live', scopes: ['balance:read'] } }],
    ['apiKeys.regenerate', { path: { id: as.id }, body: {} }],
    ['apiKeys.deactivate', { path: { id: as.id } }],
    ['apiKeys.validate', { body: { key: as.token } }],
    ['balance.add', { body: { userId: member.id, amount: 1 } }],
    ['realtime.ticket', {}],
    ['auth.logout', {}],
  ]
  for (const [name, options] of closed)
    expect(await server.callUnchecked(name, { ...options, as })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', message: 'API keys cannot make this call: sign in instead' },
    })
})

test('a test key cannot change live data', async () => {
  const as = await buildKey(server.database, tree.manager, { environment: 'test' })
  expect(await server.call('cannedReplies.list', { as })).toMatchObject({ status: 200 })
  const body = { shortcut: 'thanks', text: 'Thank you' }
  expect(await server.call('cannedReplies.create', { as, body })).toMatchObject({
    status: 403,
    body: { code: 'live_key_required', message: 'Test keys cannot change live data: use a live key for this call' },
  })
  const live = await buildKey(server.database, tree.manager)
  expect(await server.call('cannedReplies.create', { as: live, body })).toMatchObject({ status: 200 })
})

test('the audit log names the key that acted', async () => {
  const as = await buildKey(server.database, tree.manager, { scopes: ['contacts:write'] })
  const body = { scope: 'sms', numbers: '9876543210' }
  expect(await server.callUnchecked('optOuts.add', { as, body })).toMatchObject({ status: 200 })
  const line = await asSystem(server.database, (db) =>
    db.selectFrom('audit_log').select(['actor_id', 'details']).where('action', '=', 'opt_out.added').executeTakeFirst(),
  )
  expect(line).toMatchObject({ actor_id: tree.manager.id, details: { apiKey: as.token.slice(0, 22) } })
})

test('unknown, mistyped and altered keys are answered alike', async () => {
  const { token } = await buildKey(server.database, member)
  const strange = await buildKey(server.database, member)
  await server.database.ownerPool.query('delete from api_keys where id = $1', [strange.id])
  const unknown = [401, 'unauthenticated']
  for (const text of [strange.token, `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`, token.toUpperCase()])
    expect(await balance(text)).toEqual(unknown)
  // These have the public id of the key and a checksum that fits, and another secret or environment.
  const publicId = token.split('_')[2] ?? ''
  for (const environment of ['live', 'test'] as const)
    expect(await balance(newSecret({ environment, publicId }).text)).toEqual(unknown)
  expect(await balance(token)).toBe(200)
})

test('a deactivated key ends at once in its process, and within five seconds in others', async () => {
  const { id, token } = await buildKey(server.database, member)
  expect(await inBoth(token)).toEqual([200, 200])
  await server.ask('apiKeys.deactivate', { as: tree.manager, path: { id } })
  expect(await balance(token)).toEqual([401, 'key_deactivated'])
  pass(5000)
  expect(await inBoth(token)).toEqual([
    [401, 'key_deactivated'],
    [401, 'key_deactivated'],
  ])
})

test.each([
  ['the owner', 'suspended', [403, 'account_suspended']],
  ['the owner', 'closed', [401, 'unauthenticated']],
  ['an account above', 'suspended', [403, 'account_suspended']],
  ['an account above', 'locked', [401, 'unauthenticated']],
] as const)('a key does not work while %s is %s', async (who, status, refusal) => {
  const above = await buildUser(server.database, { parent: tree.manager })
  const owner = who === 'the owner' ? above : await buildUser(server.database, { parent: above })
  const { token } = await buildKey(server.database, owner)
  expect(await inBoth(token)).toEqual([200, 200])
  const body = { status, reason: 'Overdue' }
  await server.ask('users.setStatus', { as: tree.manager, path: { userId: above.id }, body })
  expect(await balance(token)).toEqual(refusal)
  pass(5000)
  expect(await inBoth(token)).toEqual([refusal, refusal])
  if (status === 'closed') return
  await server.ask('users.setStatus', { as: tree.manager, path: { userId: above.id }, body: { status: 'active' } })
  pass(5000)
  expect(await inBoth(token)).toEqual([200, 200])
})

test('a key loses what its owner loses: the module of keys, and those of its calls', async () => {
  const as = await buildKey(server.database, member)
  const grant = async (moduleName: 'api' | 'template', granted: boolean) =>
    server.ask('permissions.grant', {
      as: tree.manager,
      body: { userId: tree.head.id, modulePermissions: [{ moduleName, granted }] },
    })
  const templates = async () => (await server.call('smsTemplates.list', { as })).status
  expect([await balance(as.token), await templates()]).toEqual([200, 200])
  await grant('template', false)
  expect([await balance(as.token), await templates()]).toEqual([200, 403])
  await grant('api', false)
  expect(await balance(as.token)).toEqual([403, 'module_forbidden'])
  await grant('api', true)
  await grant('template', true)
  expect([await balance(as.token), await templates()]).toEqual([200, 200])
})

test('a key expires to the second, and works again with a later expiry', async () => {
  const { id, token } = await buildKey(server.database, member, { expiresAt: new Date(time + 2000) })
  pass(1999)
  expect(await balance(token)).toBe(200)
  pass(1)
  expect(await balance(token)).toEqual([401, 'key_expired'])
  const regeneration = await server.call('apiKeys.regenerate', { as: member, path: { id }, body: {} })
  expect(regeneration).toMatchObject({ status: 409 })
  const expiresAt = new Date(time + hours).toISOString()
  await server.ask('apiKeys.update', { as: member, path: { id }, body: { expiresAt } })
  expect(await balance(token)).toBe(200)
})

test('the address must be in the list of the key and in that of its config', async () => {
  const { id, token } = await buildKey(server.database, member, {
    ipAllowlist: ['203.0.113.0/24', '2001:db8::/32'],
    config: { filters: { ipAllowlist: ['203.0.113.128/25', '2001:db8:5::/48'] } },
  })
  for (const from of ['203.0.113.200', '2001:db8:5::1', '::ffff:203.0.113.200'])
    expect(await balance(token, { from })).toBe(200)
  for (const from of ['203.0.113.7', '203.0.114.200', '2001:db8:6::1'])
    expect(await balance(token, { from })).toEqual([403, 'ip_not_allowed'])
  await server.ask('apiKeys.update', { as: member, path: { id }, body: { ipAllowlist: [], keyConfigId: null } })
  expect(await balance(token, { from: '203.0.114.200' })).toBe(200)
})

test('a changed config applies to its keys', async () => {
  const { token, configId = '' } = await buildKey(server.database, member, { config: {} })
  expect(await inBoth(token)).toEqual([200, 200])
  const body = { binding: { name: 'Rules' }, filters: { ipAllowlist: ['198.51.100.1'] } }
  await server.ask('keyConfigs.update', { as: member, path: { id: configId }, body })
  expect(await balance(token)).toEqual([403, 'ip_not_allowed'])
  pass(5000)
  expect(await balance(token, { at: other })).toEqual([403, 'ip_not_allowed'])
})

test('after a regeneration both secrets work, until the grace ends', async () => {
  const { id, token: first } = await buildKey(server.database, member)
  const regenerate = (body: { graceHours?: number }) =>
    server.ask('apiKeys.regenerate', { as: member, path: { id }, body })
  expect(await inBoth(first)).toEqual([200, 200])
  const second = await regenerate({})
  expect(second).toMatchObject({ id, regeneratedAt: new Date(time).toISOString(), last4: second.secret.slice(-4) })
  expect(second.graceUntil).toBe(new Date(time + 24 * hours).toISOString())
  expect(second.secret.slice(0, 22)).toBe(first.slice(0, 22))
  // The other process knows the key as it was, and asks again.
  expect([await inBoth(first), await inBoth(second.secret)]).toEqual([
    [200, 200],
    [200, 200],
  ])
  const endGraceAt = (at: number) =>
    server.database.ownerPool.query('update api_keys set grace_until = $1 where id = $2', [new Date(at), id])
  await endGraceAt(time + 5001)
  pass(5000)
  expect(await inBoth(first)).toEqual([200, 200])
  pass(1)
  const revoked = [401, 'key_revoked']
  expect(await inBoth(first)).toEqual([revoked, revoked])
  expect(await inBoth(second.secret)).toEqual([200, 200])

  const third = await regenerate({ graceHours: 168 })
  const fourth = await regenerate({ graceHours: 0 })
  // The oldest is forgotten, the previous one has no grace.
  expect(await balance(second.secret)).toEqual([401, 'unauthenticated'])
  expect(await balance(third.secret)).toEqual(revoked)
  expect(await inBoth(fourth.secret)).toEqual([200, 200])
  for (const graceHours of [-1, 169, 1.5])
    expect(await server.call('apiKeys.regenerate', { as: member, path: { id }, body: { graceHours } })).toMatchObject({
      status: 400,
    })
})

test('of regenerations at the same moment the last two secrets work', async () => {
  const { id, token } = await buildKey(server.database, member)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      (index % 2 ? other : server).ask('apiKeys.regenerate', { as: member, path: { id }, body: {} }),
    ),
  )
  pass(5000)
  const works = []
  for (const text of [token, ...answers.map(({ secret }) => secret)])
    if ((await balance(text)) === 200) works.push(text)
  expect(works).toHaveLength(2)
  const { data } = await server.ask('apiKeys.list', { as: member })
  expect(works.map((text) => text.slice(-4))).toContain(data[0]?.last4)
})

test('uses are counted by day, with the time and address of the last one', async () => {
  const { id, token } = await buildKey(server.database, member)
  await balance(token, { from: '203.0.113.1' })
  await balance(token, { from: '203.0.113.2', at: other })
  pass(1000)
  await balance(token, { from: '2001:db8::3' })
  const listed = async () => (await server.ask('apiKeys.list', { as: member })).data.find((key) => key.id === id)
  await expect.poll(listed, { timeout: 10_000 }).toMatchObject({
    usage: { today: 3, month: 3 },
    lastUsedAt: new Date(time).toISOString(),
    lastUsedIp: '2001:db8::3',
  })
  await server.database.ownerPool.query('update api_key_days set day = day - 40 where api_key_id = $1', [id])
  expect(await listed()).toMatchObject({ usage: { today: 0, month: 0 }, lastUsedIp: '2001:db8::3' })
})
