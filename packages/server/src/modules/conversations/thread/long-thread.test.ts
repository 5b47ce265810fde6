import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { newId } from '../../../lib/ids.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildLine, chatOf, receive, type Line } from '../test-inbox.ts'

let server: TestServer
let user: Account
let line: Line
let chatId: string
/** All items, oldest first. */
let ids: string[]

const from = '919814000001'
const length = 5000

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  const manager = await buildManager(server.database)
  user = await buildUser(server.database, { parent: manager })
  line = await buildLine(server.database, manager)
  chatId = chatOf(line, from)
  await receive(server.database, line, { from, text: 'the last one' })
  await fill(manager)
  const { rows } = await server.database.systemPool.query<{ id: string }>(
    `select id from (
      select id, received_at as at from inbound_messages where conversation_id = $1
      union all select id, created_at from single_sends where conversation_id = $1
      union all select id, at from conversation_events where conversation_id = $1) item
    order by at, id`,
    [chatId],
  )
  ids = rows.map(({ id }) => id)
  expect(ids).toHaveLength(length)
}, 60_000)
afterAll(() => server.close())

/** Messages, replies and notes; several at the same microsecond, so that pages end between them. */
async function fill(manager: Account) {
  const { organizationId, senderId } = line
  const at = `now() - interval '1 hour' - (n / 7) * interval '1 second' - (n % 3) * interval '1 microsecond'`
  const query = (text: string, values: unknown[]) => server.database.ownerPool.query(text, values)
  await query(
    `insert into inbound_messages (organization_id, id, channel, sender_id, phone, sent_to, text, dedupe_key, conversation_id, received_at)
    select $1, gen_random_uuid(), 'whatsapp', $2, $3, '', 'Message ' || n, 'long ' || n, $4, ${at} from generate_series(1, $5::int) n
    where n % 5 < 3`,
    [organizationId, senderId, from, chatId, length - 1],
  )
  await query(
    `insert into single_sends (organization_id, id, created_on, sender_id, account_id, path, kind, phone, header, text, created_at,
      conversation_id, author_id)
    select $1, ($8::uuid[])[n], (${at})::date, $2, $3, $4, 'reply', $5, '', 'Reply ' || n, ${at}, $6, $3 from generate_series(1, $7::int) n
    where n % 5 = 3`,
    [organizationId, senderId, manager.id, manager.path, from, chatId, length - 1, unorderedIds()],
  )
  await query(
    `insert into conversation_events (organization_id, conversation_id, id, kind, actor_id, text, at)
    select $1, $2, gen_random_uuid(), 'note', $3, 'Note ' || n, ${at} from generate_series(1, $4::int) n where n % 5 = 4`,
    [organizationId, chatId, manager.id, length - 1],
  )
}

/** Messages of one instant are not in the order of their ids. */
function unorderedIds(): string[] {
  const random = (id: string) => id.slice(-12)
  return Array.from({ length }, () => newId()).toSorted((one, other) => (random(one) < random(other) ? -1 : 1))
}

const read = (query: { before?: string; after?: string; around?: string; limit?: number }) =>
  server.ask('conversations.thread', { as: user, path: { id: chatId }, query })

async function readOlder(limit: number, before?: string): Promise<string[]> {
  const found: string[] = []
  let place = before
  do {
    const page = await read({ limit, ...(place === undefined ? {} : { before: place }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    found.unshift(...page.items.map(({ id }) => id))
    place = page.before
  } while (place !== undefined)
  return found
}

async function readNewer(limit: number, after: string | undefined): Promise<string[]> {
  const found: string[] = []
  let place = after
  while (place !== undefined) {
    const page = await read({ limit, after: place })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    found.push(...page.items.map(({ id }) => id))
    place = page.after
  }
  return found
}

test.each([100, 37])('all items are read once from the newest to the oldest and back, %i a page', async (limit) => {
  expect(await readOlder(limit)).toEqual(ids)
  const around = await read({ around: ids[0] ?? '', limit: 2 })
  const first = around.items.map(({ id }) => id)
  expect(first).toEqual(ids.slice(0, first.length))
  expect([...first, ...(await readNewer(limit, around.after))]).toEqual(ids)
})

test('from an item in the middle, both directions are complete', async () => {
  const middle = ids[2500] ?? ''
  const { items, before, after } = await read({ around: middle, limit: 50 })
  const shown = items.map(({ id }) => id)
  expect(shown).toContain(middle)
  expect([...(await readOlder(100, before)), ...shown, ...(await readNewer(100, after))]).toEqual(ids)
})

test('messages that arrive meanwhile do not move the pages', async () => {
  const newest = await read({ limit: 50 })
  const [id = ''] = await receive(server.database, line, { from, text: 'Are you there?' })
  const rest = await readOlder(100, newest.before)
  expect([...rest, ...newest.items.map((item) => item.id)]).toEqual(ids)
  expect((await read({ limit: 1 })).items).toMatchObject([{ id }])
})
