import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem, inScope } from '../../../db/pool.ts'
import { PublishedEvent, type PublishedType } from '../../../events/domain-events.ts'
import { subscribe } from '../../../events/event-queue.ts'
import { newId } from '../../../lib/ids.ts'
import { buildAdmin, buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { issueTo } from '../../../testing/money.ts'
import { notifyLowBalances } from '../../balance/low-balance.ts'
import { buildLine, chatOf, receive, type Line } from '../test-inbox.ts'

let opened: TestDatabase
let manager: Account
let line: Line

beforeAll(async () => {
  opened = await testDatabase()
  manager = await buildManager(opened.database)
  line = await buildLine(opened.database, manager, 'sms')
})
afterAll(() => opened.drop())
beforeEach(() => opened.database.ownerPool.query('truncate event_queue, event_subscriptions'))

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

const want = (...types: PublishedType[]) =>
  asSystem(opened.database, (db) =>
    subscribe(db, { organizationId: manager.organizationId, subscriber: 'webhooks', target: newId(), types }),
  )

/** What was queued since the test began, in its order; each event has the shape that its consumers parse. */
async function published() {
  const rows = await query<{ type: string; subjectIds: string[]; payload: object }>(
    'select organization_id as "organizationId", type, subject_ids as "subjectIds", payload from event_queue order by id',
  )
  return rows
    .map((row) => PublishedEvent.parse(row))
    .map(({ type, subjectIds, payload }) => ({ type, subjectIds, payload }))
}

const asTenant = (text: string, values: unknown[]) =>
  inScope(opened.database, { organizationId: manager.organizationId, path: manager.path, descends: false }, (db) =>
    db.executeQuery(CompiledQuery.raw(text, values)),
  )

test('a message, the conversation that it opens, and the next message that opens none', async () => {
  await want('message.received', 'conversation.opened')
  const chatId = chatOf(line, '919812311111')
  const [first] = await receive(opened.database, line, { from: '919812311111' })
  const [second] = await receive(opened.database, line, { from: '919812311111' })
  expect(await published()).toEqual([
    { type: 'message.received', subjectIds: [first], payload: { senderId: line.senderId } },
    { type: 'conversation.opened', subjectIds: [chatId], payload: {} },
    { type: 'message.received', subjectIds: [second], payload: { senderId: line.senderId } },
  ])
  await query(`update conversations set status = 'resolved', resolved_at = now() where id = $1`, [chatId])
  await receive(opened.database, line, { from: '919812311111' })
  expect((await published()).filter(({ type }) => type === 'conversation.opened')).toHaveLength(2)
})

test('what the thread of a conversation shows', async () => {
  await want('conversation.noted')
  const chatId = chatOf(line, '919812322222')
  await receive(opened.database, line, { from: '919812322222' })
  const id = newId()
  await asTenant(
    `insert into conversation_events (organization_id, conversation_id, id, kind, details) values ($1, $2, $3, 'resolved', '{"a": 1}')`,
    [manager.organizationId, chatId, id],
  )
  expect(await published()).toEqual([
    {
      type: 'conversation.noted',
      subjectIds: [chatId],
      payload: { kind: 'resolved', itemId: id, details: { a: 1 } },
    },
  ])
})

test('an opt-out by reply, and the opt-in after it', async () => {
  await want('person.opted_out', 'person.opted_in')
  await receive(opened.database, line, { from: '919812333333', text: 'STOP' })
  await receive(opened.database, line, { from: '919812333333', text: 'START' })
  const events = await published()
  expect(events.map(({ type }) => type)).toEqual(['person.opted_out', 'person.opted_in'])
  expect(events[0]?.payload).toEqual({
    phone: 919812333333,
    channel: 'sms',
    keyword: 'STOP',
    source: 'reply',
    marketingOnly: false,
  })
  expect(events[0]?.subjectIds).toEqual(events[1]?.subjectIds)
})

test('senders and their connections, when something about them changed', async () => {
  await want('sender.changed', 'connection.changed')
  await query(`update senders set name = 'Other name' where id = $1`, [line.senderId])
  expect(await published()).toEqual([])
  await query(`update senders set is_active = false where id = $1`, [line.senderId])
  await query(
    `update provider_accounts set failure = '{"code": "auth"}' where id = (select provider_account_id from senders where id = $1)`,
    [line.senderId],
  )
  await query(`update provider_accounts set failure = null where organization_id = $1`, [manager.organizationId])
  expect(
    (await published()).map(({ type, payload }) => [type, Object(payload).isActive ?? Object(payload).isConnected]),
  ).toEqual([
    ['sender.changed', false],
    ['connection.changed', false],
    ['connection.changed', true],
  ])
})

test('a balance that falls below the threshold, once', async () => {
  await want('balance.low')
  const admin = await buildAdmin(opened.database)
  await issueTo(opened.database, { admin, account: manager, units: 20_000_000 })
  await notifyLowBalances(opened.database.systemPool)
  await opened.database.ownerPool.query(
    `update ledger_accounts set held = 15000000 where account_id = $1 and kind = 'balance'`,
    [manager.id],
  )
  await notifyLowBalances(opened.database.systemPool)
  await notifyLowBalances(opened.database.systemPool)
  expect(await published()).toEqual([
    { type: 'balance.low', subjectIds: [manager.id], payload: { available: 5_000_000 } },
  ])
})

test('a top-up that is requested', async () => {
  await want('topup.changed')
  const id = newId()
  await query(
    `insert into topup_requests (organization_id, id, account_id, path, answerer_id, amount) values ($1, $2, $3, $4, $3, 50000)`,
    [manager.organizationId, id, manager.id, manager.path],
  )
  expect(await published()).toEqual([
    {
      type: 'topup.changed',
      subjectIds: [id],
      payload: { accountId: manager.id, status: 'pending', amount: 50_000, approved: null },
    },
  ])
})

test('an entry of the history of a template', async () => {
  await want('template.changed')
  const [templateId, id] = [newId(), newId()]
  await query(
    `insert into templates (organization_id, id, channel, name, status, category, language, content, created_by)
    values ($1, $2, 'sms', 'offer', 'approved', 'promotional', 'en', '{}', $3)`,
    [manager.organizationId, templateId, manager.id],
  )
  await query(
    `insert into template_events (organization_id, id, template_id, event, details) values ($1, $2, $3, 'approved', '{}')`,
    [manager.organizationId, id, templateId],
  )
  expect(await published()).toMatchObject([
    { type: 'template.changed', subjectIds: [templateId], payload: { change: 'approved', details: {} } },
  ])
})
