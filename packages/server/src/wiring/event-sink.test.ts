import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { InboundMessage } from '../channels/provider.ts'
import { createLogger } from '../lib/logger.ts'
import { buildSender, phoneOf } from '../modules/messages/test-lane.ts'
import { buildManager, type Account } from '../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { createEventSink, type EventSink } from './event-sink.ts'

let opened: TestDatabase
let managers: Account[]
let lines: { organizationId: string; senderId: string }[]
let sink: EventSink

const logger = createLogger('silent')
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

beforeAll(async () => {
  opened = await testDatabase()
  managers = await Promise.all(Array.from({ length: 8 }, () => buildManager(opened.database)))
  lines = []
  for (const manager of managers) {
    // Two lines each.
    for (let line = 0; line < 2; line += 1) {
      const senderId = await buildSender(opened.database, manager)
      lines.push({ organizationId: manager.organizationId, senderId })
    }
  }
  await opened.database.ownerPool.query(`
    create function refuse_poison() returns trigger language plpgsql as $$ begin raise 'poison'; end $$;
    create trigger refuse_poison before insert on inbound_messages for each row when (new.text = 'poison') execute function refuse_poison()`)
})
beforeEach(async () => {
  sink = createEventSink({ database: opened.database, logger })
  await opened.database.ownerPool.query(
    'truncate inbound_messages, conversations, contact_identities, provider_events, domain_events, poison_events, opt_outs cascade',
  )
})
afterAll(() => opened.drop())

let sequence = 0

function message(from: number, text = 'Where is my order?', more: Partial<InboundMessage> = {}) {
  sequence += 1
  return {
    kind: 'inbound-message' as const,
    from: String(from),
    to: '56161',
    text,
    dedupeKey: `message ${sequence}`,
    at: new Date(),
    raw: text,
    ...more,
  }
}

test('messages that arrive together for many lines are each stored once, in their organisation', async () => {
  await Promise.all(lines.map((line, index) => sink(line, [message(phoneOf(index)), message(phoneOf(index), 'STOP')])))
  const rows = await query(
    `select chat.organization_id, chat.sender_id, chat.identity, chat.unread, chat.last_text,
      (select count(*) from inbound_messages where organization_id = chat.organization_id and conversation_id = chat.id) as messages,
      (select count(*) from contact_identities known where known.organization_id = chat.organization_id and known.identity = chat.identity) as contacts,
      (select count(*) from provider_events event where event.organization_id = chat.organization_id and event.sender_id = chat.sender_id) as raw,
      (select count(*) from domain_events event where event.organization_id = chat.organization_id and event.type = 'message.received'
        and event.payload ->> 'senderId' = chat.sender_id::text) as announced,
      (select count(*) from opt_outs stop where stop.organization_id = chat.organization_id and stop.phone = chat.identity::bigint) as stopped
    from conversations chat order by identity`,
  )
  expect(rows).toEqual(
    lines.map((line, index) => ({
      organization_id: line.organizationId,
      sender_id: line.senderId,
      identity: String(phoneOf(index)),
      unread: 1,
      last_text: 'STOP',
      messages: 2,
      contacts: 1,
      raw: 1,
      announced: 1,
      stopped: 1,
    })),
  )
  // One transaction for each queue, not one for each line.
  const [transactions] = await query<{ count: number }>('select count(distinct xid) from conversations')
  expect(transactions?.count).toBeLessThanOrEqual(4)
})

test('a person who writes to two lines at once has two conversations and one contact', async () => {
  const [first, second] = lines
  if (!first || !second) throw new Error('Two lines are needed')
  await Promise.all([sink(first, [message(phoneOf(1))]), sink(second, [message(phoneOf(1))])])
  expect(await query('select from conversations')).toHaveLength(2)
  expect(await query('select from contact_identities')).toHaveLength(1)
})

test('a message that cannot be stored is set aside for its line, and those of others are stored', async () => {
  const [poisoned] = lines
  await Promise.all(lines.map((line, index) => sink(line, [message(phoneOf(index), index === 0 ? 'poison' : 'Hello')])))
  expect(await query('select sender_id from poison_events')).toEqual([{ sender_id: poisoned?.senderId }])
  expect(await query('select from inbound_messages')).toHaveLength(lines.length - 1)
})

test('two processes that receive the same messages in different orders store each once', async () => {
  const messages = lines.flatMap((line, index) =>
    Array.from({ length: 10 }, (_, number) => ({ line, event: message(phoneOf(index * 10 + number)) })),
  )
  const other = createEventSink({ database: opened.database, logger })
  await Promise.all([
    ...messages.map(({ line, event }) => sink(line, [event])),
    ...messages.toReversed().map(({ line, event }) => other(line, [event])),
  ])
  expect(await query('select sum(unread) as unread, count(*) from conversations')).toEqual([
    { unread: messages.length, count: messages.length },
  ])
  expect(await query('select from inbound_messages')).toHaveLength(messages.length)
})

test('reports, long callbacks and lines whose replies may be charged are applied by line', async () => {
  const [first, second, third] = lines
  if (!first || !second || !third) throw new Error('Three lines are needed')
  const many = Array.from({ length: 21 }, (_, index) => message(phoneOf(index)))
  await Promise.all([
    sink(first, [message(phoneOf(1))]),
    sink({ ...second, chargesReplies: true }, [message(phoneOf(2))]),
    sink(third, many),
  ])
  const [transactions] = await query<{ count: number }>('select count(distinct xid) from conversations')
  expect(transactions?.count).toBe(3)
})
