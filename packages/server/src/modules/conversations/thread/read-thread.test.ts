import type { ThreadItem } from '@carillon/contract/conversation-records'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { addEvent, buildLine, chatOf, receive, reply, setConversation, type Line, type Written } from '../test-inbox.ts'

let server: TestServer
let manager: Account
let user: Account
let line: Line
let count = 0
let from: string
let chatId: string

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
  user = await buildUser(server.database, { parent: manager })
  line = await buildLine(server.database, manager)
})
beforeEach(() => {
  count += 1
  from = `91980010${String(count).padStart(4, '0')}`
  chatId = chatOf(line, from)
})
afterAll(() => server.close())

const query = (text: string, values: unknown[]) => server.database.systemPool.query(text, values)
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 3, 8, 0, seconds))
const write = (...messages: Omit<Written, 'from'>[]) =>
  receive(server.database, line, ...messages.map((message) => ({ from, ...message })))
const send = (sent: Partial<Parameters<typeof reply>[2]> = {}) =>
  reply(server.database, line, { chatId, author: manager, ...sent })
const thread = (options: object = {}, as = user) =>
  server.ask('conversations.thread', { as, path: { id: chatId }, query: options })
const changes = (since: string) =>
  server.ask('conversations.threadChanges', { as: user, path: { id: chatId }, query: { since } })
const textOf = (item: ThreadItem) => ('body' in item ? item.body.text : item.kind === 'note' ? item.text : item.event)
const texts = (items: readonly ThreadItem[]) => items.map(textOf)

/** All pages from the newest on, oldest item first. */
async function readAll(limit: number): Promise<ThreadItem[]> {
  const items: ThreadItem[] = []
  let before: string | undefined
  do {
    const page = await thread({ limit, before })
    items.unshift(...page.items)
    before = page.before
  } while (before !== undefined)
  return items
}

describe('the order of a thread', () => {
  test.each([1, 2, 3, 50])('messages, notes and events are merged, %i a page', async (limit) => {
    const tied = at(5)
    await write({ text: 'one', at: at(1) }, { text: 'four', at: at(4) })
    // Stored later than the newer ones.
    await write({ text: 'late', at: at(2) })
    await send({ text: 'three', at: at(3), author: user })
    await addEvent(server.database, { ...line, chatId }, { kind: 'note', text: 'note', actor: manager, at: at(6) })
    await addEvent(server.database, { ...line, chatId }, { kind: 'assigned', details: { to: 'Asha', n: 1 }, at: at(7) })
    await addEvent(server.database, { ...line, chatId }, { kind: 'newer than this program', at: at(8) })
    const tiedIds = [
      ...(await write({ text: 'tied', at: tied }, { text: 'tied', at: tied })),
      await send({ text: 'tied', at: tied }),
    ]
    const items = await readAll(limit)
    expect(texts(items)).toEqual(['one', 'late', 'three', 'four', 'tied', 'tied', 'tied', 'note', 'assigned'])
    expect(items.slice(4, 7).map(({ id }) => id)).toEqual(tiedIds.toSorted())
  })

  test('pages in both directions from a message in the middle', async () => {
    const ids = await write(...Array.from({ length: 30 }, (_, index) => ({ text: String(index), at: at(index) })))
    const page = await thread({ around: ids[15], limit: 6 })
    expect(texts(page.items)).toEqual(['12', '13', '14', '15', '16', '17'])
    const newer = await thread({ after: page.after, limit: 6 })
    expect(texts(newer.items)).toEqual(['18', '19', '20', '21', '22', '23'])
    const newest = await thread({ after: newer.after, limit: 6 })
    expect([texts(newest.items).at(-1), newest.after]).toEqual(['29', undefined])
    const older = await thread({ before: page.before, limit: 20 })
    expect([texts(older.items)[0], texts(older.items).at(-1), older.before]).toEqual(['0', '11', undefined])
    expect(texts((await thread({ after: older.after, limit: 1 })).items)).toEqual(['12'])
  })

  test('an item of another conversation, or an odd position, is refused', async () => {
    await write({ text: 'one' })
    const [other] = await receive(server.database, line, { from: '919801999999' })
    const call = (options: object) =>
      server.callUnchecked('conversations.thread', { as: user, path: { id: chatId }, query: options as {} })
    expect(await call({ around: other })).toMatchObject({ status: 404 })
    expect(await call({ around: newId() })).toMatchObject({ status: 404 })
    for (const odd of ['', 'x', '1.2', "1.' or true", '99999999999999999999.00000000-0000-0000-0000-000000000000'])
      expect(await call({ before: odd })).toMatchObject({ status: 400 })
  })
})

describe('what refers to another message', () => {
  const tap = (text: string, inReplyTo?: string): Omit<Written, 'from'> => ({
    text,
    content: { type: 'button', button: { text } },
    ...(inReplyTo && { inReplyTo }),
  })
  const react = (emoji: string | undefined, inReplyTo: string, seconds: number): Omit<Written, 'from'> => ({
    text: emoji ?? '',
    content: { type: 'reaction', reaction: { message_id: inReplyTo, emoji } },
    inReplyTo,
    at: at(seconds),
  })

  test('reactions are shown on their message, the last of each side', async () => {
    await write({ text: 'one', dedupeKey: `${from} 1`, at: at(1) })
    await send({ text: 'two', status: 'read', providerMessageId: `${from} 2`, at: at(2) })
    await write(
      react('👍', `${from} 2`, 3),
      react('❤️', `${from} 2`, 4),
      react('😀', `${from} 1`, 5),
      react(undefined, `${from} 1`, 6),
    )
    await send({ content: { type: 'reaction', reaction: { emoji: '🎉' } }, inReplyTo: `${from} 1`, at: at(7) })
    for (const limit of [1, 50]) {
      const items = await readAll(limit)
      expect(items).toMatchObject([
        { body: { text: 'one' }, reactions: [{ emoji: '🎉', by: 'member' }] },
        { body: { text: 'two' }, reactions: [{ emoji: '❤️', by: 'person' }] },
      ])
      expect(items).toHaveLength(2)
    }
  })

  test('a reaction to what we do not have is an item', async () => {
    await write(react('👍', 'nothing we have', 1))
    expect((await thread()).items).toMatchObject([{ kind: 'inbound', body: { type: 'reaction', reaction: '👍' } }])
  })

  test('a message that was replied to is quoted, also from an older page', async () => {
    const [first] = await write({ text: 'x'.repeat(300), dedupeKey: `${from} 1`, at: at(1) })
    const sent = await send({
      text: 'two',
      status: 'sent',
      providerMessageId: `${from} 2`,
      at: at(2),
      inReplyTo: `${from} 1`,
    })
    await write({ text: 'three', inReplyTo: `${from} 2`, at: at(3) }, { text: 'four', inReplyTo: 'unknown', at: at(4) })
    for (const limit of [1, 50])
      expect(await readAll(limit)).toMatchObject([
        { id: first },
        { inReplyTo: { id: first, by: 'person', text: 'x'.repeat(200), type: 'text' } },
        { inReplyTo: { id: sent, by: 'member', text: 'two', type: 'text' } },
        { body: { text: 'four' } },
      ])
  })

  test('tapped buttons are marked, with or without a reference', async () => {
    const action = { buttons: ['Yes', 'No'].map((title) => ({ reply: { title } })) }
    const content = { type: 'interactive', interactive: { type: 'button', body: { text: 'Well?' }, action } }
    await send({ content, text: 'Well?', status: 'read', providerMessageId: `${from} 1`, at: at(1) })
    await send({ content, text: 'Well?', status: 'read', providerMessageId: `${from} 2`, at: at(2) })
    await write({ ...tap('No', `${from} 1`), at: at(3) }, { ...tap('Yes'), at: at(4) })
    expect((await thread()).items).toMatchObject([
      { body: { buttons: [{ text: 'Yes' }, { text: 'No', isTapped: true }] } },
      { body: { buttons: [{ text: 'Yes', isTapped: true }, { text: 'No' }] } },
      { body: { type: 'button_reply', text: 'No' } },
      { body: { type: 'button_reply', text: 'Yes' } },
    ])
  })

  test('an edited message shows its new text, a deleted one nothing', async () => {
    await write(
      { text: 'ten', dedupeKey: `${from} 1`, at: at(1) },
      { text: 'secret', dedupeKey: `${from} 2`, at: at(2) },
    )
    const { cursor } = await thread()
    const edit = { type: 'edit', edit: { message: { type: 'text', text: { body: 'twelve' } } } }
    await write(
      { text: 'twelve', content: edit, inReplyTo: `${from} 1`, at: at(3) },
      { text: '', content: { type: 'revoke' }, inReplyTo: `${from} 2`, at: at(4) },
    )
    const expected = [
      { body: { text: 'twelve', editedAt: at(3).toISOString() } },
      { body: { text: '', deletedAt: at(4).toISOString() } },
    ]
    const { items } = await thread()
    expect(items).toMatchObject(expected)
    expect(items).toHaveLength(2)
    expect((await changes(cursor)).items).toMatchObject(expected)
    const { conversation } = await server.ask('conversations.get', { as: user, path: { id: chatId } })
    expect(conversation.lastMessage).toEqual({
      text: '',
      type: 'text',
      by: 'person',
      at: at(2).toISOString(),
      isDeleted: true,
    })
  })

  test('a page is never empty while there are older messages', async () => {
    await write({ text: 'one', dedupeKey: `${from} 1`, at: at(1) })
    await write(...Array.from({ length: 20 }, (_, index) => react('👍', `${from} 1`, 10 + index)))
    const page = await thread({ limit: 5 })
    expect(texts(page.items)).toEqual(['one'])
  })
})

describe('sent messages', () => {
  test('have author, delivery and advice, and their status is read again by id', async () => {
    const queued = await send({ text: 'queued', at: at(1) })
    const failed = await send({ text: 'failed', status: 'failed', reason: 'opted_out', at: at(2) })
    await write({ text: 'Hi', at: at(3) })
    const { items } = await thread()
    expect(items[0]).toMatchObject({
      kind: 'outbound',
      source: 'reply',
      author: { _id: manager.id, name: `Name of ${manager.username}` },
      delivery: { status: 'queued', parts: 1, cost: 0 },
    })
    expect(items[1]).toMatchObject({ delivery: { status: 'failed', reason: 'opted_out', advice: /.+/ } })
    await query(
      `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, sent_at)
      values ($1, $4::timestamptz::date, $2, 0, 0, $3, 919800000000, 'sent', 1, 100, now())`,
      [line.organizationId, queued, line.senderId, at(1)],
    )
    const read = (ids: string) =>
      server.callUnchecked('conversations.deliveries', { as: user, path: { id: chatId }, query: { ids } })
    expect(await read([queued, failed, items[2]?.id, newId()].join(','))).toMatchObject({
      status: 200,
      body: { data: { items: [{ id: queued, delivery: { status: 'sent' } }, { id: failed }] } },
    })
    expect(await read('nonsense')).toMatchObject({ status: 400 })
    expect(await read(Array.from({ length: 51 }, newId).join(','))).toMatchObject({ status: 400 })
  })
})

describe('media', () => {
  const image = { type: 'image', image: { id: '5', mime_type: 'image/png', caption: 'Look' } }

  test('is shown with its state and file', async () => {
    const [id] = await write({ text: 'Look', content: image })
    const { items, cursor } = await thread()
    expect(items).toMatchObject([
      { body: { type: 'image', text: 'Look', media: { state: 'waiting', mimeType: 'image/png' } } },
    ])
    const fileId = newId()
    await query(
      `insert into files (organization_id, id, purpose, name, mime_type, size_bytes, sha256, storage_key, created_by)
      values ($1, $2, 'inbound', 'image.png', 'image/png', 7, '\\x00', 'key', $1)`,
      [line.organizationId, fileId],
    )
    await query(
      `update inbound_messages set media_state = 'stored', file_id = $2, xid = pg_current_xact_id() where id = $1`,
      [id, fileId],
    )
    expect((await changes(cursor)).items).toMatchObject([
      { id, body: { media: { state: 'stored', fileId, name: 'image.png', sizeBytes: 7 } } },
    ])
    const sent = await send({ content: { ...image, fileId }, text: 'Look' })
    expect((await thread()).items).toMatchObject([{}, { id: sent, body: { media: { state: 'stored', fileId } } }])
  })

  test('that was deleted or never stored is marked as failed', async () => {
    const [id] = await write({ text: '', content: image })
    await query(`update inbound_messages set media_state = 'stored', file_id = $2 where id = $1`, [id, newId()])
    expect((await thread()).items).toMatchObject([{ body: { media: { state: 'failed' } } }])
  })
})

describe('changes since a cursor', () => {
  test('include what a transaction commits after later ones', async () => {
    await write({ text: 'one' })
    const late = await server.database.connectAsOwner()
    await late.query('begin')
    await late.query(`select pg_current_xact_id()`)
    await late.query(
      `insert into conversation_events (organization_id, conversation_id, id, kind, text) values ($1, $2, $3, 'note', 'late')`,
      [line.organizationId, chatId, newId()],
    )
    await write({ text: 'two' })
    const { cursor, items } = await thread()
    expect(texts(items)).toEqual(['one', 'two'])
    await late.query('commit')
    await late.end()
    await write({ text: 'three' })
    const missed = await changes(cursor)
    expect(texts(missed.items)).toEqual(['late', 'three'])
    expect(texts((await changes(missed.cursor)).items)).toEqual([])
  })

  test('are stale from another database, or if there are too many', async () => {
    await write({ text: 'one' })
    const { cursor } = await thread()
    expect(await changes('1:900000000000:')).toMatchObject({ isStale: true, items: [] })
    await write(...Array.from({ length: 501 }, (_, index) => ({ text: String(index) })))
    expect(await changes(cursor)).toMatchObject({ isStale: true, items: [] })
  })

  test.each(['', 'x', '5:1:', '1:5:9', '1:9:4,3', '0:1:', '1:99999999999999999999999:'])(
    '%j is no cursor',
    async (since) => {
      await write({ text: 'one' })
      const call = (name: 'conversations.threadChanges' | 'conversations.changes') =>
        server.callUnchecked(name, { as: user, path: { id: chatId }, query: { since } })
      expect(await call('conversations.threadChanges')).toMatchObject({ status: 400 })
      expect(await call('conversations.changes')).toMatchObject({ status: 400 })
    },
  )

  test('of the list name those that the member no longer sees', async () => {
    await write({ text: 'one' })
    const { cursor } = await server.ask('conversations.list', { as: user })
    const { cursor: managers } = await server.ask('conversations.list', { as: manager })
    await setConversation(server.database, chatId, { assignee_id: manager.id })
    expect(await server.ask('conversations.changes', { as: user, query: { since: cursor } })).toMatchObject({
      conversations: [],
      gone: [chatId],
      isStale: false,
    })
    expect(await server.ask('conversations.changes', { as: manager, query: { since: managers } })).toMatchObject({
      conversations: [{ chatId, assignee: { _id: manager.id } }],
      gone: [],
    })
  })
})

const injections = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `javascript:alert(1)`,
  `'; drop table conversations; --`,
  `{{7*7}} \${7*7} %s %n`,
  `=HYPERLINK("http://evil.example")`,
  `\u202Egnp.exe`,
  `a${'\u0301'.repeat(4000)}`,
  `__proto__`,
  `\\'; select pg_sleep(9); --`,
]

test.each(injections)('%j is data only', async (text) => {
  const content = { type: text, [text]: { [text]: text }, context: text }
  await write(
    { text, identity: { id: from, name: text, username: text } },
    { text, content },
    { text, inReplyTo: text },
  )
  await send({ text, content })
  await addEvent(
    server.database,
    { ...line, chatId },
    { kind: 'note', text, actor: manager, details: { [text]: text } },
  )
  const { items } = await thread()
  expect(texts(items)).toEqual([text, text, text, text, text])
  const { conversation } = await server.ask('conversations.get', { as: user, path: { id: chatId } })
  expect(conversation.name).not.toBe('')
  const found = await server.ask('conversations.search', { as: user, query: { q: text.slice(0, 90) } })
  expect(found.results.length).toBeGreaterThan(0)
})
