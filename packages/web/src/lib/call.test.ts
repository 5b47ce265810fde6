import { routes } from '@carillon/contract/routes.gen'
import { afterEach, expect, test, vi } from 'vitest'
import { addRoutes, call } from './call.ts'
import { signIn, signOut } from './session.ts'

addRoutes(routes)

afterEach(() => {
  vi.unstubAllGlobals()
  signOut()
})

function answering(body: unknown, status = 200) {
  vi.stubGlobal('fetch', async () => Response.json(body, { status }))
  signIn({
    token: 'token',
    type: 'manager',
    username: 'asha',
    email: 'asha@test.example',
    expiresAt: Date.now() / 1000 + 3600,
    isFirstLogin: false,
  })
}

test('a list answer without its list is an empty list with one page', async () => {
  answering({ success: true, message: 'OK' })
  expect(await call('smsCampaigns.list', { query: {} })).toMatchObject({
    campaigns: [],
    totalCampaigns: 0,
    totalPages: 1,
    currentPage: 1,
  })
  answering({ success: true, data: { users: null } })
  expect(await call('users.list', { query: {} })).toMatchObject({ users: [], totalPages: 1 })
})

test('a list that is there stays as it is', async () => {
  const page = { campaigns: [], campaignStats: [], totalCampaigns: 30, totalPages: 3, currentPage: 2 }
  answering({ success: true, ...page })
  expect(await call('campaigns.list', { query: {} })).toMatchObject(page)
})

test.each([
  [['The name is missing', 'The file is missing'], 'The name is missing'],
  [[], 'Validation error occurred'],
  ['In words', 'In words'],
  ['', 'Failed to fetch SMS campaigns'],
  [undefined, 'Failed to fetch SMS campaigns'],
])('a refusal whose message is %j says %j', async (message, said) => {
  answering({ success: false, message }, 400)
  await expect(call('smsCampaigns.list', { query: {} })).rejects.toThrow(said)
})
