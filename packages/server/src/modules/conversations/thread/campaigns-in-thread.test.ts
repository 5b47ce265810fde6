import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildCampaign, phoneOf } from '../../messages/test-lane.ts'
import { readItemsOfAll } from './read-items.ts'
import type { Asked } from './rows-by-id.ts'
import type { ThreadKey } from './thread-rows.ts'
import { buildLine, chatOf, receive, reply, type Line } from '../test-inbox.ts'

let server: TestServer
let manager: Account
let user: Account
let line: Line
let chatId: string
const sent: string[] = []

const from = String(phoneOf(1))
const at = (hours: number) => new Date(Date.now() - hours * 3_600_000)

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  manager = await buildManager(server.database)
  user = await buildUser(server.database, { parent: manager })
  line = await buildLine(server.database, manager, 'sms')
  chatId = chatOf(line, from)
  for (const hours of [30, 20, 10]) sent.push(await sendCampaign(line, { hours }))
  // Not shown: of another line, skipped, and from long before.
  await sendCampaign(await buildLine(server.database, manager, 'sms'), { hours: 15 })
  await sendCampaign(line, { hours: 14, status: 'skipped' })
  await sendCampaign(line, { hours: 24 * 200 })
  await receive(server.database, line, { from, text: 'one', at: at(25) }, { from, text: 'three', at: at(5) })
  await reply(server.database, line, { chatId, author: manager, text: 'two', at: at(15) })
})
afterAll(() => server.close())

/** A campaign of three people, whose second one got its message some hours ago. */
async function sendCampaign(of: Line, { hours, status = 'delivered' }: { hours: number; status?: string }) {
  const { organizationId, senderId } = of
  const id = await buildCampaign(server.database, {
    owner: manager,
    senderId,
    total: 3,
    body: 'Sale for {#var#}',
    status: 'paused',
  })
  const query = (text: string, values: unknown[]) => server.database.ownerPool.query(text, values)
  await query(
    `update campaigns set started_at = $2, created_on = current_date, completed_at = $2::timestamptz + interval '1 hour', status = 'completed' where id = $1`,
    [id, at(hours)],
  )
  await query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, provider_message_id, sent_at)
    values ($1, current_date, $2, 1, 1, $3, $4, $5, 1, 1000, $7, $6)`,
    [organizationId, id, senderId, phoneOf(1), status, at(hours), id],
  )
  return id
}

test.each([1, 2, 3, 50])('messages of campaigns stand between the others, %i a page', async (limit) => {
  const items = []
  let before: string | undefined
  do {
    const page = await server.ask('conversations.thread', { as: user, path: { id: chatId }, query: { limit, before } })
    items.unshift(...page.items)
    before = page.before
  } while (before !== undefined)
  const campaign = (index: number) => ({
    kind: 'campaign',
    id: sent[index],
    campaignId: sent[index],
    campaignName: 'Test campaign',
    body: { type: 'text', text: expect.stringMatching(/^Sale for .+/) },
    pieces: [{ text: 'Sale for ' }, { text: 'Name 1' }],
    delivery: { status: 'delivered', parts: 1, cost: 0.1 },
  })
  expect(items).toMatchObject([
    campaign(0),
    { body: { text: 'one' } },
    campaign(1),
    { body: { text: 'two' } },
    campaign(2),
    { body: { text: 'three' } },
  ])
})

test('a campaign can be jumped to, quoted and read again', async () => {
  const around = await server.ask('conversations.thread', {
    as: user,
    path: { id: chatId },
    query: { around: sent[1], limit: 2 },
  })
  expect(around.items.map(({ id }) => id)).toContain(sent[1])
  await receive(server.database, line, { from, text: 'Yes please', inReplyTo: sent[2] ?? '' })
  const { items } = await server.ask('conversations.thread', { as: user, path: { id: chatId }, query: { limit: 1 } })
  expect(items).toMatchObject([{ inReplyTo: { id: sent[2], by: 'member', text: expect.stringMatching(/^Sale for/) } }])
  const deliveries = await server.ask('conversations.deliveries', {
    as: user,
    path: { id: chatId },
    query: { ids: sent.join(',') },
  })
  expect(deliveries.items.map(({ id }) => id)).toEqual(sent)
})

describe('a reply to a message of a campaign', () => {
  const quoted = async (chat: string, as = user) => {
    const { items } = await server.ask('conversations.thread', { as, path: { id: chat }, query: { limit: 1 } })
    const [item] = items
    return item?.kind === 'inbound' ? item.inReplyTo : undefined
  }

  test('quotes the message of the leg that it names, from long before', async () => {
    const id = await sendCampaign(line, { hours: 24 * 300 })
    await receive(server.database, line, { from, text: 'Still?', inReplyTo: id })
    expect(await quoted(chatId)).toEqual({ id, by: 'member', text: 'Sale for Name 1', type: 'text' })
  })

  test('quotes it although the person’s number is not visible', async () => {
    const whatsapp = await buildLine(server.database, manager)
    const id = await sendCampaign(whatsapp, { hours: 3 })
    await receive(server.database, whatsapp, {
      from: 'IN.4711',
      identity: { id: 'IN.4711' },
      text: 'Who is it?',
      inReplyTo: id,
    })
    expect(await quoted(chatOf(whatsapp, 'IN.4711'))).toMatchObject({ id, text: 'Sale for Name 1' })
  })

  test('is answered with a quotation of it too', async () => {
    const whatsapp = await buildLine(server.database, manager)
    const id = await sendCampaign(whatsapp, { hours: 3 })
    await receive(server.database, whatsapp, { from, text: 'Is it red?', inReplyTo: id })
    const reply = (inReplyTo: string) =>
      server.call('conversations.reply', {
        as: user,
        path: { id: chatOf(whatsapp, from) },
        body: { clientId: newId(), content: { type: 'text', text: 'All of these are' }, inReplyTo },
      })
    expect((await reply(id)).data()).toMatchObject({ inReplyTo: { id, by: 'member', text: 'Sale for Name 1' } })
    expect((await reply(sent[2] ?? '')).body).toMatchObject({ details: [{ field: 'inReplyTo' }] })
  })

  test('quotes nothing that went to another person or from another line', async () => {
    const other = String(phoneOf(2))
    await receive(server.database, line, { from: other, text: 'What did you send them?', inReplyTo: sent[2] ?? '' })
    expect(await quoted(chatOf(line, other))).toBeUndefined()
    const ofOther = await sendCampaign(await buildLine(server.database, manager, 'sms'), { hours: 2 })
    await receive(server.database, line, { from, text: 'And there?', inReplyTo: ofOther })
    expect(await quoted(chatId)).toBeUndefined()
    const foreign = await buildManager(server.database)
    const theirs = await buildLine(server.database, foreign, 'sms')
    await receive(server.database, theirs, { from, text: 'Theirs?', inReplyTo: sent[2] ?? '' })
    expect(await quoted(chatOf(theirs, from), foreign)).toBeUndefined()
  })

  test('is read in as many statements for a page of them as for one, and for many conversations as for one', async () => {
    const people = Array.from({ length: 20 }, (_, index) => `91985000${String(index).padStart(4, '0')}`)
    const campaigns: string[] = []
    for (let index = 0; index < 30; index += 1) campaigns.push(await sendCampaign(line, { hours: 24 * 100 + index }))
    const ids = await receive(
      server.database,
      line,
      ...campaigns.map((inReplyTo, index) => ({ from, text: `Reply ${index}`, inReplyTo })),
    )
    const own = await receive(server.database, line, ...people.map((person) => ({ from: person, text: 'Hello' })))
    const keyOf = (number: string): ThreadKey => ({
      ...line,
      id: chatOf(line, number),
      channel: 'sms',
      phone: Number(number),
      days: [],
    })
    const count = async (asked: Asked[]) => {
      let statements = 0
      const counter: KyselyPlugin = {
        transformQuery({ node }) {
          statements += 1
          return node
        },
        transformResult: async ({ result }) => result,
      }
      const found = await asSystem(server.database, (db) => readItemsOfAll(db.withPlugin(counter), asked))
      return { statements, items: [...found.values()].flat() }
    }
    const one = await count([{ key: keyOf(from), ids: ids.slice(0, 1) }])
    const page = await count([{ key: keyOf(from), ids }])
    const all = await count([
      { key: keyOf(from), ids },
      ...people.map((person, index) => ({ key: keyOf(person), ids: [own[index] ?? ''] })),
    ])
    expect(page.items.map((item) => item.kind === 'inbound' && item.inReplyTo?.id)).toEqual(campaigns)
    expect(all.items).toHaveLength(campaigns.length + people.length)
    expect([page.statements, all.statements]).toEqual([one.statements, one.statements])
    expect(one.statements).toBeLessThanOrEqual(12)
  })
})

test('a long thread is read by index only', async () => {
  const { ownerPool } = server.database
  const long = (chat: string) =>
    ownerPool.query(
      `insert into inbound_messages (organization_id, id, channel, sender_id, phone, sent_to, text, dedupe_key, conversation_id, received_at)
      select organization_id, gen_random_uuid(), channel, sender_id, phone, sent_to, text, $1::text || n, $1::uuid, received_at - n * interval '1 minute'
      from (select * from inbound_messages where text = 'one' limit 1) message cross join generate_series(1, 5000) n`,
      [chat],
    )
  await Promise.all([chatId, newId(), newId(), newId()].map(long))
  await ownerPool.query('analyze inbound_messages')
  const client = await server.database.connectAsOwner()
  const plans: string[] = []
  client.on('notice', ({ message = '' }) => plans.push(message))
  await client.query(
    `load 'auto_explain'; set auto_explain.log_min_duration = 0; set client_min_messages = log; set role carillon_app`,
  )
  await client.query(`select set_config('app.organization', $1, false), set_config('app.scope', $2, false)`, [
    user.organizationId,
    user.path,
  ])
  const page = (more: string) => `select id from inbound_messages
    where organization_id = '${line.organizationId}' and conversation_id = '${chatId}' ${more} order by received_at desc, id desc limit 51`
  for (const more of ['', `and (received_at, id) < (now() - interval '2 days', '${chatId}')`]) {
    plans.length = 0
    await client.query(page(more))
    expect(plans.join()).toMatch(
      /Index (?:Only )?Scan Backward using inbound_messages_organization_id_conversation_id_received/,
    )
    expect(plans.join()).not.toContain('Sort')
  }
  await client.end()
})
