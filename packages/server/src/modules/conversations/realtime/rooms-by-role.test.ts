import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildAgent, newPerson } from '../test-agents.ts'
import { buildLine, chatOf, receive, setConversation, type Line } from '../test-inbox.ts'

let server: TestServer
let members: Record<string, Account>
let line: Line
const sockets: Socket[] = []

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  const { database } = server
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const manager = await buildManager(database, { parent: reseller })
  const head = await buildDepartmentHead(database, { parent: manager })
  const foreign = await buildManager(database, { parent: reseller })
  line = await buildLine(database, manager)
  const otherLine = await buildLine(database, manager)
  members = {
    admin,
    reseller,
    manager,
    head,
    holder: await buildUser(database, { parent: head }),
    sibling: await buildUser(database, { parent: head }),
    'head elsewhere': await buildDepartmentHead(database, { parent: manager }),
    'of another line': await buildUser(database, { parent: head }),
    'without the module': await buildUser(database, { parent: head, modules: ['campaign'] }),
    'foreign manager': foreign,
    'foreign head': await buildDepartmentHead(database, { parent: foreign }),
    'foreign user': await buildUser(database, { parent: foreign }),
  }
  await buildAgent(database, members['of another line'] as Account, { lines: [otherLine] })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})
afterAll(() => server.close())

const topics = ['message', 'conversation', 'threadItem', 'viewers', 'typingStatus'] as const
type Topic = (typeof topics)[number]
type Heard = Record<Topic, Set<string>>

/** A socket of each member, and which of them heard an event about the conversation. */
async function connectAll(chatId: string): Promise<{ heard: Heard; emit(who: string, eventType: string): void }> {
  const heard: Heard = {
    message: new Set(),
    conversation: new Set(),
    threadItem: new Set(),
    viewers: new Set(),
    typingStatus: new Set(),
  }
  const byName = new Map<string, Socket>()
  for (const [who, { token }] of Object.entries(members)) {
    const socket = io(server.url, { transports: ['websocket'], query: { token }, forceNew: true })
    sockets.push(socket)
    byName.set(who, socket)
    for (const topic of topics)
      socket.on(topic, (payload: { chatId?: string; conversation?: { chatId: string } }) => {
        if ((payload.conversation?.chatId ?? payload.chatId) === chatId) heard[topic].add(who)
      })
    await new Promise((resolve, reject) => socket.on('connect', () => resolve(undefined)).on('connect_error', reject))
  }
  const emit = (who: string, eventType: string) =>
    byName
      .get(who)
      ?.emit('event', JSON.stringify({ eventType, chatId, messageId: '', phoneNumber: '', channel: 'whatsapp' }))
  return { heard, emit }
}

const holding = ['manager', 'head', 'holder']
const unassigned = [...holding, 'sibling', 'head elsewhere']

describe.each([
  ['that a user holds', holding, true],
  ['that is unassigned', unassigned, false],
] as const)('of a conversation %s', (_, expected, isHeld) => {
  test('each event reaches the members who see it, and no others can open it', { timeout: 30_000 }, async () => {
    const from = newPerson()
    await receive(server.database, line, { from, text: 'Hello' })
    const chatId = chatOf(line, from)
    if (isHeld) await setConversation(server.database, chatId, { assignee_id: members['holder']?.id })
    // Events from before are not meant.
    await new Promise((resume) => setTimeout(resume, 1500))
    const { heard, emit } = await connectAll(chatId)
    const manager = members['manager'] as Account
    const all = new Set<string>(expected)

    await receive(server.database, line, { from, text: 'Is it open?' })
    await server.ask('conversations.change', { as: manager, path: { id: chatId }, body: { labels: ['vip'] } })
    await server.ask('conversations.note', { as: manager, path: { id: chatId }, body: { text: 'A note' } })
    await expect.poll(() => [heard.message, heard.conversation, heard.threadItem]).toEqual([all, all, all])

    for (const who of Object.keys(members)) emit(who, 'VIEWING')
    await expect.poll(() => heard.viewers).toEqual(all)
    await expect
      .poll(async () => {
        const { viewers } = await server.ask('conversations.get', { as: manager, path: { id: chatId } })
        return new Set(viewers.map(({ _id }) => _id))
      })
      .toEqual(new Set(expected.map((who) => members[who]?.id)))
    for (const who of Object.keys(members).filter((each) => !all.has(each))) emit(who, 'IS_TYPING')
    await new Promise((resume) => setTimeout(resume, 300))
    expect(heard.typingStatus).toEqual(new Set())
    emit('holder', 'IS_TYPING')
    await expect.poll(() => heard.typingStatus).toEqual(new Set(expected.filter((who) => who !== 'holder')))
    await new Promise((resume) => setTimeout(resume, 500))
    for (const topic of ['message', 'conversation', 'threadItem', 'viewers'] as const)
      expect([topic, heard[topic]]).toEqual([topic, all])
  })
})
