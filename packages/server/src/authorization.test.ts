import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { Role } from '@carillon/contract/roles'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from './db/pool.ts'
import { newId } from './lib/ids.ts'
import { buildFixtures, fingerprint, type Fixtures } from './testing/fixtures.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  signIn,
  type Account,
} from './testing/builders.ts'
import { findIdPlaces, put, sampleCall, type IdPlace } from './testing/call-samples.ts'
import { keepManagers, keepSessions } from './testing/kept-accounts.ts'
import { nonsense } from './testing/nonsense.ts'
import { rcsRoutes } from './testing/rcs-routes.ts'
import { testServer, type CallAnswer, type UncheckedOptions, type TestServer } from './testing/server.ts'

const everyone = 'admin reseller manager user department_head'

/** Allowed roles per call, from the specification, with additions below. Deliberately not derived from the contract. */
const allowed: Record<string, string> = {
  'POST /api/v1/auth/login': 'public',
  'GET /api/v1/profile/details': everyone,
  'GET /api/admin/user-permissions': everyone,
  'GET /api/v1/balance/getBalance': everyone,
  'GET /api/upload/list': 'user manager',
  'POST /api/upload/aws-upload': 'user manager',
  'DELETE /api/upload/{id}': 'user manager',
  'GET /api/sms/accounts': 'user manager',
  'PUT /api/sms/accounts/activate': 'user manager',
  'GET /api/v1/channels/get-channel-integrations': everyone,
  'PUT /api/v1/channels/update-channel-integrations': 'user manager',
  'GET /api/sms/templates': 'user manager department_head admin',
  'GET /api/sms/templates/{id}': 'user manager department_head admin',
  'POST /api/sms/templates': 'user manager department_head admin',
  'PUT /api/sms/templates': 'user manager department_head admin',
  'GET /api/sms/campaigns': everyone,
  'GET /api/sms/campaigns/responses': 'user manager',
  'POST /api/sms/campaigns/create': 'user manager department_head',
  'POST /api/sms/campaigns/{id}/start': 'user manager',
  'GET /api/sms/campaigns/search': 'admin reseller user manager',
  'GET /api/sms/campaigns/{id}/search': everyone,
  'PUT /api/sms/campaigns/{id}/discard': 'user manager',
  'GET /api/v1/reports/validating-progress/{id}': 'user manager',
  'GET /api/reports/campaignStatus/{campaignId}': 'user manager',
  'GET /api/reports/download-campaign-numbers/{id}': everyone,
  'GET /api/reports/download-excel/': everyone,
  'GET /api/dashboard/statusCounts': everyone,
  'POST /api/v1/security/incidents': 'public',
  'POST /api/v1/auth/register': 'admin reseller manager',
  'POST /api/v1/auth/register-defualt': 'public',
  'POST /api/auth/send-reset-link': 'public',
  'POST /api/auth/reset-password': 'public',
  'POST /api/v1/auth/admin-impersonate': 'admin',
  'GET /api/admin/users': 'admin reseller manager',
  'GET /api/dashboard/stored-status-counts': 'admin reseller',
  'PUT /api/v1/admin/user': everyone,
  'POST /api/admin/grantPermission': everyone,
  'POST /api/balance/add-balance': everyone,
  'POST /api/balance/deduct-balance': 'admin reseller manager',
  'POST /api/balance/requestBalance': everyone,
  'GET /api/balance/reseller-balances': everyone,
  'PUT /api/v1/profile/update': everyone,
  'GET /api/v1/campaigns': everyone,
  'GET /api/v1/campaigns/search': 'admin reseller user manager',
  'GET /api/v1/campaigns/search/{id}': everyone,
  'GET /api/campaigns/responses': 'user manager',
  'POST /api/campaigns/start-campaign/{id}': 'user manager',
  'PUT /api/campaigns/{id}/discard': 'user manager',
  'GET /api/ums/v1/ums-req/requests': everyone,
  'GET /api/ums/v1/ums-req/requests/{id}': everyone,
  'GET /api/ums/v1/ums-req/requests/{id}/messages': everyone,

  ...rcsRoutes,

  'GET /api/waba/active-wabas': 'user manager',
  'GET /api/waba/campaign/user-campaigns': 'user manager',
  'POST /api/waba/campaign/create-campaign': 'user manager',
  'POST /api/waba/campaign/start-campaign/{id}': 'user manager',
  'GET /api/waba/campaign/campaign-responses': 'user manager',
  'GET /api/waba/templates': 'user manager',
  'POST /api/waba/create-template': 'user manager',
  'DELETE /api/waba/templates': 'user manager',
  'POST /api/waba/media/upload-whatsapp-media': 'user manager',
  'POST /api/waba/media/upload-meta-session': 'user manager',
  'POST /api/waba/onboarding/facebook': 'user manager',
  'GET /api/waba/analytics': 'manager user department_head',
  'GET /api/waba/phone_numbers': 'manager user department_head',
  'GET /api/waba/whatsapp_business_profile': 'admin manager user',
  'POST /api/waba/whatsapp_business_profile': 'admin manager user',
  'GET /api/channels/get-waba-provider-solution-ids': 'admin reseller manager user',
  'GET /api/waba/admin/get-waba-solution-selection': 'admin reseller manager',
  'POST /api/waba/admin/update-waba-solution-provider': 'admin',

  'GET /api/waba/connections': 'manager user department_head',
  'GET /api/waba/onboarding/settings': 'user manager',
  'POST /api/waba/connections': 'manager',
  'PUT /api/waba/connections/{id}': 'manager',
  'DELETE /api/waba/connections/{id}': 'manager',
  'POST /api/waba/connections/{id}/steps/{step}': 'user manager',
  'PUT /api/waba/phone_numbers/activate': 'user manager',
  'GET /api/waba/templates/{id}': 'user manager',
  'PUT /api/waba/templates/drafts': 'user manager',
  'POST /api/waba/templates/sync': 'user manager',
  'POST /api/v1/auth/first-admin': 'public',
  'POST /api/v1/auth/logout': everyone,
  'POST /api/realtime/ticket': everyone,
  'GET /api/sms/accounts/{id}': 'user manager',
  'GET /api/sms/accounts/health': 'user manager',
  'POST /api/sms/accounts': 'manager',
  'POST /api/sms/accounts/check': 'manager',
  'PUT /api/sms/accounts/{id}': 'manager',
  'POST /api/sms/accounts/{id}/test': 'user manager',
  'GET /api/sms/providers': 'user manager',
  'GET /api/v1/channels/failed-connections': 'user manager',
  'POST /api/audiences': 'user manager department_head',
  'GET /api/audiences/{id}': 'user manager department_head',
  'GET /api/audiences/{id}/recipients/{seq}': 'user manager department_head',
  'PUT /api/audiences/{id}/mapping': 'user manager department_head',
  'POST /api/audiences/{id}/corrections': 'user manager department_head',
  'GET /api/audiences/{id}/rejects': 'user manager department_head',
  'GET /api/audiences/{id}/rows': 'user manager department_head',
  'GET /api/saved-audiences': 'user manager department_head',
  'PUT /api/saved-audiences/{id}': 'user manager department_head',
  'DELETE /api/saved-audiences/{id}': 'user manager department_head',
  'GET /api/v1/campaigns/{id}/replies': 'user manager',
  'GET /api/v1/campaigns/{id}/replies/csv': 'user manager',
  'GET /api/opt-outs': 'user manager',
  'GET /api/opt-outs/csv': 'user manager',
  'POST /api/opt-outs': 'user manager',
  'DELETE /api/opt-outs/{channel}/{number}': 'user manager',
  'GET /api/balance/rates': everyone,
  'GET /api/messages/number/{number}': everyone,
  'GET /api/messages/{id}': 'user manager department_head',
  'GET /api/v1/campaigns/{id}': everyone,
  'POST /api/campaigns/{id}/pause': 'user manager',
  'POST /api/campaigns/{id}/resume': 'user manager',
  'POST /api/campaigns/{id}/schedule': 'user manager',
  'POST /api/campaigns/{id}/duplicate': 'user manager department_head',
  'POST /api/v1/campaign-drafts': 'user manager department_head',
  'GET /api/v1/campaign-drafts/{id}': 'user manager department_head',
  'PUT /api/v1/campaign-drafts/{id}': 'user manager department_head',
  'GET /api/v1/campaign-drafts/{id}/estimate': 'user manager department_head',
  'GET /api/v1/campaign-drafts/{id}/recipients/{seq}': 'user manager department_head',
  'POST /api/v1/campaign-drafts/{id}/test': 'user manager',
  'POST /api/v1/campaign-drafts/{id}/validate': 'user manager department_head',
  'POST /api/v1/auth/registration': 'public',
  'POST /api/v1/auth/change-password': everyone,
  'POST /api/v1/auth/reseller-impersonate': 'reseller',
  'POST /api/v1/auth/email-change/details': 'public',
  'POST /api/v1/auth/email-change/confirm': 'public',
  'POST /api/v1/auth/email-change/refuse': 'public',
  'POST /api/v1/auth/email-change/resend': everyone,
  'POST /api/v1/auth/email-change/cancel': everyone,
  'POST /api/v1/admin/user/{userId}/one-time-password': 'admin reseller',
  'POST /api/v1/admin/user/{userId}/password-link': 'admin reseller manager',
  'DELETE /api/v1/admin/user/{userId}/totp': 'admin reseller manager',
  'POST /api/v1/admin/user/{userId}/end-sessions': 'admin reseller manager',
  'POST /api/v1/auth/invitations/{id}/resend': 'admin reseller manager',
  'POST /api/v1/auth/exit-impersonation': 'public',
  'GET /api/v1/auth/sessions': everyone,
  'DELETE /api/v1/auth/sessions/{id}': everyone,
  'POST /api/v1/auth/sessions/end-others': everyone,
  'POST /api/v1/auth/totp': everyone,
  'POST /api/v1/auth/totp/confirm': everyone,
  'POST /api/v1/auth/totp/remove': everyone,
  'POST /api/v1/auth/invitations': 'admin reseller manager',
  'GET /api/v1/auth/invitations': 'admin reseller manager',
  'DELETE /api/v1/auth/invitations/{id}': 'admin reseller manager',
  'POST /api/v1/auth/invitations/accept': 'public',
  'GET /api/admin/users/{userId}': 'admin reseller manager',
  'PUT /api/v1/admin/user/{userId}/status': 'admin reseller manager',
  'PUT /api/v1/admin/user/{userId}/parent': 'admin reseller manager',
  'PUT /api/admin/users/{userId}/impersonation': 'admin',
  'GET /api/admin/limits': everyone,
  'PUT /api/admin/limits': 'admin reseller manager',
  'GET /api/admin/sign-up': 'admin reseller',
  'PUT /api/admin/sign-up': 'admin reseller',
  'GET /api/admin/audit': 'admin reseller manager',
  'GET /api/v1/campaigns/{id}/watch': everyone,
  'GET /api/v1/campaigns/using': everyone,
  'GET /api/v1/campaigns/{id}/failed': 'user manager',
  'POST /api/v1/campaigns/{id}/resend-failed': 'user manager',
  'DELETE /api/sms/accounts/{id}': 'manager',
  'DELETE /api/sms/templates/{id}': 'user manager department_head admin',
  'GET /api/v1/campaigns/{id}/planned-start': 'user manager',
  'POST /api/v1/campaigns/{id}/reopen': 'user manager',
  'GET /api/reports/team-usage': 'manager user department_head',
  'GET /api/dashboard/attention': 'admin reseller manager',
  'POST /api/balance/transfer': 'admin reseller manager',
  'PUT /api/balance/own': 'manager',
  'GET /api/balance/overview': everyone,
  'GET /api/balance/requests': everyone,
  'POST /api/balance/requests/{id}/answer': 'admin reseller manager',
  'POST /api/balance/requests/{id}/cancel': everyone,
  'GET /api/balance/statement': everyone,
  'GET /api/balance/statement/csv': everyone,
  'GET /api/balance/statement/pdf': everyone,
  'GET /api/balance/margin': 'reseller',
  'GET /api/balance/margin/csv': 'reseller',
  'GET /api/balance/invoices': 'admin reseller manager',
  'GET /api/balance/invoices/{id}/pdf': 'admin reseller manager',
  'GET /api/balance/billing-details': 'admin reseller manager',
  'PUT /api/balance/billing-details': 'admin reseller manager',
  'GET /api/balance/rate-cards': 'admin reseller manager',
  'POST /api/balance/rate-cards': 'admin reseller',
  'DELETE /api/balance/rate-cards/{id}': 'admin reseller',
  'POST /api/ums/v1/ums-req/requests': everyone,
  'POST /api/ums/v1/ums-req/requests/{id}/messages': everyone,
  'PUT /api/ums/v1/ums-req/requests/{id}/status': everyone,
  'POST /api/ums/v1/ums-req/requests/{id}/escalate': 'reseller manager',
  'GET /api/admin/sending': 'admin',
  'POST /api/admin/sending/resume': 'admin',
  'GET /api/admin/mail': 'admin',
  'POST /api/admin/mail/test': 'admin',
  'GET /api/v1/notifications': everyone,
  'POST /api/v1/notifications/read': everyone,
  'GET /api/v1/views': everyone,
  'POST /api/v1/views': everyone,
  'PUT /api/v1/views/{id}': everyone,
  'DELETE /api/v1/views/{id}': everyone,
  'GET /api/v1/brand': everyone,
  'GET /api/v1/brand/host': 'public',
  'GET /api/v1/brand/logo/{id}': 'public',
  'GET /api/v1/brand/settings': 'admin reseller',
  'PUT /api/v1/brand/settings': 'admin reseller',
  'POST /api/v1/brand/settings/logo': 'admin reseller',
  'DELETE /api/v1/brand/settings/logo': 'admin reseller',
}

const refusals = {
  noToken: { status: 401, body: { success: false, message: 'No authentication token found.', code: 'no_token' } },
  unknown: { status: 401, body: { success: false, message: 'User not authenticated.', code: 'unauthenticated' } },
  wrongRole: {
    status: 403,
    body: { success: false, message: 'You are not authorized to access this resource.', code: 'forbidden' },
  },
  wrongModule: {
    status: 403,
    body: { success: false, message: 'You are not authorized to access this resource.', code: 'module_forbidden' },
  },
}

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
        // A response may repeat the requested id; that alone leaks nothing.
        return JSON.parse(JSON.stringify(answer).replaceAll(id, 'ID')) as ReturnType<typeof answerOf>
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
