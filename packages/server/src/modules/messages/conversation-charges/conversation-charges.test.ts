import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem, inScope } from '../../../db/pool.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { issueTo } from '../../../testing/money.ts'
import { until } from '../../../testing/until.ts'
import {
  checkInvariants,
  getBalance,
  issueInvoices,
  monthBefore,
  openOwnBalance,
  placeHold,
} from '../../balance/index.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { applyReports } from '../reports/apply-reports.ts'
import { sendSingle } from '../single-sends/send-single.ts'
import { fakeProvider, phoneOf, startTestSender } from '../test-lane.ts'
import { forgetConversations, recheckReplies } from './recheck-replies.ts'
import {
  addConversationRate,
  begunWith,
  buildConversational,
  hour,
  receiverOf,
  replyOf,
  reportOf,
  sendCampaign,
} from './test-conversations.ts'
import { findMismatches } from '../test-proof.ts'

const price = { reseller: 4000, sender: 6500 }

let opened: TestDatabase
let admin: Account
let reseller: Account
let manager: Account
let user: Account
let senderId: string
/** The provider's ids of a message of the user's campaign, by recipient. */
let ids: string[]
let receive: ReturnType<typeof receiverOf>
/** The recipient of the next test. */
let seq = -1

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 10, owner: 3 })
  const { database } = opened
  admin = await buildAdmin(database)
  reseller = await buildReseller(database, { parent: admin })
  manager = await buildManager(database, { parent: reseller })
  user = await buildUser(database, { parent: manager })
  await addConversationRate(database, reseller, { message: 500, conversation: price.reseller })
  await addConversationRate(database, manager, { message: 1000, conversation: price.sender })
  senderId = await buildConversational(database, manager)
  ids = await sendCampaign(opened, { owner: user, senderId, total: 40 })
  receive = receiverOf(database, manager, senderId)
})

beforeEach(() => void (seq += 1))
afterEach(async () => expect(await asSystem(opened.database, checkInvariants)).toEqual([]))
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})

const balanceOf = async ({ organizationId, id: accountId }: Account) =>
  (await asSystem(opened.database, (db) => getBalance(db, { organizationId, accountId }))).posted

const start = Math.floor(Date.now() / 1000) * 1000
const at = (hours: number) => new Date(start + hours * hour)
const idOf = (person: number) => ids[person] ?? ''
const delivered = (hours: number, person = seq) => reportOf(idOf(person), at(hours))
const reply = (hours: number, more: object = {}) => replyOf(seq, at(hours), more)

/** What the work cost each account. */
async function costOf(
  work: () => Promise<unknown>,
): Promise<{ sender: number; reseller: number; conversations: number }> {
  const before = { sender: await balanceOf(manager), reseller: await balanceOf(reseller) }
  await work()
  return {
    sender: before.sender - (await balanceOf(manager)),
    reseller: before.reseller - (await balanceOf(reseller)),
    conversations: (await begunWith(opened.database, senderId, seq)).length,
  }
}

const one = { sender: price.sender, reseller: price.reseller - price.sender, conversations: 1 }
const none = { sender: 0, reseller: 0, conversations: 0 }

test('the first reply within a day after a delivery is charged, to the sender and up the tree', async () => {
  expect(await costOf(() => receive(delivered(-30)))).toEqual(none)
  expect(await costOf(() => receive(reply(-20)))).toEqual(one)
  expect(await costOf(() => receive(reply(-10), reply(-9)))).toEqual({ ...none, conversations: 1 })
  expect(await begunWith(opened.database, senderId, seq)).toEqual([at(-20)])
})

test('a message delivered within a day after a reply opens it', async () => {
  expect(await costOf(() => receive(reply(-20)))).toEqual(none)
  expect(await costOf(() => receive(delivered(-4)))).toEqual(one)
  expect(await begunWith(opened.database, senderId, seq)).toEqual([at(-4)])
})

test('a delivery reported after the reply to it is charged as if it had been known', async () => {
  await receive(reply(-20))
  expect(await costOf(() => receive(delivered(-21), delivered(-21), reply(-20)))).toEqual(one)
  expect(await costOf(() => receive(delivered(-21), reply(-20)))).toEqual({ ...none, conversations: 1 })
  expect(await begunWith(opened.database, senderId, seq)).toEqual([at(-20)])
})

test('nothing is charged a day apart, for a tap on a link, or without a delivery', async () => {
  await receive(delivered(-48))
  expect(await costOf(() => receive(reply(-24), reply(-72)))).toEqual(none)
  expect(await costOf(() => receive(reply(-40, { isAction: true })))).toEqual(none)
  expect(await costOf(() => receive(replyOf(seq + 100_000, at(-1))))).toEqual(none)
})

test('the database refuses a second conversation before the first is a day old', async () => {
  await receive(delivered(-50), reply(-49))
  expect(await costOf(() => receive(reply(-26)))).toEqual({ ...none, conversations: 1 })
  const next = (after: string) =>
    opened.database.systemPool.query(
      `insert into charged_conversations
      select organization_id, sender_id, phone, began_at + $3::interval, charge_id, account_id, country
      from charged_conversations where sender_id = $1 and phone = $2`,
      [senderId, phoneOf(seq), after],
    )
  await expect(next('23:59:59.999')).rejects.toThrow('exclusion constraint')
  await next('24:00:00')
})

test('other senders and other people have conversations of their own; most senders charge none', async () => {
  await receive(delivered(-3), delivered(-3, seq + 1), reply(-2))
  expect(await costOf(() => receive(replyOf(seq + 1, at(-2))))).toMatchObject({ sender: price.sender })
  const other = await buildConversational(opened.database, manager)
  const otherIds = await sendCampaign(opened, { owner: user, senderId: other, total: 40 })
  const receiveOther = receiverOf(opened.database, manager, other)
  await receiveOther(reportOf(otherIds[seq] ?? '', at(-2)))
  expect(await costOf(() => receiveOther(reply(-1)))).toMatchObject({ sender: price.sender })

  await opened.database.systemPool.query(`update senders set conversation_category = null where id = $1`, [other])
  await receiveOther(reportOf(otherIds[seq + 1] ?? '', at(-2)))
  expect(await costOf(() => receiveOther(replyOf(seq + 1, at(-1))))).toMatchObject({ sender: 0 })
  seq += 1
})

test('a reply and a delivery that are stored at the same time are found by housekeeping', async () => {
  const { systemPool } = opened.database
  const client = await systemPool.connect()
  await client.query('begin')
  const reports = [
    { kind: 'delivery-report' as const, providerMessageIds: [idOf(seq)], status: 'delivered' as const, at: at(-2) },
  ]
  await applyReports(client, { organizationId: manager.organizationId, senderId }, { reports, park: true })
  await receive(reply(-1))
  await recheckReplies(systemPool)
  await client.query('commit')
  client.release()
  expect(await begunWith(opened.database, senderId, seq)).toEqual([])
  await until(async () => {
    await recheckReplies(systemPool)
    return (await begunWith(opened.database, senderId, seq)).length === 1
  }, 'the comparison')
})

test('the same events in two processes at the same time are charged once', async () => {
  const events = [delivered(-3), reply(-2), reply(-2.5), reply(-1)]
  expect(
    await costOf(async () => {
      await Promise.all([receive(...events), receive(...events.toReversed()), ...events.map((event) => receive(event))])
      await until(async () => {
        await recheckReplies(opened.database.systemPool)
        return (await begunWith(opened.database, senderId, seq)).length > 0
      }, 'the comparison')
    }),
  ).toEqual(one)
})

test('a delivery without a change of status is found before the reply expires', async () => {
  const { systemPool } = opened.database
  await receive(reply(-60))
  await receive(reportOf(idOf(seq), at(-30), 'read'))
  await receive(delivered(-61))
  expect(await begunWith(opened.database, senderId, seq)).toEqual([])
  await systemPool.query(`update waiting_replies set created_at = now() - interval '9 days' where phone = $1`, [
    phoneOf(seq),
  ])
  expect(await costOf(() => recheckReplies(systemPool))).toEqual(one)
  const { rowCount } = await systemPool.query('select from waiting_replies where phone = $1', [phoneOf(seq)])
  expect(rowCount).toBe(0)
})

test('what is late by more than a week is not charged, and charged conversations are forgotten after a month', async () => {
  const { systemPool } = opened.database
  await receive(delivered(-300))
  expect(await costOf(() => receive(reply(-290)))).toEqual(none)
  await receive(reply(-299), delivered(-2))
  await systemPool.query(
    `update charged_conversations set began_at = began_at - interval '31 days' where sender_id = $1`,
    [senderId],
  )
  await forgetConversations(systemPool)
  expect(await systemPool.query('select from charged_conversations where sender_id = $1', [senderId])).toMatchObject({
    rowCount: 0,
  })
})

test('what the balance lacks is a loss; it is never below zero, and what is on hold is kept', async () => {
  const poor = await buildManager(opened.database, { parent: reseller })
  await addConversationRate(opened.database, poor, { message: 0, conversation: price.sender })
  const own = await buildConversational(opened.database, poor)
  const [first = '', second = ''] = await sendCampaign(opened, { owner: poor, senderId: own, total: 2, price: 1 })
  const { organizationId } = poor
  const { available } = await asSystem(opened.database, (db) => getBalance(db, { organizationId }))
  await asSystem(opened.database, (db) =>
    placeHold(db, { organizationId, accountId: poor.id, amount: available, opKey: 'other' }),
  )
  await issueTo(opened.database, { admin, account: poor, units: price.sender + 500 })
  const receiveOwn = receiverOf(opened.database, poor, own)
  await receiveOwn(reportOf(first, at(-1)), reportOf(second, at(-1)), replyOf(0, at(0)), replyOf(1, at(0)))
  expect(await balanceOf(poor)).toBe(available)
  const { rows } = await opened.database.systemPool.query(
    `select sum(posted)::int as loss from ledger_accounts where organization_id = $1 and kind = 'loss'`,
    [organizationId],
  )
  expect(rows).toEqual([{ loss: 500 - price.sender }])
})

test('the account that sent the message pays, from its own balance if it has one', async () => {
  const owner = await buildUser(opened.database, { parent: manager })
  await asSystem(opened.database, (db) => openOwnBalance(db, owner))
  await issueTo(opened.database, { admin, account: owner, units: 20_000 })
  const own = await sendCampaign(opened, { owner, senderId, total: 40, price: 0 })
  const before = await balanceOf(owner)
  expect(await costOf(() => receive(reportOf(own[seq] ?? '', at(-2)), reply(-1)))).toMatchObject({
    sender: 0,
    conversations: 1,
  })
  expect(before - (await balanceOf(owner))).toBe(price.sender)
})

test('a delivered answer to a person who wrote first opens a conversation', async () => {
  const { organizationId, id: accountId, path } = user
  await receive(reply(-1))
  const { messageId } = await inScope(opened.database, { organizationId, path, descends: false }, (db) =>
    sendSingle(db, {
      channel: 'sms',
      organizationId,
      accountId,
      path,
      senderId,
      kind: 'reply',
      phoneNumber: `+${phoneOf(seq)}`,
      header: 'ACMEIN',
      text: 'We are open until nine',
      category: 'transactional',
    }),
  )
  const sender = await startTestSender(opened, { provider: fakeProvider() })
  const idOfSingle = async () => {
    const { rows } = await opened.database.systemPool.query<{ id: string }>(
      'select provider_message_id as id from messages where campaign_id = $1',
      [messageId],
    )
    return rows[0]?.id
  }
  await until(async () => (await idOfSingle()) !== undefined, 'the answer')
  await sender.stop()
  const answer = reportOf((await idOfSingle()) ?? '', at(0))
  expect(await costOf(() => receive(answer, answer))).toEqual(one)
})

test('conversations count as spent on their day, beside the campaigns, and in no campaign', async () => {
  const { systemPool } = opened.database
  const spent = async () => {
    await foldCounters(systemPool)
    const { rows } = await systemPool.query<{ days: number; campaigns: number }>(
      `select (select sum(cost) from daily_counters where organization_id = $1)::int as days,
        (select sum(cost) from counters where organization_id = $1)::int as campaigns`,
      [manager.organizationId],
    )
    return rows[0] ?? { days: 0, campaigns: 0 }
  }
  const before = await spent()
  await receive(delivered(-2), reply(-1))
  expect(await spent()).toEqual({ days: before.days + price.sender, campaigns: before.campaigns })
})

test('each organisation sees its own conversations only', async () => {
  const stranger = await buildManager(opened.database, { parent: reseller })
  const seen = ({ organizationId, path }: Account) =>
    inScope(opened.database, { organizationId, path, descends: false }, (db) =>
      db.selectFrom('conversation_charges').selectAll().execute(),
    )
  expect((await seen(manager)).length).toBeGreaterThan(0)
  expect(await seen(stranger)).toEqual([])
})

test('invoices count conversations by their price, on every level', async () => {
  const { database } = opened
  const above = await buildReseller(database, { parent: admin })
  const shop = await buildManager(database, { parent: above })
  await addConversationRate(database, above, { message: 0, conversation: price.reseller })
  await addConversationRate(database, shop, { message: 0, conversation: price.sender })
  const own = await buildConversational(database, shop)
  const sent = await sendCampaign(opened, { owner: shop, senderId: own, total: 3, price: 0 })
  await issueTo(database, { admin, account: shop, units: 100_000 })
  const receiveOwn = receiverOf(database, shop, own)
  for (const [person, id] of sent.entries()) await receiveOwn(reportOf(id, at(-2)), replyOf(person, at(-1)))
  const organizations = [shop.organizationId, above.organizationId]
  const month = monthBefore(new Date())
  await database.ownerPool.query(
    `update ledger_entries set at = $2::date + interval '9 days' where organization_id = any($1::uuid[]) and kind <> 'transfer_in'`,
    [organizations, month],
  )
  await issueInvoices(database, month)
  const { rows } = await database.ownerPool.query<{ lines: { description: string; units: number; amount: number }[] }>(
    'select lines from invoices where organization_id = any($1::uuid[]) order by array_position($1, organization_id)',
    [organizations],
  )
  const { rows: names } = await database.ownerPool.query<{ name: string }>('select name from accounts where id = $1', [
    shop.id,
  ])
  expect(rows.map(({ lines }) => lines.map(({ description, units, amount }) => [description, units, amount]))).toEqual([
    [['SMS conversation, IN', 3, 3 * price.sender]],
    [[`SMS conversation, IN · ${names[0]?.name}`, 3, 3 * price.reseller]],
  ])
})
