import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InboundMessage, ProviderEvent } from '../../../channels/provider.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { applyProviderEvents } from '../../messages/index.ts'
import { buildSender, phoneOf } from '../../messages/test-lane.ts'
import { openConversations } from './open-conversations.ts'

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

let sequence = 0

const inbound = (text: string, more: Partial<InboundMessage> = {}): ProviderEvent => {
  sequence += 1
  const at = new Date(Date.UTC(2026, 10, 20) + sequence * 1000)
  return {
    kind: 'inbound-message',
    from: String(phone),
    to: '56161',
    text,
    dedupeKey: `message ${sequence}`,
    at,
    raw: text,
    ...more,
  }
}

const receive = (...events: ProviderEvent[]) =>
  applyProviderEvents(
    opened.database.systemPool,
    { organizationId: manager.organizationId, senderId, onInbound: openConversations },
    events,
  )

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

type Row = {
  id: string
  status: string
  unread: number
  waiting_since: Date | null
  last_text: string
  last_type: string
  last_at: Date
  resolved_at: Date | null
  revision: number
}

const conversations = () => query<Row>('select * from conversations where identity = $1', [String(phone)])

async function conversation(): Promise<Row> {
  const rows = await conversations()
  expect(rows).toHaveLength(1)
  return rows[0] as Row
}

const change = (assignments: string) => query(`update conversations set ${assignments} where identity = '${phone}'`)

describe('an inbound message', () => {
  test('opens one conversation of the person with the line, which its messages name', async () => {
    const first = inbound('Is it open?')
    await receive(first, inbound('Hello?'))
    expect(await conversation()).toMatchObject({
      status: 'open',
      unread: 2,
      waiting_since: Object(first).at,
      last_text: 'Hello?',
      last_type: 'text',
    })
    const stored = await query<{ conversation_id: string }>(
      'select conversation_id from inbound_messages where phone = $1',
      [phone],
    )
    const { id } = await conversation()
    expect(stored).toEqual([{ conversation_id: id }, { conversation_id: id }])
  })

  test('that arrives twice counts once', async () => {
    const message = inbound('Is it open?')
    await receive(message, message)
    await receive(message)
    expect(await conversation()).toMatchObject({ unread: 1, revision: 0 })
  })

  test('that arrives late changes neither the last text nor its time', async () => {
    const late = inbound('first')
    const last = inbound('second')
    await receive(last)
    await receive(late)
    expect(await conversation()).toMatchObject({
      unread: 2,
      last_text: 'second',
      last_at: Object(last).at,
      waiting_since: Object(late).at,
    })
  })

  test('stands once and leads to the same conversation in whatever order, batches and repeats it arrives', async () => {
    const count = fc.integer({ min: 1, max: 8 })
    const deliveries = count.chain((length) => {
      const all = Array.from({ length }, (_, index) => index)
      const repeats = fc.array(fc.constantFrom(...all), { maxLength: 6 })
      const order = repeats.chain((again) =>
        fc.shuffledSubarray([...all, ...again], { minLength: length + again.length }),
      )
      return fc.record({ length: fc.constant(length), order, cut: fc.integer({ min: 1, max: 4 }) })
    })
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ length, order, cut }) => {
        phone += 1
        const messages = Array.from({ length }, (_, index) => inbound(`Message ${index}`))
        for (let start = 0; start < order.length; start += cut)
          await receive(...order.slice(start, start + cut).flatMap((index) => messages[index] ?? []))
        expect(await conversation()).toMatchObject({
          unread: length,
          status: 'open',
          waiting_since: Object(messages[0]).at,
          last_text: `Message ${length - 1}`,
          last_at: Object(messages.at(-1)).at,
        })
        const stored = await query<{ text: string }>(
          'select text from inbound_messages where phone = $1 order by received_at',
          [phone],
        )
        expect(stored.map(({ text }) => text)).toEqual(messages.map((message) => Object(message).text))
      }),
      { numRuns: 60 },
    )
  })

  test('that was answered before it arrived does not wait', async () => {
    const late = inbound('first')
    const last = inbound('second')
    await receive(last)
    await change(`waiting_since = null, answered_at = '${Object(last).at.toISOString()}'::timestamptz + interval '1 s'`)
    await receive(late)
    expect(await conversation()).toMatchObject({ waiting_since: null, unread: 2 })
  })

  test.each(['resolved', 'snoozed'])('reopens a conversation that is %s', async (status) => {
    await receive(inbound('Is it open?'))
    await change(`status = '${status}', unread = 0, waiting_since = null, resolved_at = now()`)
    await receive(inbound('And tomorrow?'))
    expect(await conversation()).toMatchObject({ status: 'open', unread: 1, resolved_at: null })
  })

  test('is with the bot again if the bot holds a resolved conversation', async () => {
    await receive(inbound('Is it open?'))
    await change(`status = 'resolved', held_by = 'bot'`)
    await receive(inbound('And tomorrow?'))
    expect(await conversation()).toMatchObject({ status: 'pending' })
  })

  test.each([
    ['an opt-out', inboundOf('STOP')],
    ['a reaction', inboundOf('👍', { content: { type: 'reaction', reaction: { emoji: '👍' } } })],
    ['a tap on a link', inboundOf('Open the shop', { isAction: true })],
  ])('that is %s needs no answer', async (_name, build) => {
    await receive(build())
    expect(await conversation()).toMatchObject({ status: 'resolved', unread: 0, waiting_since: null })
    await receive(inbound('Is it open?'))
    await change(`status = 'resolved', unread = 0`)
    await receive(build())
    expect(await conversation()).toMatchObject({ status: 'resolved', unread: 0 })
  })

  test('that was edited or withdrawn is shown so in the list, if it is the last one', async () => {
    const edit = (text: string, inReplyTo: string, more: Partial<InboundMessage> = {}) =>
      inbound(text, {
        inReplyTo,
        content: { type: 'edit', edit: { message: { type: 'text', text: { body: text } } } },
        ...more,
      })
    const withdraw = (inReplyTo: string) => inbound('', { inReplyTo, content: { type: 'revoke' } })
    const [first, last] = [inbound('first'), inbound('last')]
    const [firstKey, lastKey] = [String(Object(first).dedupeKey), String(Object(last).dedupeKey)]
    await receive(first, last)
    const before = await conversation()
    await receive(edit('first edited', firstKey), withdraw(firstKey), withdraw('unknown'))
    expect(await conversation()).toEqual(before)

    const late = edit('edited too early', lastKey, { at: new Date(Date.UTC(2026, 10, 19)) })
    await receive(edit('last edited', lastKey), late)
    expect(await conversation()).toMatchObject({
      last_text: 'last edited',
      last_type: 'text',
      last_at: before.last_at,
      unread: 2,
    })
    expect((await conversation()).revision).toBeGreaterThan(before.revision)
    await receive(edit('edited too late', lastKey, { at: new Date(Date.UTC(2026, 10, 18)) }))
    expect(await conversation()).toMatchObject({ last_text: 'last edited' })

    await receive(withdraw(lastKey))
    await receive(edit('edited after', lastKey))
    expect(await conversation()).toMatchObject({ last_text: '', last_type: 'revoke', unread: 2 })
    await receive(inbound('next'))
    expect(await conversation()).toMatchObject({ last_text: 'next', last_type: 'text' })
    const both = inbound('both')
    await receive(both, edit('both edited', String(Object(both).dedupeKey)))
    expect(await conversation()).toMatchObject({ last_text: 'both edited' })
    await change(`last_by = 'member', last_text = 'Our answer'`)
    await receive(withdraw(String(Object(both).dedupeKey)))
    expect(await conversation()).toMatchObject({ last_text: 'Our answer' })
  })

  test('of a blocked person neither reopens nor counts', async () => {
    await receive(inbound('Buy cheap watches'))
    await change(`status = 'resolved', unread = 0, waiting_since = null, blocked_at = now()`)
    await receive(inbound('Last offer'))
    expect(await conversation()).toMatchObject({
      status: 'resolved',
      unread: 0,
      waiting_since: null,
      last_text: 'Last offer',
    })
  })

  test('cancels replies that were to be sent later, unless they were to be sent anyway', async () => {
    await receive(inbound('Is it open?'))
    const { id } = await conversation()
    await query(
      `insert into scheduled_replies (organization_id, id, conversation_id, author_id, content, send_at, ends_on_answer)
       select $1, gen_random_uuid(), $2, $3, '{}', now() + interval '1 day', ends from unnest(array[true, false]) as ends`,
      [manager.organizationId, id, manager.id],
    )
    await receive(inbound('No need to answer'))
    expect(
      await query('select ends_on_answer, result from scheduled_replies where conversation_id = $1 order by 1', [id]),
    ).toEqual([
      { ends_on_answer: false, result: null },
      { ends_on_answer: true, result: 'answered' },
    ])
  })
})

test('people on several lines have a conversation on each, and one contact', async () => {
  const other = await buildSender(opened.database, manager)
  await receive(inbound('Is it open?'))
  await applyProviderEvents(
    opened.database.systemPool,
    { organizationId: manager.organizationId, senderId: other, onInbound: openConversations },
    [inbound('Hello')],
  )
  expect(await conversations()).toHaveLength(2)
  expect(
    await query('select count(distinct contact_id)::int as contacts from contact_identities where phone = $1', [phone]),
  ).toEqual([{ contacts: 1 }])
})

test('batches of the same people that are stored at the same time lose no message', async () => {
  const people = Array.from({ length: 20 }, () => (phone += 1))
  const batch = (order: number[]) => order.map((person) => inbound('Is it open?', { from: String(person) }))
  await Promise.all([receive(...batch(people)), receive(...batch(people.toReversed())), receive(...batch(people))])
  const rows = await query<{ unread: number }>('select unread from conversations where identity = any($1)', [
    people.map(String),
  ])
  expect(rows).toEqual(people.map(() => ({ unread: 3 })))
})

test('each changed batch records one event that names the conversations', async () => {
  await receive(inbound('Is it open?'))
  await receive(inbound('Hello?'))
  const { id } = await conversation()
  expect(
    await query(
      `select subject_ids from domain_events where type = 'conversation.changed' and subject_ids @> array[$1::uuid]`,
      [id],
    ),
  ).toEqual([{ subject_ids: [id] }, { subject_ids: [id] }])
})

/** Built when the test runs, because the number changes with each test. */
function inboundOf(text: string, more: Partial<InboundMessage> = {}): () => ProviderEvent {
  return () => inbound(text, more)
}
