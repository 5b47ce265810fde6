import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignStatus } from '@carillon/contract/campaign-records'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let admin: Account
let reseller: Account
let manager: Account
let user: Account
let otherManager: Account
const ids: Record<string, string> = {}

beforeAll(async () => {
  server = await testServer({ clock: { now: () => new Date() } })
  admin = await buildAdmin(server.database)
  reseller = await buildReseller(server.database, { parent: admin })
  manager = await buildManager(server.database, { parent: reseller })
  user = await buildUser(server.database, { parent: manager })
  otherManager = await buildManager(server.database, { parent: admin })
  await build(manager, { name: 'Oldest', status: 'completed', failed: 5, submitted: 100 })
  await build(user, { name: 'Failing', status: 'running', failed: 30, submitted: 100 })
  await build(otherManager, { name: 'Foreign', status: 'completed', failed: 90, submitted: 100 })
  await build(manager, { name: 'Too few to tell', status: 'running', failed: 3, submitted: 4 })
  await build(manager, { name: 'A test', status: 'completed', failed: 0, submitted: 1, isTest: true })
})
afterAll(() => server.close())

type Numbers = { name: string; status: CampaignStatus; failed: number; submitted: number; isTest?: boolean }

let minute = 0

async function build(owner: Account, { name, status, failed, submitted, isTest = false }: Numbers) {
  const [id, templateId] = [newId(), newId()]
  const organization_id = owner.organizationId
  const content = JSON.stringify({ header: 'CARLLN', body: 'Hello from us', variables: [] })
  minute += 1
  const at = new Date(Date.now() - 3_600_000 + minute * 60_000)
  await asSystem(server.database, async (db) => {
    await db
      .insertInto('templates')
      .values({
        organization_id,
        id: templateId,
        channel: 'sms',
        name: `Template of ${name}`,
        status: 'approved',
        category: 'transactional',
        language: 'en',
        content,
        created_by: owner.id,
      })
      .execute()
    await db
      .insertInto('campaigns')
      .values({
        organization_id,
        id,
        path: owner.path,
        name,
        channel: 'sms',
        status,
        total: submitted,
        is_test: isTest,
        draft: JSON.stringify({ legs: [{ channel: 'sms', templateId }] }),
        created_by: owner.id,
        created_at: at,
        started_at: at,
      })
      .execute()
    await db
      .insertInto('counters')
      .values({ organization_id, campaign_id: id, leg: 0, submitted, failed, delivered: submitted - failed })
      .execute()
  })
  ids[name] = id
}

const list = (as: Account, query: Record<string, string | number> = {}) => server.call('campaigns.list', { as, query })

const campaignsOf = ({ body }: { body: unknown }) =>
  (body as { campaigns: { campaignName: string }[] }).campaigns.map(({ campaignName }) => campaignName)
const names = async (as: Account, query: Record<string, string | number> = {}) => campaignsOf(await list(as, query))

test('campaigns of every account below, newest first, without tests, with their owner', async () => {
  expect(await list(reseller)).toMatchObject({
    status: 200,
    body: {
      totalCampaigns: 3,
      totalPages: 1,
      currentPage: 1,
      campaigns: [
        { campaignName: 'Too few to tell', account: { _id: manager.id } },
        {
          campaignName: 'Failing',
          templateName: 'Template of Failing',
          account: { _id: user.id, name: `Name of ${user.username}` },
          organization: { _id: manager.id, name: `Name of ${manager.username}` },
          stats: { submitted: 100, failed: 30 },
        },
        { campaignName: 'Oldest' },
      ],
      campaignStats: [{}, { campaignId: ids['Failing'] }, {}],
    },
  })
  expect(await names(admin)).toEqual(['Too few to tell', 'Foreign', 'Failing', 'Oldest'])
  expect(await names(user)).toEqual(['Failing'])
})

test('sorted as requested: by name ignoring case, by recipients, in both directions', async () => {
  expect(await names(reseller, { sort: 'name', direction: 'asc' })).toEqual(['Failing', 'Oldest', 'Too few to tell'])
  expect(await names(reseller, { sort: 'name', direction: 'desc' })).toEqual(['Too few to tell', 'Oldest', 'Failing'])
  expect((await names(reseller, { sort: 'recipients', direction: 'asc' }))[0]).toBe('Too few to tell')
  expect(await names(reseller, { sort: 'created', direction: 'asc' })).toEqual((await names(reseller)).toReversed())
  expect(await list(reseller, { sort: 'luck' })).toMatchObject({ status: 400 })
})

test('sorting by cost uses the shown costs: charges minus refunds', async () => {
  const charge = (name: string, cost: number, refunded: number) =>
    asSystem(server.database, (db) =>
      db
        .updateTable('counters')
        .set({ cost, refunded })
        .where('campaign_id', '=', ids[name] ?? '')
        .execute(),
    )
  await charge('Oldest', 9000, 0)
  await charge('Failing', 50_000, 45_000)
  await charge('Too few to tell', 7000, 0)
  const dearestFirst = ['Oldest', 'Too few to tell', 'Failing']
  expect(await names(reseller, { sort: 'cost', direction: 'desc' })).toEqual(dearestFirst)
  const ofSms = await server.call('smsCampaigns.list', { as: manager, query: { sort: 'cost', direction: 'asc' } })
  expect(campaignsOf(ofSms)).toEqual(dearestFirst.toReversed())
})

test('pages have the total count, also beyond the last', async () => {
  expect(await list(admin, { page: 2, limit: 3 })).toMatchObject({
    body: { campaigns: [{ campaignName: 'Oldest' }], totalCampaigns: 4, totalPages: 2, currentPage: 2 },
  })
  expect(await list(admin, { page: 9, limit: 3 })).toMatchObject({ body: { campaigns: [], totalCampaigns: 4 } })
})

test.each([
  [
    'accounts joined as the specification joins them',
    () => ({ userIds: `${user.id} , ${otherManager.id}` }),
    ['Foreign', 'Failing'],
  ],
  [
    'an organisation stands for everyone in it',
    () => ({ userIds: manager.id }),
    ['Too few to tell', 'Failing', 'Oldest'],
  ],
  ['several statuses', () => ({ status: 'completed,paused' }), ['Foreign', 'Oldest']],
  ['a part of the template’s name', () => ({ templateName: 'of fail' }), ['Failing']],
  ['a share that failed, of enough messages to tell', () => ({ failedOver: 20 }), ['Foreign', 'Failing']],
  ['a channel without campaigns', () => ({ channel: 'rcs' }), []],
  ['a bot that sends none', () => ({ botId: newId() }), []],
  ['a part of the name, taken as it is written', () => ({ search: 'OLD' }), ['Oldest']],
  ['a wildcard that is a letter like any other', () => ({ search: '%' }), []],
  ['days to come', () => ({ from: '2999-01-01' }), []],
])('%s', async (_, query, expected) => {
  expect(await names(admin, query())).toEqual(expected)
})

test('one account out of scope rejects the whole call', async () => {
  const refused = await list(reseller, { userIds: `${manager.id} , ${otherManager.id}` })
  expect(refused).toMatchObject({ status: 404, body: { message: 'User not found' } })
  expect((await list(reseller, { userIds: newId() })).body).toEqual(refused.body)
  expect(await list(user, { userIds: manager.id })).toMatchObject({ status: 404 })
  expect(await list(admin, { status: 'lost' })).toMatchObject({ status: 400, body: { details: [{ field: 'status' }] } })
})

test('search finds by name and by id, in scope only', async () => {
  const search = async (as: Account, query: string) =>
    campaignsOf(await server.call('campaigns.search', { as, query: { query } }))
  expect(await search(reseller, 'fail')).toEqual(['Failing'])
  expect(await search(admin, ids['Foreign'] ?? '')).toEqual(['Foreign'])
  expect(await search(reseller, ids['Foreign'] ?? '')).toEqual([])
})

test('one campaign from above: its text, its failures; one out of scope is not found', async () => {
  const watch = (as: Account, name: string) => server.call('campaigns.watch', { as, path: { id: ids[name] ?? '' } })
  expect(await watch(reseller, 'Failing')).toMatchObject({
    status: 200,
    body: { data: { campaignName: 'Failing', body: 'Hello from us', failures: [], stats: { failed: 30 } } },
  })
  expect(await watch(reseller, 'Foreign')).toMatchObject({ status: 404, body: { message: 'Campaign not found' } })
})

test('the dashboard lists failing campaigns, the worst first', async () => {
  expect(await server.call('dashboard.attention', { as: admin })).toMatchObject({
    body: {
      data: {
        failingCount: 2,
        failingCampaigns: [
          { _id: ids['Foreign'], failedShare: 0.9, account: `Name of ${otherManager.username}` },
          { _id: ids['Failing'], failedShare: 0.3 },
        ],
      },
    },
  })
})
