import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildKey } from '../../testing/api-keys.ts'
import { buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let tree: Awaited<ReturnType<typeof buildTree>>

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  tree = await buildTree(server.database)
})
afterAll(() => server.close())

const validate = (as: Account, body: object) => server.callUnchecked('apiKeys.validate', { as, body })
const verdict = async (as: Account, body: object) => (await validate(as, body)).data()

test('a valid key is described to its owner and those above', async () => {
  const expiresAt = new Date(Date.now() + 86_400_000)
  const key = await buildKey(server.database, tree.user, { scopes: ['balance:read'], environment: 'test', expiresAt })
  const expected = {
    valid: true,
    keyId: key.id,
    environment: 'test',
    scopes: ['balance:read'],
    account: { _id: tree.user.id, name: `Name of ${tree.user.username}` },
    expiresAt: expiresAt.toISOString(),
  }
  for (const as of [tree.user, tree.head, tree.manager, tree.reseller])
    expect(await verdict(as, { key: ` ${key.token} ` })).toEqual(expected)
})

test('others get the same response for it as for a key that does not exist', async () => {
  const key = await buildKey(server.database, tree.user)
  const gone = await buildKey(server.database, tree.user)
  await server.database.ownerPool.query('delete from api_keys where id = $1', [gone.id])
  const strangers = [tree.foreign, await buildUser(server.database, { parent: tree.manager })]
  for (const as of strangers) {
    const unknown = (await validate(as, { key: gone.token })).text
    expect(JSON.parse(unknown)).toMatchObject({ data: { valid: false, reason: 'unknown' } })
    for (const text of [key.token, key.token.slice(0, -1), 'nonsense'])
      expect((await validate(as, { key: text })).text).toBe(unknown)
  }
})

test.each([
  ['deactivated', { deactivatedAt: new Date() }, {}],
  ['expired', { expiresAt: new Date() }, {}],
  ['ip_not_allowed', { ipAllowlist: ['203.0.113.7'] }, { ip: '203.0.113.8' }],
  ['scope_missing', { scopes: ['balance:read'] }, { scope: 'campaigns:read' }],
  [undefined, { ipAllowlist: ['203.0.113.7'] }, {}],
  [undefined, { ipAllowlist: ['203.0.113.7'] }, { ip: '203.0.113.7', scope: 'campaigns:read' }],
] as const)('the reason is %s', async (reason, options, question) => {
  const key = await buildKey(server.database, tree.user, options)
  const found = await verdict(tree.user, { key: key.token, ...question })
  expect(found).toMatchObject({ valid: reason === undefined, keyId: key.id, ...(reason ? { reason } : {}) })
})

test('a replaced secret is revoked once its grace has ended, and then forgotten', async () => {
  const { id, token } = await buildKey(server.database, tree.user)
  const regenerate = (graceHours: number) =>
    server.ask('apiKeys.regenerate', { as: tree.user, path: { id }, body: { graceHours } })
  await regenerate(1)
  expect(await verdict(tree.user, { key: token })).toMatchObject({ valid: true })
  const second = await regenerate(0)
  expect(await verdict(tree.user, { key: token })).toEqual({ valid: false, reason: 'unknown' })
  await regenerate(0)
  expect(await verdict(tree.user, { key: second.secret })).toMatchObject({ valid: false, reason: 'revoked', keyId: id })
})

test('the state of the owner is told to those above', async () => {
  const member = await buildUser(server.database, { parent: tree.manager })
  const { token } = await buildKey(server.database, member)
  const about = async () => await verdict(tree.manager, { key: token })
  const modulePermissions = [{ moduleName: 'api' as const, granted: false }]
  await server.ask('permissions.grant', { as: tree.manager, body: { userId: member.id, modulePermissions } })
  expect(await about()).toMatchObject({ valid: false, reason: 'module_missing' })
  const suspended = { as: tree.manager, path: { userId: member.id }, body: { status: 'suspended' as const } }
  await server.ask('users.setStatus', suspended)
  expect(await about()).toMatchObject({ valid: false, reason: 'account_suspended' })
})
