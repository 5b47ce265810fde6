import { endpoints } from '@carillon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Account
let reseller: Account
let otherReseller: Account
let manager: Account
let otherManager: Account
let head: Account
let user: Account

beforeAll(async () => {
  server = await testServer({ clock: { now: () => new Date() } })
  admin = await buildAdmin(server.database)
  reseller = await buildReseller(server.database, { parent: admin })
  otherReseller = await buildReseller(server.database, { parent: admin })
  manager = await buildManager(server.database, { parent: reseller })
  otherManager = await buildManager(server.database, { parent: otherReseller })
  head = await buildDepartmentHead(server.database, { parent: manager })
  user = await buildUser(server.database, { parent: head })
  await count(manager, '2026-01-01', { submitted: 100, sent: 90, delivered: 80, failed: 10, cost: 125_000 })
  await count(manager, '2026-01-02', { submitted: 10, delivered: 10, cost: 12_500, refunded: 2500 })
  await count(head, '2026-01-02', { submitted: 20, delivered: 15, failed: 5, cost: 25_000 })
  await count(user, '2026-01-02', { submitted: 4, delivered: 1, read: 3, cost: 5000 })
  await count(user, '2026-01-03', { submitted: 1, failed: 1 })
  await count(user, '2025-12-31', { submitted: 7 })
  await count(otherManager, '2026-01-02', { submitted: 1000, cost: 1_250_000 })
})
afterAll(() => server.close())

function count({ organizationId, id }: Account, day: string, numbers: Partial<Record<string, number>>) {
  return asSystem(server.database, (db) =>
    db
      .insertInto('daily_counters')
      .values({ organization_id: organizationId, account_id: id, day, channel: 'sms', ...numbers })
      .execute(),
  )
}

const span = { startDate: '2026-01-01', endDate: '2026-01-03' }
const stored = (as: Account, query: Record<string, string>) =>
  server.call('dashboard.storedStatusCounts', { as, query: { ...span, ...query } })
const team = (as: Account, query: Record<string, string> = {}) =>
  server.call('reports.teamUsage', { as, query: { ...span, ...query } })

describe('stored counts', () => {
  test('of an account with all accounts below it, by channel and day, and of the days before', async () => {
    expect(await stored(reseller, { userIds: manager.id })).toMatchObject({
      status: 200,
      body: {
        data: {
          accounts: [
            {
              userId: manager.id,
              username: manager.username,
              type: 'manager',
              channels: { sms: { submitted: 135, delivered: 106, read: 3, failed: 16, cost: 16.5 } },
              total: { submitted: 135, sent: 90, cost: 16.5, pending: 0 },
              share: 1,
              daily: [
                { day: '2026-01-01', submitted: 100, cost: 12.5 },
                { day: '2026-01-02', submitted: 34, cost: 4 },
                { day: '2026-01-03', submitted: 1, cost: 0 },
              ],
            },
          ],
          total: { submitted: 135, cost: 16.5 },
          previous: { submitted: 7 },
          daily: [
            { day: '2026-01-01', channel: 'sms', submitted: 100, delivered: 80, failed: 10, cost: 12.5 },
            { day: '2026-01-02', channel: 'sms', submitted: 34, delivered: 29, failed: 5, cost: 4 },
            { day: '2026-01-03', channel: 'sms', submitted: 1, delivered: 0, failed: 1, cost: 0 },
          ],
        },
      },
    })
  })

  test('count each account once when an account and one below it are requested, the biggest first', async () => {
    const answer = await stored(admin, { userIds: `${user.id} , ${manager.id} , ${otherManager.id}` })
    expect(answer).toMatchObject({
      body: {
        data: {
          accounts: [
            { userId: otherManager.id, total: { submitted: 1000 } },
            { userId: manager.id, total: { submitted: 135 } },
            { userId: user.id, total: { submitted: 5 } },
          ],
          total: { submitted: 1135 },
          previous: { submitted: 7 },
        },
      },
    })
  })

  test('of an account that sent nothing: nothing', async () => {
    const quiet = await buildManager(server.database, { parent: reseller })
    expect(await stored(reseller, { userIds: quiet.id })).toMatchObject({
      body: {
        data: { accounts: [{ total: { submitted: 0 }, share: 0, daily: [] }], total: { submitted: 0 }, daily: [] },
      },
    })
  })

  test('a year is returned in groups of days with the same sum', async () => {
    const { body } = await stored(admin, { userIds: manager.id, startDate: '2025-04-01', endDate: '2026-03-31' })
    const { data } = endpoints['dashboard.storedStatusCounts']
    const usage = data.parse((body as { data: unknown }).data)
    expect(usage.accounts[0]?.daily.reduce((sum, { submitted }) => sum + submitted, 0)).toBe(142)
    expect(usage.total.submitted).toBe(142)
  })

  test("the specification's message for ids that are missing or not a list", async () => {
    for (const query of [{}, { userIds: '' }, { userIds: ' , ' }])
      expect(await stored(admin, query as Record<string, string>)).toMatchObject({
        status: 400,
        body: { message: 'No userIds provided for the API call.' },
      })
    expect(await stored(admin, { userIds: '{"0":"1"}' })).toMatchObject({
      status: 400,
      body: { message: 'userIds should be an array.' },
    })
  })

  test('one account that is not below rejects the whole call', async () => {
    for (const id of [otherManager.id, otherReseller.id, admin.id, newId()])
      expect(await stored(reseller, { userIds: `${manager.id},${id}` })).toMatchObject({
        status: 404,
        body: { message: 'User not found' },
      })
  })

  test.each([
    ['more than 366 days', { startDate: '2025-01-01', endDate: '2026-01-02' }],
    ['an end before its start', { startDate: '2026-01-02', endDate: '2026-01-01' }],
    ['a day that there is not', { startDate: '2026-02-30', endDate: '2026-03-01' }],
  ])('a span of %s is rejected', async (_, query) => {
    expect(await stored(admin, { userIds: manager.id, ...query })).toMatchObject({
      status: 400,
      body: { details: [{ field: expect.stringMatching(/Date$/) as string }] },
    })
  })
})

describe('usage of a team', () => {
  test('every account in scope, each separately', async () => {
    expect(await team(manager)).toMatchObject({
      status: 200,
      body: {
        data: {
          accounts: [
            { userId: manager.id, total: { submitted: 110 } },
            { userId: head.id, total: { submitted: 20 } },
            { userId: user.id, total: { submitted: 5 } },
          ],
          total: { submitted: 135 },
        },
      },
    })
    expect(await team(head)).toMatchObject({ body: { data: { total: { submitted: 25 } } } })
  })

  test('a user has one row and can request no other', async () => {
    expect(await team(user)).toMatchObject({ body: { data: { accounts: [{ userId: user.id, share: 1 }] } } })
    expect(await team(user, { userIds: head.id })).toMatchObject({ status: 404 })
    expect(await team(head, { userIds: manager.id })).toMatchObject({ status: 404 })
  })
})

describe('attention needed', () => {
  test('accounts, those low on balance, and what waits for the caller', async () => {
    const pending = await buildManager(server.database, { parent: otherReseller })
    await asSystem(server.database, (db) =>
      db.updateTable('accounts').set({ status: 'pending' }).where('id', '=', pending.id).execute(),
    )
    const attention = await server.call('dashboard.attention', { as: otherReseller })
    expect(attention).toMatchObject({
      status: 200,
      body: {
        data: {
          accounts: 2,
          activeAccounts: 0,
          lowBalanceCount: 2,
          failingCampaigns: [],
          failingCount: 0,
          topUpRequests: 0,
          registrations: 1,
          supportRequests: 0,
        },
      },
    })
    const { body } = await server.call('dashboard.attention', { as: admin })
    expect(body).toMatchObject({ data: { registrations: 0 } })
  })

  test('figures that differ from the messages, of organizations in scope', async () => {
    const { organizationId } = otherReseller
    await server.database.ownerPool.query(
      `insert into report_mismatches (organization_id, source, differences) values ($1, 'ledger', '{"paid": [1, 2]}')`,
      [organizationId],
    )
    const countFor = async (as: Account) => (await server.call('dashboard.attention', { as })).body
    expect(await countFor(otherReseller)).toMatchObject({ data: { mismatches: 1 } })
    expect(await countFor(admin)).toMatchObject({ data: { mismatches: 1 } })
    expect(await countFor(reseller)).toMatchObject({ data: { mismatches: 0 } })
    await server.database.ownerPool.query('update report_mismatches set mended_at = now()')
    expect(await countFor(admin)).toMatchObject({ data: { mismatches: 0 } })
  })
})
