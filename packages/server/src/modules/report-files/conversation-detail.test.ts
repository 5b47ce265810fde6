import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { buildAgent, receiveChats } from '../conversations/test-agents.ts'
import { buildLine, reply, setConversation, type Line } from '../conversations/test-inbox.ts'
import { readRowsOf, request } from './test-reports.ts'

let server: TestServer
let tree: Awaited<ReturnType<typeof buildTree>>
let sibling: Account
let line: Line
let chats: string[]

beforeAll(async () => {
  server = await testServer()
  tree = await buildTree(server.database)
  const { manager, user, foreign } = tree
  sibling = await buildUser(server.database, { parent: manager })
  line = await buildLine(server.database, manager)
  for (const agent of [user, sibling]) await buildAgent(server.database, agent, { lines: [line] })
  const at = new Date(Date.now() - 60_000)
  chats = await receiveChats(server.database, line, [{ at }, { at }, { at }])
  const [ofUser = '', ofSibling = ''] = chats
  await setConversation(server.database, ofUser, {
    assignee_id: user.id,
    labels: ['vip', 'order'],
    status: 'resolved',
    opened_at: at,
    first_answered_at: new Date(at.getTime() + 20_000),
    resolved_at: new Date(at.getTime() + 50_000),
  })
  await setConversation(server.database, ofSibling, { assignee_id: sibling.id })
  await server.database.systemPool.query(
    `insert into ratings (organization_id, id, conversation_id, account_id, stars, rated_at) values ($1, $2, $3, $4, 4, now())`,
    [manager.organizationId, newId(), ofUser, user.id],
  )
  await receiveChats(server.database, await buildLine(server.database, foreign), [{}])
})
afterAll(() => server.close())

const detail = (as: Account) => readRowsOf(server, { as, type: 'conversation_detail' })

test('has the conversations that the account sees in the inbox', async () => {
  const { manager, head, user, foreign } = tree
  for (const as of [manager, head, user, sibling, foreign]) {
    const rows = await detail(as)
    const listed = []
    for (const status of ['open', 'resolved'] as const) {
      const { conversations } = await server.ask('conversations.list', { as, query: { status, limit: 50 } })
      listed.push(...conversations.map(({ chatId }) => chatId))
    }
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map((row) => row['Conversation']))).toEqual(new Set(listed))
  }
  expect(await detail(manager)).toHaveLength(3)
  expect(await detail(user)).toHaveLength(2)
})

test('has the agent, labels, times, messages and rating of a conversation', async () => {
  const { manager, user } = tree
  const rows = await detail(manager)
  expect(rows.find((row) => row['Conversation'] === chats[0])).toMatchObject({
    Agent: `Name of ${user.username}`,
    Labels: 'vip, order',
    Status: 'Resolved',
    'First response (s)': '20',
    'Resolution (s)': '50',
    'Messages in': '1',
    'Messages out': '0',
    Rating: '4',
  })
})

test('counts replies, and is of a channel if one is wanted, but of no campaign', async () => {
  const { manager, user } = tree
  const [chat = ''] = chats
  await reply(server.database, line, { chatId: chat, author: user })
  const found = (await detail(manager)).find((row) => row['Conversation'] === chat)
  expect(found).toMatchObject({ 'Messages out': '1' })
  const wanted = { as: manager, type: 'conversation_detail' } as const
  expect(await readRowsOf(server, { ...wanted, channel: 'whatsapp' })).toHaveLength(3)
  expect(await readRowsOf(server, { ...wanted, channel: 'sms' })).toEqual([])
  expect(await request(server, { ...wanted, campaignId: newId() })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'campaignId' }] },
  })
  expect(await request(server, { ...wanted, as: tree.admin })).toMatchObject({ status: 403 })
})
