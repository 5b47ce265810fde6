import type { AccountStatus } from '@carillon/contract/accounts'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from './db/pool.ts'
import { checkInvariants, issue } from './modules/balance/index.ts'
import { sendSingle, type Sender } from './modules/messages/index.ts'
import { buildCampaign, buildSender, fakeProvider, startTestSender } from './modules/messages/test-lane.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, type Account } from './testing/builders.ts'
import { testServer, type TestServer } from './testing/server.ts'

let server: TestServer
let sender: Sender
let admin: Account
let reseller: Account
const provider = fakeProvider({ window: 20 })

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web,worker'] })
  sender = await startTestSender(server, { provider, ratePerSecond: 2000, chunksAtOnce: 1 })
  admin = await buildAdmin(server.database)
  reseller = await buildReseller(server.database, { parent: admin })
})
afterAll(async () => {
  expect(await asSystem(server.database, (db) => checkInvariants(db))).toEqual([])
  await sender.stop()
  await server.close()
})

const statusOf = async (id: string) =>
  asSystem(server.database, (db) =>
    db.selectFrom('campaigns').select(['status', 'pause_reason']).where('id', '=', id).executeTakeFirstOrThrow(),
  )
const setStatus = (as: Account, { id }: Account, status: Exclude<AccountStatus, 'pending'>) =>
  server.call('users.setStatus', { as, path: { userId: id }, body: { status, reason: 'Unpaid' } })

async function buildRunning(owner: Account, total = 20_000): Promise<string> {
  const senderId = await buildSender(server.database, owner, { ratePerSecond: 100_000 })
  const before = provider.handedOver.length
  const id = await buildCampaign(server.database, { owner, senderId, total })
  await expect.poll(() => provider.handedOver.length - before, { timeout: 10_000 }).toBeGreaterThan(20)
  return id
}

test('a suspension stops sending in the subtree once the response is sent; it resumes when the suspension is lifted', async () => {
  const manager = await buildManager(server.database, { parent: reseller })
  const user = await buildUser(server.database, { parent: manager })
  const campaign = await buildRunning(user)

  expect(await setStatus(admin, reseller, 'suspended')).toMatchObject({ status: 200 })
  const left = provider.handedOver.length
  await new Promise((resume) => setTimeout(resume, 500))
  expect(provider.handedOver.length).toBe(left)
  expect(await statusOf(campaign)).toEqual({ status: 'paused', pause_reason: 'account_suspended' })
  for (const name of ['smsCampaigns.start', 'campaigns.resume', 'drafts.validate'] as const)
    expect([name, await server.call(name, { as: manager, path: { id: campaign } })]).toMatchObject([
      name,
      {
        status: 403,
        body: { code: 'account_suspended', message: 'This account is suspended: contact your account manager' },
      },
    ])

  for (const account of [reseller, manager, user])
    expect((await server.call('profile.details', { as: account })).status).toBe(200)

  // An account below that is suspended itself stays suspended.
  await setStatus(admin, user, 'suspended')
  await setStatus(admin, reseller, 'active')
  expect(await statusOf(campaign)).toMatchObject({ status: 'paused' })
  await setStatus(admin, user, 'active')
  await expect.poll(() => provider.handedOver.length, { timeout: 10_000 }).toBeGreaterThan(left)
  await server.call('smsCampaigns.discard', { as: manager, path: { id: campaign } })
})

test('campaigns paused by a user stay paused when the account is reactivated', async () => {
  const manager = await buildManager(server.database, { parent: reseller })
  const campaign = await buildRunning(manager)
  await server.call('campaigns.pause', { as: manager, path: { id: campaign } })
  await setStatus(reseller, manager, 'suspended')
  await setStatus(reseller, manager, 'active')
  expect(await statusOf(campaign)).toEqual({ status: 'paused', pause_reason: 'manual' })
  await server.call('smsCampaigns.discard', { as: manager, path: { id: campaign } })
})

test('single messages are rejected while an account above is suspended', async () => {
  const manager = await buildManager(server.database, { parent: reseller })
  const user = await buildUser(server.database, { parent: manager })
  const senderId = await buildSender(server.database, manager)
  await setStatus(reseller, manager, 'suspended')
  const send = asSystem(server.database, (db) =>
    sendSingle(db, {
      channel: 'sms',
      organizationId: manager.organizationId,
      accountId: user.id,
      path: user.path,
      senderId,
      kind: 'api',
      phoneNumber: '+919876543210',
      header: 'CARLLN',
      text: 'Hello',
      category: 'transactional',
    }),
  )
  await expect(send).rejects.toMatchObject({ code: 'account_suspended' })
})

test('a locked account and all accounts below it lose their sessions and sockets', async () => {
  const manager = await buildManager(server.database, { parent: reseller })
  const user = await buildUser(server.database, { parent: manager })
  const socket = io(server.url, {
    transports: ['websocket'],
    query: { token: user.token },
    reconnection: false,
    forceNew: true,
  })
  await new Promise((resolve, reject) => socket.on('connect', () => resolve(undefined)).on('connect_error', reject))
  expect((await server.call('profile.details', { as: user })).status).toBe(200)

  expect((await setStatus(reseller, manager, 'locked')).status).toBe(200)
  for (const account of [manager, user])
    expect((await server.call('profile.details', { as: account })).status).toBe(401)
  await expect.poll(() => socket.connected, { timeout: 8000 }).toBe(false)
  const open = await asSystem(server.database, (db) =>
    db
      .selectFrom('sessions')
      .select('id')
      .where('organization_id', '=', manager.id)
      .where('ended_at', 'is', null)
      .execute(),
  )
  expect(open).toEqual([])
})

test('campaigns of a closed account are cancelled and their holds released', async () => {
  const manager = await buildManager(server.database, { parent: reseller })
  const campaign = await buildRunning(manager)
  expect((await setStatus(reseller, manager, 'closed')).status).toBe(200)
  const left = provider.handedOver.length
  expect(await statusOf(campaign)).toMatchObject({ status: 'cancelled' })
  await new Promise((resume) => setTimeout(resume, 300))
  expect(provider.handedOver.length).toBe(left)
  expect((await setStatus(reseller, manager, 'active')).status).toBe(409)
})

test('of concurrent starts under a daily message limit, only those that fit pass', async () => {
  const manager = await buildManager(server.database, { parent: reseller })
  const senderId = await buildSender(server.database, manager)
  await asSystem(server.database, async (db) => {
    await db.insertInto('rate_cards').values({ organization_id: manager.id, id: manager.id, name: 'Rates' }).execute()
    await db
      .insertInto('rates')
      .values({ organization_id: manager.id, rate_card_id: manager.id, channel: 'sms', price: 1250 })
      .execute()
    await issue(db, {
      issuer: { organizationId: admin.organizationId, accountId: admin.id },
      organizationId: manager.id,
      accountId: manager.id,
      amount: 1_000_000,
      opKey: 'limits',
      reference: 'test',
    })
  })
  const limits = [{ key: 'messages_per_day' as const, limit: 3 }]
  expect((await server.call('limits.set', { as: reseller, body: { userId: manager.id, limits } })).status).toBe(200)
  const sends = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      asSystem(server.database, (db) =>
        sendSingle(db, {
          channel: 'sms',
          organizationId: manager.id,
          accountId: manager.id,
          path: manager.path,
          senderId,
          kind: 'api',
          phoneNumber: '+919876543210',
          header: 'CARLLN',
          text: 'Hello',
          category: 'transactional',
        }),
      ),
    ),
  )
  expect(sends.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(sends.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'limit_exceeded', message: 'The limit of 3 messages a day would be exceeded' },
  })
})
