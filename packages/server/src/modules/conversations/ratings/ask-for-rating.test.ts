import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { issueTo, setSmsPrice } from '../../../testing/money.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { newId } from '../../../lib/ids.ts'
import { buildLine, chatOf, receive, type Line } from '../test-inbox.ts'

let server: TestServer
let manager: Account
let line: Line
let phone = 919_812_340_000
let chatId: string

const settings = {
  assignsAutomatically: false,
  timezone: 'Asia/Kolkata',
  businessHours: null,
  firstReplyMinutes: null,
  nextReplyMinutes: null,
  asksForRating: true,
  ratingText: null,
  ratingTemplates: {},
}

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
  await issueTo(server.database, { admin: manager, account: manager, units: 10_000_000 })
  await setSmsPrice(server.database, manager, 1000)
  line = await buildLine(server.database, manager, 'sms')
})
beforeEach(async () => {
  await server.ask('inboxSettings.update', { as: manager, body: settings })
  phone += 1
  chatId = chatOf(line, String(phone))
  await receive(server.database, line, { from: String(phone), text: 'Where is my order?' })
})
afterAll(() => server.close())

const answer = () =>
  server.ask('conversations.reply', {
    as: manager,
    path: { id: chatId },
    body: { clientId: newId(), content: { type: 'text', text: 'On its way' } },
  })

const resolve = () =>
  server.ask('conversations.change', { as: manager, path: { id: chatId }, body: { status: 'resolved' } })

async function sentTexts(): Promise<string[]> {
  const { rows } = await server.database.systemPool.query<{ text: string }>(
    'select text from single_sends where conversation_id = $1 order by created_at',
    [chatId],
  )
  return rows.map(({ text }) => text)
}

const question = 'How did we do? Reply with a number from 1 (very bad) to 5 (very good).'

test('a person whose conversation was answered and resolved is asked once, and their number is the rating', async () => {
  await answer()
  await resolve()
  expect(await sentTexts()).toEqual(['On its way', question])
  await receive(server.database, line, { from: String(phone), text: '5' })
  const { conversation } = await server.ask('conversations.get', { as: manager, path: { id: chatId } })
  expect(conversation).toMatchObject({ status: 'resolved', unread: 0 })
  const { csat } = await server.ask('agents.metrics', { as: manager, path: { id: manager.id } })
  expect(csat).toEqual({ avg: 5, count: 1 })

  await receive(server.database, line, { from: String(phone), text: 'One more thing' })
  await answer()
  await resolve()
  expect(await sentTexts()).toEqual(['On its way', question, 'On its way'])
})

test('no question is sent without an answer by a member, or if ratings are off', async () => {
  await resolve()
  expect(await sentTexts()).toEqual([])
  await server.ask('inboxSettings.update', { as: manager, body: { ...settings, asksForRating: false } })
  await receive(server.database, line, { from: String(phone), text: 'Hello?' })
  await answer()
  await resolve()
  expect(await sentTexts()).toEqual(['On its way'])
})

test('the question may be in other words', async () => {
  await server.ask('inboxSettings.update', { as: manager, body: { ...settings, ratingText: 'Rate us from 1 to 5' } })
  await answer()
  await resolve()
  expect(await sentTexts()).toEqual(['On its way', 'Rate us from 1 to 5'])
})

test('a question that cannot be sent changes nothing else', async () => {
  await answer()
  await server.database.systemPool.query(
    `insert into opt_outs (organization_id, channel, phone, keyword, at) values ($1, 'sms', $2, 'STOP', now() + interval '1 minute')`,
    [manager.organizationId, phone],
  )
  expect(await resolve()).toMatchObject({ status: 'resolved' })
  expect(await sentTexts()).toEqual(['On its way'])
})

test('a template of another channel or organization is refused', async () => {
  const body = { ...settings, ratingTemplates: { whatsapp: newId() } }
  await expect(server.ask('inboxSettings.update', { as: manager, body })).rejects.toThrow()
})
