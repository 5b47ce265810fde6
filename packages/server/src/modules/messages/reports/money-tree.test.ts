import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem, inScope } from '../../../db/pool.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants, freezeShares, getBalance, holdShares, openOwnBalance } from '../../balance/index.ts'
import { applyProviderEvents } from './apply-provider-events.ts'
import { completeFinished, settleStopped } from '../housekeeping/complete-finished.ts'
import { sendSingle } from '../single-sends/send-single.ts'
import {
  accept,
  buildCampaign,
  buildSender,
  type FakeProvider,
  fakeProvider,
  isCompleted,
  startTestSender,
} from '../test-lane.ts'
import { issueTo, setSmsPrice } from '../../../testing/money.ts'
import { until } from '../../../testing/until.ts'
import { findMismatches } from '../test-proof.ts'

/** The price of a part for each organisation: the third reseller has a high margin, the second sells below its own price. */
const price = { first: 100, second: 130, third: 120, sender: 200 }

let opened: TestDatabase
let admin: Account
let first: Account
let second: Account
let third: Account
let manager: Account
let user: Account
let senderId: string
let fake: FakeProvider

beforeAll(async () => {
  opened = await testDatabase()
  admin = await buildAdmin(opened.database)
  await addRate(admin, price.first)
})

beforeEach(async () => {
  first = await buildReseller(opened.database, { parent: admin })
  second = await buildReseller(opened.database, { parent: first })
  third = await buildReseller(opened.database, { parent: second })
  manager = await buildManager(opened.database, { parent: third })
  user = await buildUser(opened.database, { parent: manager })
  await addRate(second, price.second)
  await addRate(third, price.third)
  await addRate(manager, price.sender)
  await asSystem(opened.database, (db) => openOwnBalance(db, user))
  senderId = await buildSender(opened.database, manager)
  fake = fakeProvider()
})

afterEach(async () => expect(await asSystem(opened.database, checkInvariants)).toEqual([]))
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})

const addRate = (account: Account, units: number) => setSmsPrice(opened.database, account, units)

const fund = (account: Account, units: number) => issueTo(opened.database, { admin, account, units })

const balance = ({ organizationId, id: accountId }: Account) =>
  asSystem(opened.database, (db) => getBalance(db, { organizationId, accountId }))

const posted = async () => ({
  user: (await balance(user)).posted,
  third: (await balance(third)).posted,
  second: (await balance(second)).posted,
  first: (await balance(first)).posted,
})

/** A ready campaign of the user, with the resellers' prices frozen and reserved as at a start. */
async function build({ total = 10, billableOn = 'delivered' as const, waits = false } = {}): Promise<string> {
  const campaignId = await buildCampaign(opened.database, {
    owner: user,
    senderId,
    total,
    price: price.sender,
    billableOn,
    status: 'paused',
    chunkSize: 4,
  })
  const { organizationId } = user
  const { rows } = await opened.database.systemPool.query<{ holdId: string }>(
    `select hold_id as "holdId" from campaigns where id = $1`,
    [campaignId],
  )
  if (waits)
    await opened.database.systemPool.query(
      `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on, enter_reasons,
        enter_delay_seconds)
      select organization_id, campaign_id, 2, channel, sender_id, content, price, billable_on, '{user_marketing_cap}', 86400
      from campaign_legs where campaign_id = $1`,
      [campaignId],
    )
  await inScope(opened.database, { organizationId, path: user.path, descends: false }, async (db) => {
    const leg = { organizationId, campaignId, price: price.sender, channel: 'sms' as const }
    for (const number of waits ? [1, 2] : [1])
      await freezeShares(db, { ...leg, leg: number, category: 'transactional', country: 'IN' })
    await holdShares(db, { organizationId, campaignId, holdId: rows[0]?.holdId ?? '', amount: total * price.sender })
  })
  return campaignId
}

const setStatus = (campaignId: string, status: string) =>
  opened.database.systemPool.query(
    `update campaigns set status = $2::campaign_status, run_epoch = run_epoch + 1 where id = $1`,
    [campaignId, status],
  )

async function run(campaignId: string) {
  await setStatus(campaignId, 'queued')
  const sender = await startTestSender(opened, { provider: fake })
  await until(() => isCompleted(opened.database, campaignId), 'completion')
  await sender.stop()
  await opened.database.systemPool.query('select release_shares()')
}

function report(ids: string[], status: 'delivered' | 'failed', reason?: 'user_marketing_cap') {
  const key = { organizationId: manager.organizationId, senderId }
  const events = ids.map((id) => ({
    kind: 'delivery-report' as const,
    providerMessageIds: [id],
    status,
    at: new Date(),
    ...(reason ? { reason } : {}),
    raw: '',
  }))
  return applyProviderEvents(opened.database.systemPool, key, events)
}

test('five levels deep every account pays and earns as agreed, at once', async () => {
  await fund(user, 5000)
  await fund(second, 1000)
  await run(await build())
  expect(await posted()).toEqual({
    user: 5000 - 2000,
    third: 2000 - 1200,
    second: 1000 + 1200 - 1300,
    first: 1300 - 1000,
  })
  expect(await balance(second)).toMatchObject({ held: 0, available: 900 })
})

test('a failure is refunded at every level, and charged again when the message was delivered after all', async () => {
  await fund(user, 5000)
  await fund(second, 1000)
  await run(await build())
  const sent = await posted()
  const ids = fake.handedOver.map(({ reference }) => `p-${reference}`)
  await report(ids.slice(0, 4), 'failed')
  const unit = { user: price.sender, third: -80, second: 10, first: -30 }
  const after = (messages: number) =>
    Object.fromEntries(
      Object.entries(unit).map(([who, each]) => [who, sent[who as keyof typeof sent] + messages * each]),
    )
  expect(await posted()).toEqual(after(4))
  await report(ids.slice(0, 3), 'delivered')
  expect(await posted()).toEqual(after(1))
  await report(ids, 'delivered')
  expect(await posted()).toEqual(sent)
})

test('a reseller that has spent its earnings is not charged more than it has', async () => {
  await fund(user, 5000)
  await fund(second, 1000)
  await run(await build())
  await opened.database.systemPool.query(
    `select place_hold($1, gen_random_uuid(), paying_balance($1, $1), 700, 'spent elsewhere')`,
    [third.id],
  )
  await report(
    fake.handedOver.map(({ reference }) => `p-${reference}`),
    'failed',
  )
  expect((await balance(user)).posted).toBe(5000)
  expect(await balance(third)).toMatchObject({ available: 0, held: 700 })
})

test("a reseller's sales below its own price are reserved on its balance; without it nothing starts, and the refusal does not reveal why", async () => {
  await fund(user, 5000)
  const refused = await build().catch((error: unknown) => error)
  expect(refused).toMatchObject({
    code: 'insufficient_balance',
    message: 'Your provider’s balance is insufficient: contact your account manager',
  })
  await fund(second, 100)
  await build()
  expect(await balance(second)).toEqual({ posted: 100, held: 100, available: 0 })
})

test('a discard charges what was sent at every level, and releases every hold', async () => {
  await fund(user, 5000)
  await fund(second, 1000)
  const campaignId = await build({ total: 12 })
  fake.answer = async (message) => {
    if (fake.handedOver.length >= 8) await setStatus(campaignId, 'cancelled')
    return accept(message)
  }
  await setStatus(campaignId, 'queued')
  const sender = await startTestSender(opened, { provider: fake, chunksAtOnce: 1 })
  await until(() => fake.handedOver.length >= 8, 'the first messages')
  await sender.stop()
  await until(async () => {
    await settleStopped(opened.database.systemPool)
    return (await balance(user)).held === 0
  }, 'the rest of the hold')
  await opened.database.systemPool.query('select release_shares()')
  const count = fake.handedOver.length
  expect(await posted()).toEqual({
    user: 5000 - count * 200,
    third: count * 80,
    second: 1000 - count * 10,
    first: count * 30,
  })
  expect((await balance(second)).held).toBe(0)
})

test('broken connections during charges leave every level exact', async () => {
  await fund(user, 200_000)
  await fund(second, 20_000)
  const campaignId = await build({ total: 600 })
  await setStatus(campaignId, 'queued')
  const sender = await startTestSender(opened, { provider: fake })
  for (let outage = 1; outage <= 5; outage += 1) {
    await until(() => fake.handedOver.length >= outage * 80, 'messages before the strike')
    await opened.database.ownerPool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'carillon carillon_system' and state = 'active'`,
    )
  }
  await until(() => isCompleted(opened.database, campaignId), 'completion')
  await sender.stop()
  await opened.database.ownerPool.query('select release_shares()')
  const { rows } = await opened.database.ownerPool.query<{ sent: number }>(
    `select count(*)::int as sent from messages where campaign_id = $1 and status = 'sent'`,
    [campaignId],
  )
  const sent = rows[0]?.sent ?? 0
  expect(await posted()).toEqual({
    user: 200_000 - sent * 200,
    third: sent * 80,
    second: 20_000 - sent * 10,
    first: sent * 30,
  })
})

test('single sends are charged and refunded at every level too', async () => {
  await fund(user, 1000)
  await fund(second, 1000)
  const { organizationId, id: accountId, path } = user
  const send = () =>
    inScope(opened.database, { organizationId, path, descends: false }, (db) =>
      sendSingle(db, {
        channel: 'sms',
        organizationId,
        accountId,
        path,
        senderId,
        kind: 'api',
        phoneNumber: '+919876500001',
        header: 'ACMEIN',
        text: 'Your code is 1234',
        category: 'transactional',
      }),
    )
  await Promise.all([send(), send(), send()])
  expect((await balance(second)).held).toBe(30)
  const sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await balance(user)).posted === 400, 'the charge')
  await sender.stop()
  await opened.database.systemPool.query('select release_shares()')
  expect(await posted()).toEqual({ user: 400, third: 240, second: 970, first: 90 })
  expect((await balance(second)).held).toBe(0)
})

test('price changes after the start do not apply to messages under way', async () => {
  await fund(user, 5000)
  await fund(second, 1000)
  const campaignId = await build()
  for (const account of [second, third, manager]) await addRate(account, 999)
  await run(campaignId)
  expect(await posted()).toEqual({ user: 3000, third: 800, second: 900, first: 300 })
})

test('many organisations below one reseller send at the same time: its balance is exact', async () => {
  const shops = await Promise.all(Array.from({ length: 6 }, () => buildManager(opened.database, { parent: third })))
  const campaigns: string[] = []
  for (const shop of shops) {
    await addRate(shop, 150)
    user = shop
    senderId = await buildSender(opened.database, shop)
    await fund(shop, 150 * 200)
    await fund(second, 2000)
    const campaignId = await buildCampaign(opened.database, {
      owner: shop,
      senderId,
      total: 200,
      price: 150,
      chunkSize: 10,
      status: 'paused',
    })
    const { organizationId, path } = shop
    await inScope(opened.database, { organizationId, path, descends: false }, (db) =>
      freezeShares(db, {
        organizationId,
        campaignId,
        leg: 1,
        price: 150,
        channel: 'sms',
        category: '*',
        country: 'IN',
      }),
    )
    await setStatus(campaignId, 'queued')
    campaigns.push(campaignId)
  }
  const sender = await startTestSender(opened, { provider: fake })
  await until(async () => {
    await completeFinished(opened.database.ownerPool)
    const { rows } = await opened.database.ownerPool.query(
      `select from campaigns where id = any($1) and status = 'completed'`,
      [campaigns],
    )
    return rows.length === campaigns.length
  }, 'completion')
  await sender.stop()
  expect((await balance(third)).posted).toBe(1200 * (150 - 120))
  expect((await balance(first)).posted).toBe(1200 * 30)
})

test('a waiting recipient keeps the holds of every paying account, and is charged once', async () => {
  await fund(user, 5000)
  await fund(second, 1000)
  const campaignId = await build({ waits: true })
  expect((await balance(second)).held).toBe(10 * (price.second - price.third))
  await setStatus(campaignId, 'queued')
  const sender = await startTestSender(opened, { provider: fake })
  const posts = async () => (await balance(user)).posted
  await until(async () => (await posts()) === 3000, 'the charge')
  const [one, next] = fake.handedOver.map(({ reference }) => `p-${reference}`)
  // Both in one batch, and again: the returned amount is reserved once.
  for (const ids of [[one ?? '', next ?? ''], [next ?? '']]) await report(ids, 'failed', 'user_marketing_cap')
  expect(await balance(user)).toMatchObject({ posted: 3400, held: 400 })
  expect((await balance(second)).held).toBe(2 * (price.second - price.third))
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.database.systemPool.query('update retries set due_at = now() where campaign_id = $1', [campaignId])
  await until(async () => fake.handedOver.length === 12, 'the second try')
  await sender.stop()
  await opened.database.systemPool.query(`delete from leg_watches where campaign_id = $1`, [campaignId])
  await run(campaignId)
  expect(await posted()).toEqual({ user: 3000, third: 800, second: 900, first: 300 })
  expect([(await balance(user)).held, (await balance(second)).held]).toEqual([0, 0])
})
