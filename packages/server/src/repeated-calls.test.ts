import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { Role } from '@carillon/contract/roles'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from './modules/auth/index.ts'
import { buildCaller } from './testing/callers.ts'
import { filledCall, samplePassword } from './testing/call-samples.ts'
import { testServer, type TestServer } from './testing/server.ts'
import { rowsWrittenBy } from './testing/written-rows.ts'
import { unreadyCalls } from './testing/unready-calls.ts'

let server: TestServer
let passwordHash: string

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  passwordHash = await hashPassword(samplePassword)
})
afterAll(() => server.close())

/** The writes of signed-in accounts whose response is no file: a file is only read. */
const writing = (Object.keys(endpoints) as EndpointName[]).filter((name) => {
  const { route, roles, data }: Endpoint = endpoints[name]
  return !route.startsWith('GET ') && roles !== 'public' && data !== 'file'
})

/** Makes the call twice with one key; returns the responses, and the rows that the second one wrote. */
async function performTwice(name: EndpointName, role: Role) {
  const { as, has } = await buildCaller(server.database, { role, passwordHash })
  const call = { ...filledCall(name, { as, has }), headers: { 'idempotency-key': randomUUID() } }
  const first = await server.callUnchecked(name, call)
  const { result: second, rows } = await rowsWrittenBy(server.database, () => server.callUnchecked(name, call))
  return { first, second, rows }
}

/** The first role with which the call succeeds; undefined where none does without a provider. */
async function findSuccess(name: EndpointName) {
  const { roles }: Endpoint = endpoints[name]
  for (const role of Role.options.filter((option) => typeof roles === 'string' || roles.includes(option))) {
    const twice = await performTwice(name, role)
    if (twice.first.status === 200) return twice
  }
  return undefined
}

/** They end their own session: the second call has no session. */
const endsItself: readonly EndpointName[] = ['auth.logout', 'auth.changePassword']

const neverSucceeded: EndpointName[] = []

test.each(writing)('%s takes effect once for one idempotency key', async (name) => {
  const twice = await findSuccess(name)
  if (!twice) return void neverSucceeded.push(name)
  const { first, second, rows } = twice
  expect(rows).toEqual([])
  if (endsItself.includes(name)) return undefined
  const { answersSecret }: Endpoint = endpoints[name]
  if (answersSecret) expect(second.status).toBe(409)
  else expect(second).toMatchObject({ status: 200, body: first.body })
  return undefined
})

test('the calls succeed, except those that need a token, a state or a provider', () => {
  expect(new Set(neverSucceeded)).toEqual(new Set(unreadyCalls))
})
