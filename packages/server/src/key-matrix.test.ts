import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import type { Role } from '@carillon/contract/roles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from './db/pool.ts'
import { buildKey, type TestKey } from './testing/api-keys.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, type Account } from './testing/builders.ts'
import { sampleCall } from './testing/call-samples.ts'
import { fingerprint } from './testing/fingerprint.ts'
import { buildFixtures } from './testing/fixtures.ts'
import { testServer, type TestServer } from './testing/server.ts'

let server: TestServer
let accounts: Record<'admin' | 'reseller' | 'manager' | 'user', Account>

beforeAll(async () => {
  const environment = { DATABASE_POOL: '20', API_KEY_REQUESTS_PER_SECOND: '10000' }
  server = await testServer({ environment, flags: ['--run=web'] })
  const { database } = server
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const manager = await buildManager(database, { parent: reseller })
  accounts = { admin, reseller, manager, user: await buildUser(database, { parent: manager }) }
})
afterAll(() => server.close())

const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => endpoints[name].roles !== 'public')

/** The code of each refusal that concerns the caller; anything else is a response of the call itself. */
const callerCodes = [
  'unauthenticated',
  'no_token',
  'key_expired',
  'key_deactivated',
  'key_revoked',
  'account_suspended',
  'module_forbidden',
  'ip_not_allowed',
  'scope_missing',
  'live_key_required',
  'too_many_requests',
]
const forKeysOnly = 'API keys cannot make this call: sign in instead'
const wrongRole = 'You are not authorized to access this resource.'

type Outcome = 'open' | 'closed to keys' | 'wrong role' | (string & {})

async function outcomeOf(name: EndpointName, { token }: TestKey): Promise<Outcome> {
  const { status, body } = await server.callUnchecked(name, { ...sampleCall(name), as: { token } })
  if (status >= 500 && status !== 503) return `${status}`
  const { code, message } = (body ?? {}) as { code?: string; message?: string }
  if (status === 403 && message === forKeysOnly) return 'closed to keys'
  if (status === 403 && message === wrongRole) return 'wrong role'
  return code !== undefined && callerCodes.includes(code) ? code : 'open'
}

/** Calls whose outcome is not the expected one. */
async function findDeviations(key: TestKey, expected: (endpoint: Endpoint) => Outcome) {
  const deviations: Record<string, Outcome[]> = {}
  for (const name of names) {
    const [wanted, got] = [expected(endpoints[name]), await outcomeOf(name, key)]
    if (got !== wanted) deviations[name] = [wanted, got]
  }
  return deviations
}

const byRole =
  (role: Role) =>
  ({ roles }: Endpoint): Outcome =>
    roles === 'session' || roles.includes(role) ? 'open' : 'wrong role'

test.each(['admin', 'reseller', 'manager', 'user'] as const)(
  'a key of %s with every scope may call what its owner may, of the calls that have a scope',
  async (role) => {
    const key = await buildKey(server.database, accounts[role])
    const expected = (call: Endpoint) => (call.scope ? byRole(role)(call) : 'closed to keys')
    expect(await findDeviations(key, expected)).toEqual({})
  },
)

test('a key with one scope may call what this scope allows', async () => {
  const key = await buildKey(server.database, accounts.manager, { scopes: ['templates:read'] })
  const ofScope = (call: Endpoint) => (call.scope === 'templates:read' ? byRole('manager')(call) : 'scope_missing')
  expect(await findDeviations(key, (call) => (call.scope ? ofScope(call) : 'closed to keys'))).toEqual({})
})

test('a test key may call the reads, and the writes that concern test objects', async () => {
  const key = await buildKey(server.database, accounts.manager, { environment: 'test' })
  const ofScope = (call: Endpoint) =>
    call.route.startsWith('GET ') || call.testKeys ? byRole('manager')(call) : 'live_key_required'
  expect(await findDeviations(key, (call) => (call.scope ? ofScope(call) : 'closed to keys'))).toEqual({})
})

const yesterday = new Date(Date.now() - 86_400_000)

test.each([
  ['expired', { expiresAt: yesterday }, 'active', 'key_expired'],
  ['deactivated', { deactivatedAt: yesterday }, 'active', 'key_deactivated'],
  ['from elsewhere', { ipAllowlist: ['203.0.113.7'] }, 'active', 'ip_not_allowed'],
  ['of a suspended owner', {}, 'suspended', 'account_suspended'],
  ['of a deleted owner', {}, 'closed', 'unauthenticated'],
] as const)('a key %s may call nothing, and changes nothing', async (_, options, status, refusal) => {
  const { database } = server
  const owner = await buildManager(database, { parent: accounts.reseller })
  await buildFixtures(database, owner)
  const key = await buildKey(database, owner, options)
  await asSystem(database, (db) => db.updateTable('accounts').set({ status }).where('id', '=', owner.id).execute())
  const before = await fingerprint(database, owner.organizationId)
  expect(await findDeviations(key, () => refusal)).toEqual({})
  expect(await fingerprint(database, owner.organizationId)).toBe(before)
})
