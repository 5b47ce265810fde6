import { endpoints, type Endpoint } from '@carillon/contract'
import { messages } from '@carillon/contract/errors'
import { PageQuery, paginate } from '@carillon/contract/paging'
import { lowBalanceRupees } from '@carillon/contract/constants'
import { landingPath, Module, parseRole, Role } from '@carillon/contract/roles'
import { routes } from '@carillon/contract/routes.gen'
import { expect, test } from 'vitest'
import { shapeOf } from './testing/call-samples.ts'

/** The calls of the specification that are built, literally, each with its fallback text when the server sends none. */
const specified: [route: string, fallback: string | undefined][] = [
  ['POST /api/v1/auth/login', 'Login failed'],
  ['GET /api/sms/templates', 'Failed to fetch sms templates'],
  ['GET /api/sms/templates/{id}', 'Failed to fetch sms template'],
  ['POST /api/sms/templates', 'Failed to create template'],
  ['PUT /api/sms/templates', undefined],
  ['GET /api/sms/accounts', 'Failed to fetch SMS accounts'],
  ['PUT /api/sms/accounts/activate', undefined],
  ['GET /api/sms/campaigns', 'Failed to fetch SMS campaigns'],
  ['GET /api/sms/campaigns/responses', undefined],
  ['POST /api/sms/campaigns/create', 'Failed to create campaign'],
  ['POST /api/sms/campaigns/{id}/start', 'Failed to start campaign'],
  ['GET /api/sms/campaigns/search', undefined],
  ['GET /api/sms/campaigns/{id}/search', undefined],
  ['PUT /api/sms/campaigns/{id}/discard', 'Unknown error occurred'],
  ['PUT /api/v1/channels/update-channel-integrations', undefined],
  ['GET /api/v1/channels/get-channel-integrations', 'Failed to fetch channels'],
  ['GET /api/reports/campaignStatus/{campaignId}', undefined],
  ['GET /api/v1/reports/validating-progress/{id}', undefined],
  ['POST /api/v1/reports/generate/{from}/{to}/{channel}/{campaignId}', 'Failed to generate campaign report'],
  ['GET /api/v1/reports/list', 'Failed to fetch available reports'],
  ['GET /api/v1/reports/details/{id}', 'Failed to fetch report details'],
  ['GET /api/v1/reports/download/{id}', 'Failed to download report'],
  ['DELETE /api/v1/reports/delete/{id}', 'Failed to delete report'],
  ['GET /api/upload/list', undefined],
  ['POST /api/upload/aws-upload', 'Failed to upload campaign media'],
  ['DELETE /api/upload/{id}', 'Failed to delete media'],
  ['GET /api/reports/download-campaign-numbers/{id}', 'Failed to download report'],
  ['GET /api/reports/download-excel/', 'Failed to download report'],
  ['GET /api/dashboard/statusCounts', undefined],
  ['GET /api/admin/user-permissions', undefined],
  ['GET /api/v1/balance/getBalance', 'Failed to fetch balance.'],
  ['GET /api/v1/profile/details', undefined],
  ['POST /api/v1/auth/register-defualt', undefined],
  ['POST /api/v1/auth/register', undefined],
  ['POST /api/auth/send-reset-link', undefined],
  ['POST /api/auth/reset-password', 'Failed to reset password'],
  ['POST /api/v1/auth/admin-impersonate', 'Impersonation failed'],
  ['GET /api/v1/campaigns', 'Failed to fetch campaigns'],
  ['GET /api/v1/campaigns/search', undefined],
  ['GET /api/v1/campaigns/search/{id}', undefined],
  ['GET /api/campaigns/responses', undefined],
  ['GET /api/v1/bots/botIds', undefined],
  ['PUT /api/v1/bots/botStatus', undefined],
  ['GET /api/v1/admin/bot/{id}', undefined],
  ['PUT /api/v1/admin/update-bot', undefined],
  ['POST /api/v1/admin/create-rcs-bot', undefined],
  ['POST /api/campaigns/create-campaign', 'Failed to create campaign'],
  ['POST /api/campaigns/start-campaign/{id}', 'Failed to start campaign'],
  ['PUT /api/campaigns/{id}/discard', 'Unknown error occurred'],
  ['GET /api/admin/users', 'Failed to fetch users'],
  ['GET /api/dashboard/stored-status-counts', undefined],
  ['PUT /api/v1/admin/user', undefined],
  ['POST /api/admin/grantPermission', undefined],
  ['POST /api/balance/add-balance', undefined],
  ['POST /api/balance/deduct-balance', undefined],
  ['POST /api/balance/requestBalance', 'Failed to request balance'],
  ['GET /api/balance/reseller-balances', undefined],
  ['PUT /api/v1/profile/update', undefined],
  ['GET /api/channels/get-waba-provider-solution-ids', undefined],
  ['GET /api/waba/active-wabas', undefined],
  ['GET /api/waba/templates', 'Failed to fetch templates'],
  ['POST /api/waba/create-template', 'Failed to create template'],
  ['DELETE /api/waba/templates', undefined],
  ['POST /api/waba/media/upload-whatsapp-media', 'Failed to upload campaign media'],
  ['POST /api/waba/media/upload-meta-session', 'Failed to upload template media'],
  ['GET /api/waba/campaign/user-campaigns', 'Failed to fetch campaigns'],
  ['POST /api/waba/campaign/create-campaign', 'Failed to create campaign'],
  ['POST /api/waba/campaign/start-campaign/{id}', 'Failed to start campaign'],
  ['GET /api/waba/campaign/campaign-responses', undefined],
  ['POST /api/waba/onboarding/facebook', undefined],
  ['GET /api/waba/analytics', undefined],
  ['GET /api/waba/phone_numbers', 'Failed to fetch phone numbers'],
  ['GET /api/waba/whatsapp_business_profile', undefined],
  ['POST /api/waba/whatsapp_business_profile', undefined],
  ['GET /api/waba/admin/get-waba-solution-selection', undefined],
  ['POST /api/waba/admin/update-waba-solution-provider', undefined],
  ['GET /api/live-agent/agents', 'Failed to fetch agents'],
  ['POST /api/live-agent/invite-agent', undefined],
  ['POST /api/live-agent/create-agent', undefined],
  ['GET /api/agents/search', undefined],
  ['GET /api/live-agent/monitoring/metrics/agent/{id}', undefined],
  ['GET /api/ums/v1/api-keys', 'Failed to fetch API keys'],
  ['POST /api/ums/v1/api-keys', undefined],
  ['POST /api/ums/v1/api-keys/validate', 'Failed to validate API key'],
  ['PUT /api/ums/v1/api-keys/{id}', undefined],
  ['DELETE /api/ums/v1/api-keys/{id}', 'Failed to delete API key'],
  ['POST /api/ums/v1/api-keys/{id}/regenerate', 'Failed to regenerate API key'],
  ['GET /api/ums/v1/key-configs', 'Failed to fetch key configs'],
  ['POST /api/ums/v1/key-configs', 'Failed to create key config'],
  ['GET /api/ums/v1/key-configs/{id}', 'Failed to fetch key config details'],
  ['PUT /api/ums/v1/key-configs/{id}', 'Failed to update key config'],
  ['DELETE /api/ums/v1/key-configs/{id}', 'Failed to delete key config'],
  ['GET /api/ums/v1/ums-req/requests', 'Failed to fetch UMS requests'],
  ['GET /api/ums/v1/ums-req/requests/{id}', 'Failed to fetch UMS request details'],
  ['GET /api/ums/v1/ums-req/requests/{id}/messages', 'Failed to fetch UMS request messages'],
]

/** The calls of the specification that are not built yet. A call that gets built moves to the list above. */
const unbuilt: string[] = [
  ...flow('agents', ['POST', 'GET', 'GET /{id}', 'PUT /{id}', 'DELETE /{id}']),
  ...flow('agent-configs', [
    'GET',
    'GET /stats',
    'POST /agent/{id}',
    'PUT /agent/{id}',
    'DELETE /agent/{id}',
    'POST /agent/{id}/default',
    'POST /agent/{id}/enhance-prompt',
    'GET /{id}',
    'PUT /{id}',
    'DELETE /{id}',
    'GET /{id}/validate',
  ]),
  ...flow('knowledge', ['POST', 'GET', 'GET /stats', 'GET /search', 'GET /{id}', 'PUT /{id}', 'DELETE /{id}']),
  ...flow('business-context', [
    'POST',
    'GET',
    'GET /stats',
    'GET /summary',
    'GET /search',
    'GET /agent/{agentId}',
    'PUT /agent/{agentId}',
    'GET /{id}/validate',
    'GET /{id}',
    'PUT /{id}',
    'DELETE /{id}',
  ]),
  ...flow('intent-mappings', [
    'POST',
    'GET',
    'GET /stats',
    'POST /test-classification',
    'POST /bulk',
    'GET /{id}',
    'PUT /{id}',
    'DELETE /{id}',
  ]),
]

function flow(part: string, ends: string[]): string[] {
  return ends.map((end) => {
    const [method = '', path = ''] = end.split(' ')
    return `${method} /api/flow/v1/${part}${path}`
  })
}

const calls: Endpoint[] = Object.values(endpoints)
const byRoute = new Map<string, Endpoint>(calls.map((call) => [call.route, call]))

test.each(specified)('%s', (route, fallback) => {
  const call = byRoute.get(route)
  expect(call).toBeDefined()
  expect(call?.addition).toBeUndefined()
  if (fallback) expect(call?.fallback).toBe(fallback)
})

test('every call that the specification does not have is marked as an addition', () => {
  const known = specified.map(([route]) => route)
  expect(calls.filter(({ route, addition }) => !addition && !known.includes(route)).map(({ route }) => route)).toEqual(
    [],
  )
})

test('calls that are not built are only in their list', () => {
  expect(unbuilt.filter((route) => byRoute.has(route) || specified.some(([built]) => built === route))).toEqual([])
  expect(unbuilt.length).toBe(new Set(unbuilt).size)
})

test('no two calls share a method and a path', () => {
  const shapes = calls.map(({ route }) => route.replaceAll(/\{\w+\}/g, '{}'))
  expect(shapes.length).toBe(new Set(shapes).size)
})

test('the five roles and their landing paths', () => {
  expect(landingPath).toEqual({
    admin: '/admin',
    reseller: '/reseller',
    manager: '/organization',
    user: '/user',
    department_head: '/department-head',
  })
  expect(Role.options.toSorted()).toEqual(Object.keys(landingPath).toSorted())
})

test.each([
  ['department_head', 'department_head'],
  ['department-head', 'department_head'],
  ['manager', 'manager'],
  ['Department_Head', undefined],
  ['root', undefined],
  ['', undefined],
])('the role written %j is parsed as %s', (text, role) => {
  expect(parseRole(text)).toBe(role)
})

test('every call that accepts a role accepts department-head too', () => {
  const takesRole = (text: string) => text.includes('"department_head"')
  const inputs = calls.flatMap(({ route, body, query }) =>
    [body, query].flatMap((schema) => (schema ? [[route, JSON.stringify(shapeOf(schema))] as const] : [])),
  )
  const withRole = inputs.filter(([, text]) => takesRole(text))
  expect(withRole.map(([route]) => route)).toContain('POST /api/v1/auth/register')
  expect(withRole.filter(([, text]) => !text.includes('"department-head"'))).toEqual([])
})

test('the permission modules', () => {
  expect(Module.options.toSorted()).toEqual(['agent', 'api', 'campaign', 'chat', 'template'])
})

test("the catalogue's messages", () => {
  expect(messages).toMatchObject({
    notAuthenticated: 'User not authenticated.',
    noToken: 'No authentication token found.',
    notAuthorized: 'You are not authorized to access this resource.',
    campaignIdRequired: 'Campaign ID is required',
    unexpected: 'An unexpected error occurred',
    unknown: 'Unknown error occurred',
    validation: 'Validation error occurred',
    noUserIds: 'No userIds provided for the API call.',
    userIdsNoArray: 'userIds should be an array.',
    network: 'Network Error: Unable to connect to the server',
  })
})

test.each([
  'POST /api/sms/campaigns/{id}/start',
  'PUT /api/sms/campaigns/{id}/discard',
  'POST /api/campaigns/start-campaign/{id}',
  'PUT /api/campaigns/{id}/discard',
  'GET /api/v1/reports/validating-progress/{id}',
])('%s names the missing identifier', (route) => {
  expect(byRoute.get(route)?.required).toMatchObject({ id: 'Campaign ID is required' })
})

test.each([
  ['PUT /api/ums/v1/api-keys/{id}', 'API key ID is required.'],
  ['DELETE /api/ums/v1/api-keys/{id}', 'API key ID is required.'],
  ['POST /api/ums/v1/api-keys/{id}/regenerate', 'API key ID is required.'],
  ['GET /api/ums/v1/key-configs/{id}', 'Key config ID is required.'],
  ['PUT /api/ums/v1/key-configs/{id}', 'Key config ID is required.'],
  ['DELETE /api/ums/v1/key-configs/{id}', 'Key config ID is required.'],
])('%s names the missing identifier: %s', (route, message) => {
  expect(byRoute.get(route)?.required).toEqual({ id: message })
})

test('a balance is low below a thousand rupees', () => {
  expect(lowBalanceRupees).toBe(1000)
})

test('a page has ten entries by default, and an empty list has one page', () => {
  expect(PageQuery.parse({})).toEqual({ page: 1, limit: 10 })
  expect(paginate({ page: 1, limit: 10 }, 0)).toEqual({ page: 1, limit: 10, total: 0, totalPages: 1 })
})

test('a list of campaigns has its fields at the top level of the response', () => {
  expect(byRoute.get('GET /api/sms/campaigns')?.top).toBe(true)
  expect(byRoute.get('POST /api/v1/auth/login')?.top).toBe(true)
  expect(byRoute.get('GET /api/admin/user-permissions')?.top).toBe(true)
})

test("the browser's table equals the contract", () => {
  const actual = Object.entries(routes).map(([name, { method, path, roles, fallback }]) => [
    name,
    { route: `${method} ${path}`, roles, fallback },
  ])
  const expected = Object.entries(endpoints).map(([name, { route, roles, fallback }]) => [
    name,
    { route, roles, fallback },
  ])
  expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected))
})
