import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import type { Role } from '@carillon/contract/roles'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from './db/pool.ts'
import { hashPassword } from './modules/auth/index.ts'
import { buildFixtures } from './testing/fixtures.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from './testing/builders.ts'
import { filledCall, sampleCall, samplePassword } from './testing/call-samples.ts'
import { testServer, type UncheckedOptions, type TestServer } from './testing/server.ts'

/** Ten times as many calls as pool connections: enough for a deadlock. */
const parallel = 40

let server: TestServer
let above: { admin: Account; reseller: Account; manager: Account; departmentHead: Account }
let passwordHash: string

beforeAll(async () => {
  server = await testServer({ environment: { DATABASE_POOL: '4' } })
  const { database } = server
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const manager = await buildManager(database, { parent: reseller })
  above = { admin, reseller, manager, departmentHead: await buildDepartmentHead(database, { parent: manager }) }
  passwordHash = await hashPassword(samplePassword)
})
afterAll(() => server.close())

const build: Record<Role, () => Promise<Account>> = {
  admin: () => buildAdmin(server.database),
  reseller: () => buildReseller(server.database, { parent: above.admin }),
  manager: () => buildManager(server.database, { parent: above.reseller }),
  department_head: () => buildDepartmentHead(server.database, { parent: above.manager }),
  user: () => buildUser(server.database, { parent: above.departmentHead }),
}

/** A new account for each endpoint, because some calls end sessions or close accounts. */
async function buildCaller({ roles }: Endpoint): Promise<Account> {
  const role = roles === 'session' || roles === 'public' || roles.includes('manager') ? 'manager' : roles[0]
  const account = await build[role ?? 'manager']()
  await asSystem(server.database, (db) =>
    db.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', account.id).execute(),
  )
  return account
}

async function buildCalls(name: EndpointName): Promise<UncheckedOptions[]> {
  const endpoint: Endpoint = endpoints[name]
  if (endpoint.roles === 'public') return Array.from({ length: parallel }, () => sampleCall(name))
  const as = await buildCaller(endpoint)
  const has = await buildFixtures(server.database, as)
  return Array.from({ length: parallel }, () => filledCall(name, { as, has }))
}

describe('parallel calls on a pool of 4 connections', () => {
  test.each(Object.keys(endpoints) as EndpointName[])(
    '%s',
    async (name) => {
      const calls = await buildCalls(name)
      const answers = await Promise.all(calls.map((options) => server.callUnchecked(name, options)))
      const broken = answers.filter(({ status }) => status >= 500 && status !== 503)
      expect(broken.map(({ text }) => text)).toEqual([])
    },
    120_000,
  )

  test('the product is healthy afterwards', async () => {
    const manager = await build.manager()
    expect(await server.call('profile.details', { as: manager })).toMatchObject({ status: 200 })
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
  })
})
