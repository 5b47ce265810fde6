import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { Role } from '@carillon/contract/roles'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from './db/pool.ts'
import { newId } from './lib/ids.ts'
import { fingerprint } from './testing/fingerprint.ts'
import { buildFixtures, type Fixtures } from './testing/fixtures.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  signIn,
  type Account,
} from './testing/builders.ts'
import { allowed } from './testing/allowed-roles.ts'
import { findIdPlaces, put, sampleCall, type IdPlace } from './testing/call-samples.ts'
import { keepManagers, keepSessions } from './testing/kept-accounts.ts'
import { nonsense } from './testing/nonsense.ts'
import { refusals } from './testing/refusals.ts'
import { testServer, type CallAnswer, type UncheckedOptions, type TestServer } from './testing/server.ts'

/** The calls the server mounts; another test checks that these are all. */
const names = Object.keys(endpoints) as EndpointName[]
const closed = names.filter((name) => allowed[endpoints[name].route] !== 'public')

let server: TestServer
let accounts: Record<Role, Account>
let foreign: Account
let foreignHas: Fixtures
let untouched: string

beforeAll(async () => {
  server = await testServer({ environment: { DATABASE_POOL: '20' } })
  const { database } = server
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const manager = await buildManager(database, { parent: reseller })
  const department_head = await buildDepartmentHead(database, { parent: manager })
  const user = await buildUser(database, { parent: department_head })
  accounts = { admin, reseller, manager, department_head, user }
  await buildFixtures(database, manager)
  foreign = await buildManager(database, {
    parent: await buildReseller(database, { parent: await buildAdmin(database) }),
  })
  foreignHas = await buildFixtures(database, foreign)
  untouched = await fingerprint(database, foreign.organizationId)
})
afterAll(() => server.close())

const answerOf = ({ status, body }: CallAnswer) => ({ status, body })
const isMounted = ({ route }: Endpoint) => {
  const [method = '', path = ''] = route.split(' ')
  // The router ignores trailing slashes, of routes and requests alike.
  return server.app.http.hasRoute({
    method: method as 'GET',
    url: path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1'),
  })
}
const sessionFor = keepSessions(() => server.database)
const managerWithout = keepManagers(() => server.database)
async function callAs(name: EndpointName, who: Account, options: UncheckedOptions = sampleCall(name)) {
  const answer = await server.callUnchecked(name, { ...options, as: await sessionFor(name, who) })
  expect(answerOf(answer), 'of a live session').not.toEqual(refusals.unknown)
  return answer
}

test('every call has an entry in the table', () => {
  expect(names.map((name) => endpoints[name].route).toSorted()).toEqual(Object.keys(allowed).toSorted())
})

test('the server mounts every call of the contract', () => {
  expect(names.filter((name) => !isMounted(endpoints[name]))).toEqual([])
})

describe.each(closed)('%s', (name) => {
  const endpoint: Endpoint = endpoints[name]
  const { module } = endpoint
  const roles = (allowed[endpoint.route] ?? '').split(' ')

  test('rejects calls without a live session', async () => {
    const sample = sampleCall(name)
    expect(answerOf(await server.callUnchecked(name, sample))).toEqual(refusals.noToken)
    for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer ', 'Bearer']) {
      expect(answerOf(await server.callUnchecked(name, { ...sample, headers: { authorization } }))).toEqual(
        refusals.noToken,
      )
    }
    for (const token of [
      'undefined',
      'f'.repeat(64),
      `' or 1=1 --`.replaceAll(' ', '+'),
      'x'.repeat(4000),
      '%00'.repeat(20),
    ]) {
      expect(answerOf(await server.callUnchecked(name, { ...sample, as: { token } }))).toEqual(refusals.unknown)
    }
  })

  test.each([
    ['expired', sql`update sessions set expires_at = now() - interval '1 second'`],
    ['been idle for too long', sql`update sessions set last_seen_at = now() - interval '31 minutes'`],
    ['ended', sql`update sessions set ended_at = now()`],
  ])('is closed to a session that has %s', async (_, change) => {
    const session = await signIn(server.database, accounts.manager)
    await asSystem(server.database, (db) => sql`${change} where id = ${session.id}::uuid`.execute(db))
    expect(answerOf(await server.callUnchecked(name, { ...sampleCall(name), as: session }))).toEqual(refusals.unknown)
  })

  test.each(Role.options)('is open to %s exactly if it should be', async (role) => {
    const answer = await callAs(name, accounts[role])
    if (roles.includes(role)) {
      expect(answer.status).toBeLessThan(500)
      expect([refusals.wrongRole, refusals.wrongModule, refusals.unknown, refusals.noToken]).not.toContainEqual(
        answerOf(answer),
      )
    } else expect(answerOf(answer)).toEqual(refusals.wrongRole)
  })

  if (module)
    test('rejects calls without its module', async () =>
      expect(answerOf(await callAs(name, await managerWithout(module)))).toEqual(refusals.wrongModule))

  const places = findIdPlaces(endpoint)
  if (places.length > 0) {
    test("responds the same for another organisation's records and for missing ones", async () => {
      const role =
        Role.options.find((option) => option !== 'admin' && option !== 'reseller' && roles.includes(option)) ??
        (roles.includes('reseller') ? 'reseller' : 'admin')
      const ask = async (place: IdPlace, id: string) => {
        const answer = answerOf(await callAs(name, accounts[role], put(sampleCall(name), place, id)))
        // A response may repeat the requested id, and say the time; that alone leaks nothing.
        const text = JSON.stringify(answer).replaceAll(id, 'ID')
        return JSON.parse(text.replaceAll(/"(now|cursor)":"[^"]*"/g, '"$1":""')) as ReturnType<typeof answerOf>
      }
      for (const place of places) {
        const absent = await ask(place, newId())
        if (place.part === 'path')
          expect(absent).toMatchObject({ status: 404, body: { success: false, code: 'not_found' } })
        for (const id of Object.values(foreignHas)) expect([place, await ask(place, id)]).toEqual([place, absent])
      }
    })
  }
})

describe.each(nonsense)('%s', (_, options) => {
  test.each(names)('is rejected without a server error by %s', async (name) => {
    const { path = {} } = sampleCall(name)
    for (const ids of [path, Object.fromEntries(Object.keys(path).map((key) => [key, `%00' or 1=1`]))]) {
      const { body, ...bodiless } = options
      const hasBody = body !== undefined && !endpoints[name].route.startsWith('GET')
      const answer = await callAs(name, accounts.manager, { ...bodiless, ...(hasBody ? { body } : {}), path: ids })
      expect(answer.status).toBeLessThan(500)
      if (answer.status >= 400)
        expect(answer.body).toMatchObject({
          success: false,
          message: expect.stringMatching(/\S/),
          code: expect.stringMatching(/^\w+$/),
        })
      expect(answer.text).not.toMatch(/node_modules|at \S+ \(|select .* from/)
    }
  })
})

test('after all this, no row of the other organisation has changed', async () => {
  expect(await fingerprint(server.database, foreign.organizationId)).toBe(untouched)
})

test('a session ends with its account', async () => {
  const leaving = await buildUser(server.database, { parent: accounts.manager })
  await asSystem(server.database, (db) =>
    db.updateTable('accounts').set({ status: 'locked' }).where('id', '=', leaving.id).execute(),
  )
  expect(answerOf(await server.call('profile.details', { as: leaving }))).toEqual(refusals.unknown)
})
