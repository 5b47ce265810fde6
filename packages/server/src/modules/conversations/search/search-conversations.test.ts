import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type CallOptions, type TestServer } from '../../../testing/server.ts'
import { addEvent, buildLine, chatOf, receive, reply, setConversation, type Line } from '../test-inbox.ts'

let server: TestServer
let manager: Account
let user: Account
let foreign: Account
let line: Line
let foreignLine: Line

const [asha, ravi] = ['919811122233', '919844455566']
const lastYear = new Date(Date.now() - 400 * 86_400_000)

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
  user = await buildUser(server.database, { parent: manager })
  foreign = await buildManager(server.database)
  line = await buildLine(server.database, manager)
  foreignLine = await buildLine(server.database, foreign)
  const identity = { id: asha, name: 'Asha Kulkarni', username: 'asha.k' }
  await receive(
    server.database,
    line,
    { from: asha, identity, text: 'Where is my Kurkuma tea?', at: lastYear },
    { from: asha, identity, text: 'Order 4711-8822 please' },
    { from: ravi, text: 'नमस्ते, ऑर्डर कहाँ है' },
  )
  await receive(server.database, foreignLine, { from: asha, identity, text: 'Kurkuma for strangers' })
  const chatId = chatOf(line, asha)
  await reply(server.database, line, { chatId, author: manager, text: 'The kurkuma left Pune' })
  await addEvent(
    server.database,
    { ...line, chatId },
    { kind: 'note', actor: manager, text: 'Likes kurkuma, 100% sure' },
  )
  await addEvent(server.database, { ...line, chatId }, { kind: 'labels_changed', text: 'kurkuma' })
  await setConversation(server.database, chatOf(line, ravi), { assignee_id: manager.id })
})
afterAll(() => server.close())

type Query = Partial<CallOptions<'conversations.search'>['query']>
const search = (q: string, { as = user, ...query }: Query & { as?: Account } = {}) =>
  server.ask('conversations.search', { as, query: { q, ...query } })
const found = async (...given: Parameters<typeof search>) =>
  (await search(...given)).results.map(({ message, conversation }) => message?.text ?? conversation.name)

const notes = ['Likes kurkuma, 100% sure', 'The kurkuma left Pune']

test.each([
  ['a word, newest first, of any year', 'KURKUMA', [...notes, 'Where is my Kurkuma tea?']],
  ['the beginning of a word', 'kurk', [...notes, 'Where is my Kurkuma tea?']],
  ['the middle of a word', 'rkum', [...notes, 'Where is my Kurkuma tea?']],
  ['several words', 'tea kurkuma', ['Where is my Kurkuma tea?']],
  ['a number', '4711-8822', ['Order 4711-8822 please']],
  ['a part of a number', '8822', ['Order 4711-8822 please']],
  ['signs that mean something in patterns', '100%', ['Likes kurkuma, 100% sure']],
  ['only signs', '%_', []],
  ['a short word', 'is', ['Where is my Kurkuma tea?']],
  ['a name', 'kulkarni', ['Asha Kulkarni']],
  ['the middle of a name', 'lkarn', ['Asha Kulkarni']],
  ['a username', 'asha.k', ['Asha Kulkarni']],
  ['the number of a person', '+91 98111 22233', ['Asha Kulkarni']],
  ['a part of the number of a person', '11122', ['Asha Kulkarni']],
  ['nothing', 'zzzz', []],
])('finds %s', async (_, q, expected) => {
  expect(await found(q)).toEqual(expected)
})

test('only a member who may see a conversation finds its messages', async () => {
  expect(await found('ऑर्डर', { as: manager })).toEqual(['नमस्ते, ऑर्डर कहाँ है'])
  expect(await found('ऑर्डर')).toEqual([])
  expect(await found('44455', { as: manager })).toEqual(['+919844455566'])
  expect(await found('44455')).toEqual([])
  expect(await found('kurkuma', { as: foreign })).toEqual(['Kurkuma for strangers'])
})

test('filters by channel and time', async () => {
  expect(await found('kurkuma', { channel: 'sms' })).toEqual([])
  expect(await found('kulkarni', { channel: 'sms' })).toEqual([])
  const since = new Date(lastYear.getTime() + 60_000).toISOString()
  expect(await found('kurkuma', { from: since })).toEqual(notes)
  expect(await found('kurkuma', { to: since })).toEqual(['Where is my Kurkuma tea?'])
})

test.each(['kurkuma', 'rkum', 'ash'])('pages of %s', async (q) => {
  const all = await found(q)
  const texts: string[] = []
  let after: string | undefined
  do {
    const page = await search(q, { limit: 1, after })
    texts.push(...page.results.map(({ message, conversation }) => message?.text ?? conversation.name))
    after = page.next
  } while (after !== undefined)
  expect(texts).toEqual(all)
  expect(await server.callUnchecked('conversations.search', { as: user, query: { q, after: 'x' } })).toMatchObject({
    status: 400,
  })
})

test('a word that most messages have is also found where the member sees few of them', async () => {
  await receive(server.database, line, { from: asha, text: 'crowded once', at: lastYear })
  await server.database.systemPool.query(
    `insert into inbound_messages (organization_id, id, channel, sender_id, phone, sent_to, text, dedupe_key, conversation_id)
    select $1, gen_random_uuid(), 'whatsapp', $2, $3, '', 'crowded', 'crowd ' || n, $4 from generate_series(1, 10100) n`,
    [line.organizationId, line.senderId, ravi, chatOf(line, ravi)],
  )
  expect(await found('crowded')).toEqual(['crowded once'])
  expect(await found('rowde')).toEqual(['crowded once'])
  expect(await found('crowded', { as: manager })).toEqual(Array.from({ length: 20 }, () => 'crowded'))
})

test('the tenant’s role searches by the indexes', async () => {
  const client = await server.database.connectAsOwner()
  const plans: string[] = []
  client.on('notice', ({ message = '' }) => plans.push(message))
  await client.query(`insert into inbound_messages (organization_id, id, channel, sender_id, phone, sent_to, text, dedupe_key, conversation_id)
    select organization_id, gen_random_uuid(), channel, sender_id, phone, sent_to, 'filler ' || md5(n::text), 'k' || n, conversation_id
    from inbound_messages cross join generate_series(1, 5000) n where text like 'Order 4711%'`)
  await client.query('analyze inbound_messages')
  await client.query(`load 'auto_explain'; set auto_explain.log_nested_statements = on; set auto_explain.log_min_duration = 0;
    set client_min_messages = log; set role carillon_app`)
  await client.query(`select set_config('app.organization', $1, false), set_config('app.scope', $2, false)`, [
    manager.organizationId,
    manager.path,
  ])
  const planOf = async (target: string, text: string) => {
    plans.length = 0
    const { rows } = await client.query(
      `select * from search_inbox($1, true, '{}', '{}', null, '{}', '{}', $2, $3, array['%' || $3 || '%'], null,
        '-infinity', 'infinity', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 20)`,
      [manager.organizationId, target, text],
    )
    return { rows: rows.length, plan: plans.join('\n') }
  }
  const words = await planOf('words', '4711')
  expect(words).toMatchObject({ rows: 1, plan: expect.stringContaining('inbound_messages_words') })
  const parts = await planOf('parts', '711-8')
  expect(parts).toMatchObject({ rows: 1, plan: expect.stringContaining('inbound_messages_parts') })
  expect(words.plan + parts.plan).not.toContain('Seq Scan on inbound_messages')
  await client.end()
})
