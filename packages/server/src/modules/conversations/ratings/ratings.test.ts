import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InboundMessage } from '../../../channels/provider.ts'
import { newId } from '../../../lib/ids.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { applyProviderEvents } from '../../messages/index.ts'
import { buildSender, phoneOf } from '../../messages/test-lane.ts'
import { openConversations } from '../inbox/open-conversations.ts'
import { readStars } from './record-ratings.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let phone = phoneOf(0)

beforeAll(async () => {
  opened = await testDatabase()
  manager = await buildManager(opened.database)
  senderId = await buildSender(opened.database, manager)
})
beforeEach(() => {
  phone += 1
})
afterAll(() => opened.drop())

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

async function receive(text: string, more: Partial<InboundMessage> = {}): Promise<void> {
  const event = { kind: 'inbound-message', from: String(phone), to: '56161', text, dedupeKey: newId() } as const
  await applyProviderEvents(
    opened.database.systemPool,
    { organizationId: manager.organizationId, senderId, onInbound: openConversations },
    [{ ...event, at: new Date(), raw: text, ...more }],
  )
}

type Row = { id: string; status: string; unread: number }

async function conversation(): Promise<Row> {
  const [row] = await query<Row>('select id, status, unread from conversations where identity = $1', [String(phone)])
  if (!row) throw new Error('There is no conversation')
  return row
}

/** A resolved conversation whose rating was asked for. */
async function ask(agoHours = 0): Promise<string> {
  await receive('Where is my order?')
  const { id } = await conversation()
  await query(`update conversations set status = 'resolved', unread = 0, waiting_since = null where id = $1`, [id])
  await query(
    `insert into ratings (organization_id, id, conversation_id, account_id, asked_at)
     values ($1, $2, $3, $4, now() - $5 * interval '1 hour')`,
    [manager.organizationId, newId(), id, manager.id, agoHours],
  )
  return id
}

const ratings = (id: string) => query('select stars from ratings where conversation_id = $1', [id])

test('a number after the question is the rating, which reopens nothing', async () => {
  const id = await ask()
  await receive('4')
  expect(await ratings(id)).toEqual([{ stars: 4 }])
  expect(await conversation()).toMatchObject({ status: 'resolved', unread: 0 })
  expect(await query('select kind, details from conversation_events where conversation_id = $1', [id])).toEqual([
    { kind: 'rated', details: { stars: '4' } },
  ])
  expect(
    await query(`select account_id, seconds from agent_facts where conversation_id = $1 and kind = 'rating'`, [id]),
  ).toEqual([{ account_id: manager.id, seconds: 4 }])
})

test('a second number is a message like any other', async () => {
  const id = await ask()
  await receive('4')
  await receive('2')
  expect(await ratings(id)).toEqual([{ stars: 4 }])
  expect(await conversation()).toMatchObject({ status: 'open', unread: 1 })
})

test('other words after the question reopen the conversation', async () => {
  const id = await ask()
  await receive('It still has not arrived')
  expect(await ratings(id)).toEqual([{ stars: null }])
  expect(await conversation()).toMatchObject({ status: 'open', unread: 1 })
})

test('a number days after the question is no rating', async () => {
  const id = await ask(73)
  await receive('4')
  expect(await ratings(id)).toEqual([{ stars: null }])
  expect(await conversation()).toMatchObject({ status: 'open' })
})

test('a number without a question is no rating', async () => {
  await receive('4')
  expect(await conversation()).toMatchObject({ status: 'open', unread: 1 })
})

describe('texts', () => {
  test.each([
    ['5', 5],
    [' 1 ', 1],
    ['4 stars', 4],
    ['3 - okay', 3],
    ['5/5', 5],
    ['2.', 2],
    ['⭐⭐⭐⭐', 4],
    ['5 बहुत अच्छा', 5],
  ])('%j is %i stars', (text, stars) => {
    expect(readStars(text)).toBe(stars)
  })

  test.each([
    '6',
    '0',
    '45',
    '5 items are missing from my order, please help',
    'order 4',
    '4:30',
    '',
    '⭐⭐⭐⭐⭐⭐',
    '1, 2 and 3',
  ])('%j is no rating', (text) => {
    expect(readStars(text)).toBeUndefined()
  })
})
