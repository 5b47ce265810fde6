import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildLine, chatOf, receive, reply, type Line } from '../test-inbox.ts'

/** A conversation whose messages of members are on more days than one statement reads. */
let server: TestServer
let user: Account
let line: Line
let chatId: string
/** All items, oldest first. */
let ids: string[]
let askedId: string

const from = '919814000002'
const dayMs = 86_400_000
const daysAgo = (days: number, ms = 0) => new Date(Date.now() - days * dayMs + ms)

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  const author = await buildManager(server.database)
  user = await buildUser(server.database, { parent: author })
  line = await buildLine(server.database, author)
  chatId = chatOf(line, from)
  const [asked = ''] = await receive(server.database, line, {
    from,
    text: 'Is the turmeric organic?',
    dedupeKey: 'asked',
    at: daysAgo(120),
  })
  askedId = asked
  await receive(server.database, line, { from, text: 'And the pepper?', at: daysAgo(61) }, { from, text: 'Thanks' })
  for (let days = 119; days > 0; days -= 2)
    await reply(server.database, line, { chatId, author, text: `Offer of day ${days}`, at: daysAgo(days) })
  for (let index = 0; index < 20; index += 1)
    await reply(server.database, line, { chatId, author, text: `Point ${index}`, at: daysAgo(90, index * 1000) })
  await reply(server.database, line, {
    chatId,
    author,
    text: 'It is, from Sangli',
    inReplyTo: 'asked',
    providerMessageId: 'answered',
    status: 'read',
    at: daysAgo(100, 500),
  })
  // Long after the message that it is about.
  const content = { type: 'reaction', reaction: { emoji: '🌿' } }
  await reply(server.database, line, { chatId, author, content, inReplyTo: 'asked', at: daysAgo(2, 500) })
  await receive(server.database, line, { from, text: 'You said so', inReplyTo: 'answered' })
  const { rows } = await server.database.systemPool.query<{ id: string }>(
    `select id from (
      select id, received_at as at from inbound_messages where conversation_id = $1
      union all select id, created_at from single_sends where conversation_id = $1 and content is null) item
    order by at, id`,
    [chatId],
  )
  ids = rows.map(({ id }) => id)
}, 60_000)
afterAll(() => server.close())

type Query = { before?: string; after?: string; around?: string; limit?: number }
const read = (query: Query) => server.ask('conversations.thread', { as: user, path: { id: chatId }, query })

async function readAll(direction: 'before' | 'after', start: Query): Promise<string[]> {
  const pages: string[][] = []
  let place: Query | undefined = start
  while (place) {
    const page = await read(place)
    pages.push(page.items.map(({ id }) => id))
    const next = page[direction]
    place = next === undefined ? undefined : { limit: start.limit ?? 50, [direction]: next }
  }
  return (direction === 'before' ? pages.toReversed() : pages).flat()
}

test.each([100, 7])('all items are read in both directions, %i a page', async (limit) => {
  expect(await readAll('before', { limit })).toEqual(ids)
  const first = await read({ around: ids[0] ?? '', limit: 2 })
  const shown = first.items.map(({ id }) => id)
  expect([...shown, ...(await readAll('after', { limit, after: first.after ?? '' }))]).toEqual(ids)
})

test('around an old item, both directions are complete', async () => {
  const middle = ids[Math.floor(ids.length / 3)] ?? ''
  const { items, before = '', after = '' } = await read({ around: middle, limit: 9 })
  const shown = items.map(({ id }) => id)
  expect(shown).toContain(middle)
  expect([
    ...(await readAll('before', { limit: 9, before })),
    ...shown,
    ...(await readAll('after', { limit: 9, after })),
  ]).toEqual(ids)
})

test('a reaction is shown on a message of months before, and a quote with the message that it quotes', async () => {
  const { items } = await read({ around: askedId, limit: 2 })
  expect(items.find(({ id }) => id === askedId)).toMatchObject({ reactions: [{ emoji: '🌿', by: 'member' }] })
  const newest = await read({ limit: 1 })
  expect(newest.items).toMatchObject([{ body: { text: 'You said so' }, inReplyTo: { text: 'It is, from Sangli' } }])
})

test('what is new since a snapshot is read from the newest days', async () => {
  const { cursor } = await read({ limit: 1 })
  const since = (given: string) =>
    server.ask('conversations.threadChanges', { as: user, path: { id: chatId }, query: { since: given } })
  expect(await since(cursor)).toMatchObject({ items: [], isStale: false })
  const { rows } = await server.database.systemPool.query<{ author: string }>(
    'select author_id as author from single_sends where conversation_id = $1 limit 1',
    [chatId],
  )
  const author = { ...user, id: rows[0]?.author ?? '' }
  const id = await reply(server.database, line, { chatId, author, text: 'Just now' })
  ids.push(id)
  expect(await since(cursor)).toMatchObject({ items: [{ id }], isStale: false })
})

const find = async (q: string, more: object = {}) =>
  (await server.ask('conversations.search', { as: user, query: { q, limit: 50, ...more } })).results.map(
    ({ message }) => message?.text,
  )

test('messages of all days are found', async () => {
  expect(await find('offer')).toHaveLength(50)
  expect(await find('119')).toEqual(['Offer of day 119'])
  expect(await find('angli')).toEqual(['It is, from Sangli'])
  expect(await find('offer', { to: daysAgo(116.5).toISOString() })).toEqual(['Offer of day 117', 'Offer of day 119'])
  expect(await find('sangli', { from: daysAgo(50).toISOString() })).toEqual([])
})

test('days that are not retained are gone from the thread, the search and the database', async () => {
  await server.database.systemPool.query('select drop_partitions(60)')
  const kept = await readAll('before', { limit: 20 })
  expect(kept).toEqual(ids.filter((id) => kept.includes(id)))
  const { rows } = await server.database.ownerPool.query<{ texts: string[] }>(
    `select array_agg(text order by created_at) filter (where text like 'Offer%') as texts from single_sends`,
  )
  expect(rows[0]?.texts).toEqual(Array.from({ length: 30 }, (_, index) => `Offer of day ${59 - 2 * index}`))
  expect(kept).toHaveLength(4 + 30 + 1)
  expect(await find('sangli')).toEqual([])
})
