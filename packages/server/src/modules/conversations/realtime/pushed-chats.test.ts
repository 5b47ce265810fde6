import type {
  ConversationEvent,
  ConversationGoneEvent,
  IncomingMessage,
  ThreadItemEvent,
  TypingStatus,
  ViewersEvent,
} from '@carillon/contract/realtime'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { recordEvents } from '../../../events/record-events.ts'
import { newId } from '../../../lib/ids.ts'
import { buildDepartmentHead, buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { addEvent, buildLine, chatOf, receive, reply, setConversation, type Line } from '../test-inbox.ts'

let server: TestServer
let other: TestServer
let manager: Account
let head: Account
let member: Account
let anyLine: Account
let foreign: Account
let line: Line
let secondLine: Line
let count = 0
let from: string
let chatId: string
const sockets: Socket[] = []

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  other = await testServer({ flags: ['--run=web'], beside: server })
  manager = await buildManager(server.database)
  head = await buildDepartmentHead(server.database, { parent: manager })
  member = await buildUser(server.database, { parent: head })
  anyLine = await buildUser(server.database, { parent: manager })
  foreign = await buildManager(server.database)
  line = await buildLine(server.database, manager)
  secondLine = await buildLine(server.database, manager)
  await query('insert into live_agents (organization_id, account_id) values ($1, $2)', [
    manager.organizationId,
    member.id,
  ])
  await giveLine(member, line)
})
beforeEach(() => {
  count += 1
  from = `91980020${String(count).padStart(4, '0')}`
  chatId = chatOf(line, from)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})
afterAll(async () => {
  await other.close()
  await server.close()
})

const query = (text: string, values: unknown[]) => server.database.systemPool.query(text, values)
const giveLine = ({ organizationId, id }: Account, { senderId }: Line) =>
  query('insert into live_agent_lines values ($1, $2, $3)', [organizationId, id, senderId])

type Heard = {
  socket: Socket
  messages: IncomingMessage[]
  conversations: ConversationEvent['conversation'][]
  gone: ConversationGoneEvent[]
  items: ThreadItemEvent[]
  viewers: ViewersEvent[]
  typing: TypingStatus[]
}

async function listen({ token }: Account, at = server): Promise<Heard> {
  const socket = io(at.url, { transports: ['websocket'], query: { token }, forceNew: true })
  sockets.push(socket)
  const heard: Heard = { socket, messages: [], conversations: [], gone: [], items: [], viewers: [], typing: [] }
  socket.on('message', (message: IncomingMessage) => heard.messages.push(message))
  socket.on('conversation', ({ conversation }: ConversationEvent) => heard.conversations.push(conversation))
  socket.on('conversationGone', (event: ConversationGoneEvent) => heard.gone.push(event))
  socket.on('threadItem', (event: ThreadItemEvent) => heard.items.push(event))
  socket.on('viewers', (event: ViewersEvent) => heard.viewers.push(event))
  socket.on('typingStatus', (event: TypingStatus) => heard.typing.push(event))
  await new Promise((resolve, reject) => socket.on('connect', () => resolve(undefined)).on('connect_error', reject))
  return heard
}

const receiveFrom = (text: string, of = line) => receive(server.database, of, { from, text })
const textsOf = ({ messages }: Heard) => messages.map(({ text }) => text)

/** Once everyone in the organization heard something that all of them see. */
async function settled(...heard: Heard[]) {
  const marker = `919801${String(Math.random()).slice(2, 8)}`
  await receive(server.database, line, { from: marker, text: 'marker' })
  const id = chatOf(line, marker)
  await expect
    .poll(() => heard.every(({ messages }) => messages.some((message) => message.chatId === id)), { timeout: 5000 })
    .toBe(true)
}

test('an incoming message reaches those who see its conversation, at every process', async () => {
  const all = await Promise.all([
    listen(manager),
    listen(member),
    listen(anyLine),
    listen(manager, other),
    listen(head),
  ])
  const stranger = await listen(foreign)
  const [boss, user, free, elsewhere, department] = all
  const [messageId] = await receiveFrom('Hello <b>')
  await expect.poll(() => all.map(textsOf)).toEqual(all.map(() => ['Hello <b>']))
  expect(boss?.messages[0]).toEqual({
    channel: 'whatsapp',
    chatId,
    messageId,
    senderPhoneNumber: `+${from}`,
    text: 'Hello <b>',
    sendTime: expect.any(String),
    name: `+${from}`,
    item: {
      kind: 'inbound',
      id: messageId,
      at: expect.any(String),
      body: { type: 'text', text: 'Hello <b>' },
      reactions: [],
    },
  })
  await expect.poll(() => all.map(({ conversations }) => conversations.at(-1)?.chatId)).toEqual(all.map(() => chatId))

  await setConversation(server.database, chatId, { assignee_id: anyLine.id })
  await expect.poll(() => [user, department].map((heard) => heard?.gone.at(-1)?.chatId)).toEqual([chatId, chatId])
  await receiveFrom('For the assignee')
  await expect
    .poll(() => [boss, free, elsewhere].map((heard) => heard && textsOf(heard)))
    .toEqual([boss, free, elsewhere].map(() => ['Hello <b>', 'For the assignee']))
  await settled(...all)
  expect(user && textsOf(user)).not.toContain('For the assignee')
  expect(department && textsOf(department)).not.toContain('For the assignee')
  expect(free?.gone).toEqual([])
  expect(stranger).toMatchObject({ messages: [], conversations: [], gone: [], items: [] })
})

test('a department head sees what their people hold, and a line that is not theirs is not heard', async () => {
  const [department, user, free] = [await listen(head), await listen(member), await listen(anyLine)]
  await receiveFrom('Second line', secondLine)
  chatId = chatOf(secondLine, from)
  await expect.poll(() => textsOf(free)).toEqual(['Second line'])
  await settled(department, user, free)
  expect(textsOf(user)).not.toContain('Second line')
  await setConversation(server.database, chatId, { assignee_id: member.id })
  await expect.poll(() => user.conversations.map((each) => each.chatId)).toContain(chatId)
  await expect.poll(() => department.conversations.at(-1)?.assignee?._id).toBe(member.id)
  await receiveFrom('To the user', secondLine)
  await expect
    .poll(() => [textsOf(user), textsOf(department)].every((texts) => texts.includes('To the user')))
    .toBe(true)
})

test('replies, notes and reactions reach threads', async () => {
  await receiveFrom('One')
  const dedupeKey = newId()
  const heard = await listen(member)
  const sent = await reply(server.database, line, {
    chatId,
    author: manager,
    text: 'Yes',
    status: 'sent',
    providerMessageId: dedupeKey,
  })
  const note = await addEvent(server.database, { ...line, chatId }, { kind: 'note', actor: manager, text: 'A note' })
  await asSystem(server.database, (db) =>
    recordEvents(db, [
      { type: 'thread.changed', organizationId: line.organizationId, subjectIds: [sent, note], payload: { chatId } },
    ]),
  )
  await expect.poll(() => heard.items.map(({ item }) => item.id)).toEqual([sent, note])
  await receive(server.database, line, {
    from,
    text: '👍',
    inReplyTo: dedupeKey,
    content: { type: 'reaction', reaction: { message_id: dedupeKey, emoji: '👍' } },
  })
  await expect
    .poll(() => heard.items.at(-1))
    .toMatchObject({
      chatId,
      item: { id: sent, reactions: [{ emoji: '👍', by: 'person' }] },
    })
  await receive(server.database, line, { from, text: 'Thanks', inReplyTo: dedupeKey })
  await expect
    .poll(() => heard.messages.at(-1))
    .toMatchObject({ text: 'Thanks', item: { inReplyTo: { id: sent, text: 'Yes' } } })
  expect(heard.messages.filter(({ text }) => text !== 'One')).toHaveLength(1)
  await setConversation(server.database, chatId, { blocked_at: new Date() })
  await receiveFrom('Blocked')
  await expect.poll(() => heard.items.at(-1)).toMatchObject({ item: { body: { text: 'Blocked' } } })
  expect(heard.messages.filter(({ text }) => text !== 'One')).toHaveLength(1)
})

test('a reaction to a message that we do not have is an item of its own, and no incoming message', async () => {
  const heard = await listen(member)
  const content = { type: 'reaction', reaction: { message_id: 'unknown', emoji: '👍' } }
  const [id] = await receive(server.database, line, { from, text: '👍', inReplyTo: 'unknown', content })
  await expect
    .poll(() => heard.items)
    .toMatchObject([{ chatId, item: { id, body: { type: 'reaction', reaction: '👍' } } }])
  await expect
    .poll(() => heard.conversations.at(-1))
    .toMatchObject({ chatId, unread: 0, lastMessage: { type: 'reaction', text: '👍' } })
  expect(heard.messages).toEqual([])
})

describe('lost access', () => {
  test('without the module, nothing more is heard', { timeout: 20_000 }, async () => {
    const leaving = await buildUser(server.database, { parent: manager })
    const [heard, witness] = [await listen(leaving), await listen(manager)]
    await receiveFrom('Before')
    await expect.poll(() => textsOf(heard)).toEqual(['Before'])
    await query(`delete from account_modules where account_id = $1 and module = 'chat'`, [leaving.id])
    await new Promise((resume) => setTimeout(resume, 5000))
    await receiveFrom('After')
    await expect.poll(() => textsOf(witness)).toContain('After')
    await settled(witness)
    expect(textsOf(heard)).toEqual(['Before'])
    expect(heard.socket.connected).toBe(true)
  })

  test('without a line, only that line is not heard', { timeout: 20_000 }, async () => {
    const leaving = await buildUser(server.database, { parent: manager })
    await query('insert into live_agents (organization_id, account_id) values ($1, $2)', [
      line.organizationId,
      leaving.id,
    ])
    await giveLine(leaving, line)
    await giveLine(leaving, secondLine)
    const heard = await listen(leaving)
    await receiveFrom('Before')
    await expect.poll(() => textsOf(heard)).toEqual(['Before'])
    await query('delete from live_agent_lines where account_id = $1 and sender_id = $2', [leaving.id, line.senderId])
    await new Promise((resume) => setTimeout(resume, 5000))
    await receiveFrom('After')
    await receiveFrom('Other line', secondLine)
    await expect.poll(() => textsOf(heard)).toEqual(['Before', 'Other line'])
  })
})

test('a socket that was away learns all that it missed', async () => {
  const heard = await listen(member)
  await receiveFrom('One')
  await expect.poll(() => textsOf(heard)).toEqual(['One'])
  const { cursor } = await server.ask('conversations.list', { as: member })
  const thread = await server.ask('conversations.thread', { as: member, path: { id: chatId } })
  heard.socket.disconnect()
  const texts = Array.from({ length: 40 }, (_, index) => `Missed ${index}`)
  for (const text of texts) await receiveFrom(text)
  await receive(server.database, line, { from: '919802999999', text: 'New person' })
  const again = await listen(member)
  await receiveFrom('After the return')
  await expect.poll(() => textsOf(again)).toContain('After the return')
  const missed = await server.ask('conversations.changes', { as: member, query: { since: cursor } })
  expect(missed.conversations.map((each) => each.chatId).toSorted()).toEqual(
    [chatId, chatOf(line, '919802999999')].toSorted(),
  )
  const { items } = await server.ask('conversations.threadChanges', {
    as: member,
    path: { id: chatId },
    query: { since: thread.cursor },
  })
  expect(items.map((item) => 'body' in item && item.body.text)).toEqual([...texts, 'After the return'])
})

describe('who has a conversation open', () => {
  const emit = ({ socket }: Heard, eventType: string, id = chatId) =>
    socket.emit('event', JSON.stringify({ eventType, chatId: id, messageId: '', phoneNumber: '', channel: 'whatsapp' }))
  const namesOf = ({ viewers }: Heard) =>
    viewers
      .at(-1)
      ?.viewers.map(({ _id, isReplying }) => `${_id === member.id ? 'member' : 'manager'}${isReplying ? '*' : ''}`)

  test('is pushed to the others at every process', async () => {
    await receiveFrom('One')
    const [user, boss] = [await listen(member), await listen(manager, other)]
    emit(user, 'VIEWING')
    await expect.poll(() => namesOf(user)).toEqual(['member'])
    emit(boss, 'VIEWING')
    await expect.poll(() => namesOf(user)?.toSorted()).toEqual(['manager', 'member'])
    await expect.poll(() => namesOf(boss)?.toSorted()).toEqual(['manager', 'member'])
    emit(boss, 'REPLYING')
    await expect.poll(() => namesOf(user)?.toSorted()).toEqual(['manager*', 'member'])
    const { viewers } = await server.ask('conversations.get', { as: member, path: { id: chatId } })
    expect(viewers.map(({ _id }) => _id).toSorted()).toEqual([manager.id, member.id].toSorted())
    boss.socket.disconnect()
    await expect.poll(() => namesOf(user)).toEqual(['member'])
    emit(user, 'LEFT')
    await expect
      .poll(async () => (await server.ask('conversations.get', { as: member, path: { id: chatId } })).viewers)
      .toEqual([])
  })

  test('a member who does not see a conversation cannot open it, and learns nothing', async () => {
    await receiveFrom('One', secondLine)
    chatId = chatOf(secondLine, from)
    const [user, boss, stranger] = [await listen(member), await listen(manager), await listen(foreign)]
    for (const heard of [user, stranger]) emit(heard, 'VIEWING')
    emit(boss, 'VIEWING')
    await expect.poll(() => namesOf(boss)).toEqual(['manager'])
    for (const heard of [user, stranger]) emit(heard, 'IS_TYPING')
    for (const odd of ['', 'x', '__proto__', "' or true", newId()]) emit(user, 'VIEWING', odd)
    emit(user, 'REPLYING')
    await new Promise((resume) => setTimeout(resume, 300))
    expect([user.viewers, stranger.viewers, boss.typing]).toEqual([[], [], []])
    expect(namesOf(boss)).toEqual(['manager'])
  })

  test('by its assignee is counted once for each assignment, at whichever process', async () => {
    const opened = async () =>
      (await server.ask('agents.metrics', { as: manager, path: { id: member.id }, query: { period: 'day' } })).opened
    const before = await opened()
    await receiveFrom('One')
    const [user, elsewhere, boss] = [await listen(member), await listen(member, other), await listen(manager)]
    emit(user, 'VIEWING')
    emit(boss, 'VIEWING')
    await expect.poll(() => namesOf(boss)?.toSorted()).toEqual(['manager', 'member'])
    expect(await opened()).toBe(before)
    const assign = (assigneeId: string | null) =>
      server.ask('conversations.change', { as: manager, path: { id: chatId }, body: { assigneeId } })
    await assign(member.id)
    for (const heard of [user, elsewhere, boss]) emit(heard, 'REPLYING')
    await expect.poll(opened).toBe(before + 1)
    for (const heard of [user, elsewhere]) emit(heard, 'VIEWING')
    await expect.poll(() => namesOf(boss)?.toSorted()).toEqual(['manager*', 'member'])
    expect(await opened()).toBe(before + 1)
    await assign(null)
    await assign(member.id)
    for (const heard of [elsewhere, user]) emit(heard, 'REPLYING')
    await expect.poll(opened).toBe(before + 2)
    await expect.poll(() => namesOf(boss)?.toSorted()).toEqual(['manager*', 'member*'])
    expect(await opened()).toBe(before + 2)
  })

  test('IS_TYPING reaches the others who have it open, once in five seconds', async () => {
    await receiveFrom('One')
    const [user, boss] = [await listen(member), await listen(manager)]
    emit(user, 'VIEWING')
    emit(boss, 'VIEWING')
    await expect.poll(() => namesOf(user)?.length).toBe(2)
    for (let index = 0; index < 10; index += 1) emit(user, 'IS_TYPING')
    await expect
      .poll(() => boss.typing)
      .toMatchObject([{ chatId, eventType: 'IS_TYPING', member: { _id: member.id }, isTyping: false }])
    await new Promise((resume) => setTimeout(resume, 200))
    expect([boss.typing.length, user.typing.length]).toEqual([1, 0])
  })

  test('a browser that stopped reporting is gone after a while', { timeout: 30_000 }, async () => {
    await receiveFrom('One')
    const user = await listen(member)
    emit(user, 'VIEWING')
    await expect.poll(() => namesOf(user)).toEqual(['member'])
    const key = [line.organizationId, chatId, manager.id]
    await query('insert into conversation_viewers values ($1, $2, $3, false)', key)
    const { organizationId } = line
    await asSystem(server.database, (db) =>
      recordEvents(db, [{ type: 'viewers.changed', organizationId, subjectIds: [chatId], payload: {} }]),
    )
    await expect.poll(() => namesOf(user)?.length).toBe(2)
    await query(
      `update conversation_viewers set seen_at = clock_timestamp() - interval '31 seconds'
      where organization_id = $1 and conversation_id = $2 and account_id = $3`,
      key,
    )
    await expect.poll(() => namesOf(user), { timeout: 12_000 }).toEqual(['member'])
  })
})
