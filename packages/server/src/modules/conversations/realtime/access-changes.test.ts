import type { ConversationEvent, ConversationGoneEvent, ViewersEvent } from '@carillon/contract/realtime'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildDepartmentHead, buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildAgent, newPerson, receiveChats } from '../test-agents.ts'
import { buildLine, setConversation, type Line } from '../test-inbox.ts'

let server: TestServer
let manager: Account
let line: Line
let otherLine: Line
let member: Account
let chatId: string
let otherChatId: string
const sockets: Socket[] = []

/** The check of sockets every 2 s, and its queries. */
const withinMs = 5000

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  manager = await buildManager(server.database)
  line = await buildLine(server.database, manager)
  otherLine = await buildLine(server.database, manager)
})
beforeEach(async () => {
  member = await buildUser(server.database, { parent: manager })
  await buildAgent(server.database, member, { lines: [line] })
  ;[chatId = ''] = await receiveChats(server.database, line, [{ from: newPerson() }])
  ;[otherChatId = ''] = await receiveChats(server.database, otherLine, [{ from: newPerson() }])
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})
afterAll(() => server.close())

const setup = { skills: [], teamIds: [] as string[], lineIds: [] as string[], maxOpen: null, perChannel: {} }
const update = (agent: Account, changes: Partial<typeof setup>) =>
  server.ask('agents.update', { as: manager, path: { id: agent.id }, body: { ...setup, ...changes } })
const grantChat = (to: Account, granted: boolean) =>
  server.ask('permissions.grant', {
    as: manager,
    body: { userId: to.id, modulePermissions: [{ moduleName: 'chat', granted }] },
  })

/** A browser that reads the inbox when it opens, and as the server asks it to. */
async function openBrowser(as: Account) {
  const read = async () => (await server.ask('conversations.list', { as })).conversations.map((each) => each.chatId)
  const browser = { asked: 0, shown: [] as string[], events: [] as string[], viewers: [] as string[][] }
  const socket = io(server.url, { transports: ['websocket'], query: { token: as.token }, forceNew: true })
  sockets.push(socket)
  socket.on('eventsMissed', () => {
    browser.asked += 1
    void read().then(
      (shown) => (browser.shown = shown),
      () => (browser.shown = []),
    )
  })
  socket.on('conversation', ({ conversation }: ConversationEvent) =>
    browser.events.push(`shows ${conversation.chatId}`),
  )
  socket.on('conversationGone', (event: ConversationGoneEvent) => browser.events.push(`loses ${event.chatId}`))
  socket.on('viewers', ({ viewers }: ViewersEvent) => browser.viewers.push(viewers.map(({ _id }) => _id)))
  await new Promise((resolve, reject) => socket.on('connect', () => resolve(undefined)).on('connect_error', reject))
  browser.shown = await read().catch(() => [])
  const emit = (eventType: string, id: string) =>
    socket.emit('event', JSON.stringify({ eventType, chatId: id, messageId: '', phoneNumber: '', channel: 'whatsapp' }))
  return { browser, socket, emit }
}

describe('a connected member', () => {
  test('gets the older conversations of a line, and loses those of another', { timeout: 20_000 }, async () => {
    const { browser } = await openBrowser(member)
    const unchanged = await openBrowser(manager)
    expect(browser.shown).toContain(chatId)
    expect(browser.shown).not.toContain(otherChatId)
    await update(member, { lineIds: [otherLine.senderId] })
    await expect.poll(() => browser.shown.includes(otherChatId), { timeout: withinMs }).toBe(true)
    expect(browser.shown).not.toContain(chatId)
    expect([browser.asked, unchanged.browser.asked]).toEqual([1, 0])
  })

  test('gets those of a team', { timeout: 20_000 }, async () => {
    const { browser } = await openBrowser(member)
    const body = { name: 'Returns', memberIds: [member.id], lineIds: [otherLine.senderId] }
    const team = await server.ask('teams.create', { as: manager, body })
    await expect.poll(() => browser.shown.includes(otherChatId), { timeout: withinMs }).toBe(true)
    await server.ask('teams.delete', { as: manager, path: { id: team.id } })
    await expect.poll(() => browser.shown.includes(otherChatId), { timeout: withinMs }).toBe(false)
  })

  test('gets and loses all with the module', { timeout: 20_000 }, async () => {
    await grantChat(member, false)
    const { browser, socket } = await openBrowser(member)
    expect(browser.shown).toEqual([])
    await grantChat(member, true)
    await expect.poll(() => browser.shown, { timeout: withinMs }).toContain(chatId)
    await grantChat(member, false)
    await expect.poll(() => browser.shown, { timeout: withinMs }).toEqual([])
    expect(socket.connected).toBe(true)
  })

  test('a department head gets what a person moved to below them holds, and the former head loses it', async () => {
    const [head, formerHead] = [
      await buildDepartmentHead(server.database, { parent: manager }),
      await buildDepartmentHead(server.database, { parent: manager }),
    ]
    const holder = await buildUser(server.database, { parent: formerHead })
    await setConversation(server.database, chatId, { assignee_id: holder.id })
    const [now, before] = [await openBrowser(head), await openBrowser(formerHead)]
    const { cursor } = await server.ask('conversations.list', { as: head })
    expect([now, before].map(({ browser }) => browser.shown.includes(chatId))).toEqual([false, true])
    const body = { parentId: head.id }
    await server.ask('users.move', { as: manager, path: { userId: holder.id }, body })
    await expect
      .poll(() => [now, before].map(({ browser }) => browser.events.at(-1)), { timeout: withinMs })
      .toEqual([`shows ${chatId}`, `loses ${chatId}`])
    const { conversations } = await server.ask('conversations.changes', { as: head, query: { since: cursor } })
    expect(conversations.map((each) => each.chatId)).toContain(chatId)
  })
})

test('a browser that was away reads its lists again if what it sees changed meanwhile', async () => {
  const since = async (as = member) => (await server.ask('conversations.list', { as })).cursor
  const changes = async (cursor: string) =>
    server.ask('conversations.changes', { as: member, query: { since: cursor } })
  const cursor = await since()
  expect(await changes(cursor)).toMatchObject({ isStale: false, conversations: [], gone: [] })
  await update(member, { lineIds: [line.senderId, otherLine.senderId] })
  const again = await changes(cursor)
  expect(again).toMatchObject({ isStale: true, conversations: [] })
  expect(await changes(again.cursor)).toMatchObject({ isStale: false })
  for (const odd of [`${cursor.split(';')[0]};0`, await since(manager)])
    expect(await changes(odd)).toMatchObject({ isStale: true })
})

describe('who has a conversation open', () => {
  test('leaves it when another member takes it, and is not named any more', { timeout: 20_000 }, async () => {
    const [{ browser, emit }, boss] = [await openBrowser(member), await openBrowser(manager)]
    emit('VIEWING', chatId)
    boss.emit('VIEWING', chatId)
    const both = [member.id, manager.id].toSorted()
    await expect.poll(() => browser.viewers.at(-1)?.toSorted()).toEqual(both)
    await setConversation(server.database, chatId, { assignee_id: manager.id })
    await expect.poll(() => boss.browser.viewers.at(-1), { timeout: withinMs }).toEqual([manager.id])
    const before = browser.viewers.length
    boss.emit('LEFT', chatId)
    await expect
      .poll(async () => (await server.ask('conversations.get', { as: manager, path: { id: chatId } })).viewers)
      .toEqual([])
    boss.emit('VIEWING', chatId)
    await expect.poll(() => boss.browser.viewers.length).toBeGreaterThan(2)
    await new Promise((resume) => setTimeout(resume, 500))
    expect(browser.viewers.slice(before)).toEqual([])
  })

  test('leaves it with the module, and stays while they see it', { timeout: 20_000 }, async () => {
    const [{ browser, emit }, boss] = [await openBrowser(member), await openBrowser(manager)]
    emit('VIEWING', chatId)
    boss.emit('VIEWING', chatId)
    const both = [member.id, manager.id].toSorted()
    await expect.poll(() => browser.viewers.at(-1)?.toSorted()).toEqual(both)
    await update(member, { lineIds: [line.senderId, otherLine.senderId] })
    await expect.poll(() => browser.asked, { timeout: withinMs }).toBe(1)
    await new Promise((resume) => setTimeout(resume, 2500))
    expect(boss.browser.viewers.at(-1)?.toSorted()).toEqual(both)
    await grantChat(member, false)
    await expect.poll(() => boss.browser.viewers.at(-1), { timeout: withinMs }).toEqual([manager.id])
  })
})
