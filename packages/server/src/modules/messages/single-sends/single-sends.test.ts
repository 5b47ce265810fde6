import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem, inScope, type Db } from '../../../db/pool.ts'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants, getBalance, issue } from '../../balance/index.ts'
import {
  campaignHasEntries,
  campaignStats,
  failureGroups,
  pointsOfCampaign,
  type CountedCampaign,
  type CountedPoint,
} from '../reads/campaign-numbers.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { getSingle, messagesByNumber } from '../reads/messages-by-number.ts'
import { listResponses, searchNumber } from '../reads/responses.ts'
import { sendSingle } from './send-single.ts'
import { accept, buildCampaign, buildSender, fakeProvider, phoneOf, startTestSender } from '../test-lane.ts'
import { setSmsPrice } from '../../../testing/money.ts'
import { until } from '../../../testing/until.ts'

let opened: TestDatabase
let manager: Account
let user: Account
let senderId: string

beforeAll(async () => {
  opened = await testDatabase()
  manager = await buildManager(opened.database)
  user = await buildUser(opened.database, { parent: manager })
  senderId = await buildSender(opened.database, manager)
  await setSmsPrice(opened.database, manager, 1500)
})

afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

const scopeOf = ({ organizationId, path }: Account) => ({ organizationId, path, descends: false })

const send = (
  account: Account,
  { phoneNumber = '+919876500001', text = 'Your code is 1234', repeatsIfUnanswered = false } = {},
) =>
  inScope(opened.database, scopeOf(account), (db) =>
    sendSingle(db, {
      channel: 'sms',
      organizationId: account.organizationId,
      accountId: account.id,
      path: account.path,
      senderId,
      repeatsIfUnanswered,
      kind: 'test',
      phoneNumber,
      header: 'ACMEIN',
      text,
      category: 'service_implicit',
    }),
  )

test('without balance nothing is accepted, and the shortfall is reported', async () => {
  await expect(send(user)).rejects.toMatchObject({
    code: 'insufficient_balance',
    details: [{ field: 'shortfall', message: '0.15' }],
  })
})

test('a single send is reserved, handed over, charged by its parts and readable in scope', async () => {
  const issuer = { organizationId: manager.organizationId, accountId: manager.id }
  await asSystem(opened.database, (db) =>
    issue(db, {
      issuer,
      organizationId: manager.organizationId,
      accountId: manager.id,
      amount: 100_000,
      opKey: 'fund',
      reference: '',
    }),
  )
  const { messageId, parts, cost } = await send(user, { text: 'x'.repeat(200) })
  expect({ parts, cost }).toEqual({ parts: 2, cost: 3000 })
  const read = (account: Account) =>
    inScope(opened.database, scopeOf(account), (db) => getSingle(db, { scope: scopeOf(account), id: messageId }))
  expect(await read(user)).toMatchObject({ status: 'queued', parts: 2, cost: 0 })

  const fake = fakeProvider()
  fake.answer = ({ reference }) => ({ kind: 'accepted', providerMessageIds: [`${reference}/1`, `${reference}/2`] })
  const sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await read(user)).status === 'sent', 'the send')
  await sender.stop()
  expect(await read(manager)).toMatchObject({ status: 'sent', cost: 0.3, phoneNumber: '+919876500001' })
  const other = await buildUser(opened.database, { parent: manager })
  await expect(read(other)).rejects.toMatchObject({ code: 'not_found' })
  expect(await asSystem(opened.database, (db) => getBalance(db, manager))).toEqual({
    posted: 97_000,
    held: 0,
    available: 97_000,
  })
})

test('a single send whose sender died is unknown, not sent again; its money is refunded', async () => {
  const { messageId } = await send(user)
  await opened.database.systemPool.query('update priority_messages set submitting_epoch = 0 where id = $1', [messageId])
  const fake = fakeProvider()
  const sender = await startTestSender(opened, { provider: fake })
  const status = async () =>
    (await asSystem(opened.database, (db) => getSingle(db, { scope: scopeOf(manager), id: messageId }))).status
  await until(async () => (await status()) === 'unknown', 'recovery')
  await sender.stop()
  expect(fake.handedOver).toEqual([])
  expect((await asSystem(opened.database, (db) => getBalance(db, manager))).held).toBe(0)
})

test('one that may arrive twice is sent again, by the next owner of the lane or after a lost response', async () => {
  const { messageId } = await send(user, { repeatsIfUnanswered: true })
  await opened.database.systemPool.query('update priority_messages set submitting_epoch = 0 where id = $1', [messageId])
  const fake = fakeProvider()
  let attempts = 0
  fake.answer = (message) => {
    attempts += 1
    return attempts === 1 ? { kind: 'unknown', code: 'timeout', detail: 'No response' } : accept(message)
  }
  const sender = await startTestSender(opened, { provider: fake })
  const read = () => asSystem(opened.database, (db) => getSingle(db, { scope: scopeOf(manager), id: messageId }))
  await until(async () => {
    await opened.database.systemPool.query('update priority_messages set due_at = now() where submitting_epoch is null')
    return (await read()).status === 'sent'
  }, 'the second attempt')
  await sender.stop()
  expect(attempts).toBe(2)
})

test('a message that waited past its expiry is not sent', async () => {
  const { messageId } = await send(user)
  await opened.database.systemPool.query(
    `update priority_messages set expires_at = now() - interval '1 second' where id = $1`,
    [messageId],
  )
  const fake = fakeProvider()
  const sender = await startTestSender(opened, { provider: fake })
  const read = () => asSystem(opened.database, (db) => getSingle(db, { scope: scopeOf(manager), id: messageId }))
  await until(async () => (await read()).status === 'failed', 'the end')
  await sender.stop()
  expect(await read()).toMatchObject({ reason: 'expired', cost: 0 })
  expect(fake.handedOver).toEqual([])
})

test("a campaign's recipients, numbers and failures are readable in its scope only", async () => {
  const fake = fakeProvider()
  fake.answer = ({ reference, to }) =>
    Number(to.slice(1)) - phoneOf(0) < 5
      ? { kind: 'rejected', reason: 'invalid_number', code: '11', detail: 'No such number', scope: 'message' }
      : { kind: 'accepted', providerMessageIds: [reference] }
  const campaignId = await buildCampaign(opened.database, { owner: user, senderId, total: 120 })
  const key = { organizationId: manager.organizationId, campaignId }
  const within = <Result>(account: Account, work: Parameters<typeof inScope<Result>>[2]) =>
    inScope(opened.database, scopeOf(account), work)
  const page = { ...key, page: 2, limit: 50 }
  await opened.database.ownerPool.query(`update audiences set columns = '{Name,City}'`)
  await opened.database.ownerPool.query(`update campaign_legs set content = content || '{"names": ["customer"]}'`)
  expect(await within(user, (db) => listResponses(db, page))).toMatchObject({
    total: 120,
    responses: { length: 50, 0: { seq: 50, status: 'queued' } },
  })

  const sender = await startTestSender(opened, { provider: fake })
  await until(
    async () => (await within(user, (db) => listResponses(db, { ...page, status: 'queued' }))).total === 0,
    'the send',
  )
  await sender.stop()
  await within(user, async (db) => {
    expect(await listResponses(db, { ...page, page: 1, status: 'failed' })).toMatchObject({
      total: 5,
      responses: { length: 5, 0: { seq: 0, reason: 'invalid_number', code: '11', cost: 0 } },
    })
    expect(await readFailures(db, campaignId)).toEqual([
      { reason: 'invalid_number', channel: 'sms', count: 5, failed: 5, codes: [{ code: '11', count: 5 }] },
    ])
    expect(await campaignStats(db, { organizationId: key.organizationId, campaignIds: [campaignId] })).toMatchObject([
      { campaignId, submitted: 115, failed: 5, cost: 115_000 },
    ])
    expect(await searchNumber(db, { ...page, page: 1, number: String(phoneOf(7)) })).toMatchObject({
      total: 1,
      responses: [{ seq: 7 }],
    })
    expect(await searchNumber(db, { ...page, page: 1, number: String(phoneOf(7)).slice(2) })).toMatchObject({
      total: 1,
      responses: [{ seq: 7 }],
    })
    expect(await searchNumber(db, { ...page, page: 1, number: '000011' })).toMatchObject({ total: 11 })
    expect(
      await messagesByNumber(db, { scope: scopeOf(user), phone: phoneOf(7), from: new Date(0), limit: 10 }),
    ).toMatchObject({
      messages: [
        {
          campaignId,
          status: 'sent',
          text: 'Hello Name 7',
          pieces: [{ text: 'Hello ' }, { text: 'Name 7', variable: 'customer', column: 'Name' }],
        },
      ],
      optedOutAt: null,
    })
  })
  await foldCounters(opened.database.systemPool)
  expect(await within(user, (db) => readPoints(db, key.campaignId))).toMatchObject([{ sent: 115, failed: 5 }])
  const stranger = await buildManager(opened.database)
  expect(await within(stranger, (db) => listResponses(db, { ...page, page: 1 }))).toEqual({ responses: [], total: 0 })
})

async function readPoints(db: Db, campaignId: string) {
  const { rows } = await sql<{ points: CountedPoint[] }>`
    select ${pointsOfCampaign} as points from campaigns where id = ${campaignId}::uuid`.execute(db)
  return rows[0]?.points
}

/** As calls read them, after the campaign. */
async function readFailures(db: Db, campaignId: string) {
  const { rows } = await sql<Pick<CountedCampaign, 'createdOn' | 'hasEntries'>>`
    select created_on as "createdOn", ${campaignHasEntries} as "hasEntries" from campaigns where id = ${campaignId}::uuid`.execute(
    db,
  )
  return failureGroups(db, {
    createdOn: null,
    hasEntries: false,
    ...rows[0],
    organizationId: manager.organizationId,
    campaignId,
  })
}
