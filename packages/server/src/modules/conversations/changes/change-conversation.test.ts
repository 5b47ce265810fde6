import type { Notification } from '@carillon/contract/notifications'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildDepartmentHead, buildUser, type Account } from '../../../testing/builders.ts'
import type { CallOptions } from '../../../testing/server.ts'
import { until } from '../../../testing/until.ts'
import { buildWhatsappInbox, type WhatsappInbox } from '../../../testing/whatsapp-inbox.ts'
import { buildLine } from '../test-inbox.ts'

let inbox: WhatsappInbox
let id: string
let user: Account
let colleague: Account

beforeAll(async () => {
  inbox = await buildWhatsappInbox()
  user = inbox.user
  colleague = inbox.colleague
})
beforeEach(async () => {
  id = await inbox.write(inbox.newPerson(), 'Is it open?')
})
afterAll(() => inbox.close())

type Change = NonNullable<CallOptions<'conversations.change'>['body']>

const change = (body: Change, as = user) => inbox.server.call('conversations.change', { as, path: { id }, body })
const changed = async (body: Change, as = user) => (await change(body, as)).data()

const grantChat = (to: Account, granted: boolean, as = inbox.manager) =>
  inbox.server.ask('permissions.grant', {
    as,
    body: { userId: to.id, modulePermissions: [{ moduleName: 'chat', granted }] },
  })

const facts = async () =>
  (
    await inbox.query<{ kind: string; account_id: string }>(
      'select kind, account_id from agent_facts where conversation_id = $1',
      [id],
    )
  )
    .map(({ kind, account_id }) => `${kind} ${nameOf(account_id)}`)
    .toSorted()

const nameOf = (accountId: string) =>
  Object.entries({ user, colleague, manager: inbox.manager, head: inbox.head }).find(
    ([, one]) => one.id === accountId,
  )?.[0]

async function notificationsOf(account: Account, kind: Notification['kind']) {
  const { notifications } = await inbox.server.ask('notifications.list', { as: account, query: {} })
  return notifications.filter((each) => each.kind === kind && each.link?.id === id)
}

test('of two who take a conversation at once one wins, and the other learns who', async () => {
  const { revision } = await inbox.find(id)
  const answers = await Promise.all([user, colleague].map((as) => change({ assigneeId: as.id, revision }, as)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const winner = (await inbox.find(id)).assignee
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    message: `${winner?.name} took this conversation`,
  })
  expect(await inbox.events(id)).toEqual(['assigned'])
})

test('a change over that of a colleague is refused, one over a new message is not', async () => {
  const { revision } = await inbox.find(id)
  await inbox.write((await inbox.find(id)).phoneNumber?.slice(1) ?? '', 'Anyone?')
  expect(await changed({ priority: 'high', revision })).toMatchObject({ priority: 'high' })
  await changed({ labels: ['vip'] }, inbox.manager)
  const [manager] = await inbox.query<{ name: string }>('select name from accounts where id = $1', [inbox.manager.id])
  const refused = await change({ labels: ['refund'], revision })
  expect(refused.body).toMatchObject({
    message: `${manager?.name} changed this conversation`,
    details: [{ field: 'revision' }],
  })
  expect(await inbox.find(id)).toMatchObject({ labels: ['vip'] })
})

describe('the assignee', () => {
  test('is taken, handed over and given up; each is notified unless they did it', async () => {
    await changed({ assigneeId: user.id })
    expect(await notificationsOf(user, 'conversation_assigned')).toEqual([])
    expect(await changed({ assigneeId: colleague.id })).toMatchObject({ assignee: { _id: colleague.id } })
    expect(await notificationsOf(colleague, 'conversation_assigned')).toMatchObject([
      { title: expect.stringContaining('assigned you a conversation'), description: expect.stringContaining('open?') },
    ])
    expect((await change({ assigneeId: user.id })).status).toBe(409)
    await changed({ assigneeId: null }, colleague)
    expect(await facts()).toEqual(['assigned colleague', 'assigned user', 'transfer_in colleague', 'transfer_out user'])
    expect(await inbox.events(id)).toEqual(['assigned', 'assigned', 'unassigned'])
  })

  test('must be a member who can answer the line', async () => {
    const noChat = await buildUser(inbox.server.database, { parent: inbox.manager, modules: ['campaign'] })
    const elsewhere = await buildUser(inbox.server.database, { parent: inbox.manager })
    const other = newId()
    await inbox.query(
      `insert into senders (organization_id, id, provider_account_id, channel, name, created_by)
      select organization_id, $1, provider_account_id, channel, 'Other', created_by from senders where id = $2`,
      [other, inbox.senderId],
    )
    await inbox.query('insert into live_agents (organization_id, account_id) values ($1, $2)', [
      inbox.manager.organizationId,
      elsewhere.id,
    ])
    await inbox.query('insert into live_agent_lines values ($1, $2, $3)', [
      inbox.manager.organizationId,
      elsewhere.id,
      other,
    ])
    for (const assigneeId of [noChat.id, inbox.foreign.id, inbox.admin.id, newId()])
      expect((await change({ assigneeId }, inbox.manager)).body).toMatchObject({
        details: [{ field: 'assigneeId', message: 'Choose a member who can answer conversations' }],
      })
    expect((await change({ assigneeId: elsewhere.id }, inbox.manager)).body).toMatchObject({
      details: [{ message: expect.stringContaining('does not answer this line') }],
    })
    expect((await change({ assigneeId: colleague.id })).body).toMatchObject({
      code: 'forbidden',
      message: 'Take the conversation first, then you can hand it over',
    })
    expect((await change({ teamId: newId() })).body).toMatchObject({ details: [{ field: 'teamId' }] })
  })

  test('loses the open conversations with the account or the module', async () => {
    const leaving = await buildUser(inbox.server.database, { parent: inbox.manager })
    await changed({ assigneeId: leaving.id }, leaving)
    const body = { status: 'suspended' as const, reason: 'Left' }
    await inbox.server.ask('users.setStatus', { as: inbox.manager, path: { userId: leaving.id }, body })
    expect((await inbox.find(id)).assignee).toBeUndefined()
    expect(await inbox.events(id)).toEqual(['assigned', 'unassigned'])

    await changed({ assigneeId: colleague.id }, colleague)
    await grantChat(colleague, false)
    expect((await inbox.find(id)).assignee).toBeUndefined()
    await grantChat(colleague, true)
  })

  test('loses them when a department head above loses the module, by the hand of another head', async () => {
    const { database } = inbox.server
    const head = await buildDepartmentHead(database, { parent: inbox.manager })
    const below = await buildDepartmentHead(database, { parent: head })
    const holder = await buildUser(database, { parent: below })
    await changed({ assigneeId: holder.id }, holder)
    await grantChat(below, false, head)
    expect((await inbox.find(id)).assignee).toBeUndefined()
  })

  test('keeps them without another module, and while the whole organisation is suspended', async () => {
    await changed({ assigneeId: user.id })
    await inbox.server.ask('permissions.grant', {
      as: inbox.manager,
      body: { userId: user.id, modulePermissions: [{ moduleName: 'campaign', granted: false }] },
    })
    const setStatus = (status: 'suspended' | 'active') =>
      inbox.server.ask('users.setStatus', {
        as: inbox.admin,
        path: { userId: inbox.manager.id },
        body: { status, reason: 'Unpaid' },
      })
    await setStatus('suspended')
    await setStatus('active')
    expect((await inbox.find(id)).assignee?._id).toBe(user.id)
  })

  test('loses those of a line or team that they do not answer any more', async () => {
    const { manager, server } = inbox
    const { database } = server
    const otherLine = await buildLine(database, manager)
    const setup = { skills: [], teamIds: [] as string[], maxOpen: null, perChannel: {} }
    const giveLines = (lineIds: string[], of = user) =>
      server.ask('agents.update', { as: manager, path: { id: of.id }, body: { ...setup, lineIds } })
    await server.ask('agents.own', { as: user })
    await changed({ assigneeId: user.id })
    await giveLines([inbox.senderId, otherLine.senderId])
    expect((await inbox.find(id)).assignee?._id).toBe(user.id)
    await giveLines([otherLine.senderId])
    expect((await inbox.find(id)).assignee).toBeUndefined()
    expect(await inbox.events(id)).toEqual(['assigned', 'unassigned'])

    const team = { name: 'Returns', memberIds: [user.id], lineIds: [inbox.senderId] }
    const { id: teamId } = await server.ask('teams.create', { as: manager, body: team })
    await changed({ assigneeId: user.id })
    await server.ask('teams.update', { as: manager, path: { id: teamId }, body: { ...team, name: 'Refunds' } })
    expect((await inbox.find(id)).assignee?._id).toBe(user.id)
    await server.ask('teams.update', { as: manager, path: { id: teamId }, body: { ...team, lineIds: [] } })
    expect((await inbox.find(id)).assignee).toBeUndefined()

    await changed({ teamId }, manager)
    await changed({ assigneeId: user.id })
    await server.ask('teams.delete', { as: manager, path: { id: teamId } })
    expect(await inbox.find(id)).not.toHaveProperty('assignee')
    expect(await inbox.find(id)).not.toHaveProperty('team')
    await giveLines([])
  })
})

describe('the status', () => {
  test('resolved, it is counted for its holder; written to again, it is open', async () => {
    await changed({ assigneeId: user.id })
    expect(await changed({ status: 'resolved' }, inbox.manager)).toMatchObject({ status: 'resolved', unread: 0 })
    expect(await facts()).toEqual(['assigned user', 'resolution user', 'resolved user'])
    const refused = await change({ status: 'snoozed' })
    expect(refused.body).toMatchObject({ message: 'A resolved conversation cannot become snoozed: reopen it first' })
    expect(await changed({ status: 'open' })).toMatchObject({ status: 'open' })
    expect(await inbox.events(id)).toEqual(['assigned', 'resolved', 'reopened'])
  })

  test('snoozed, it wakes at its time with the reason, once', async () => {
    const snoozedUntil = new Date(Date.now() + 1500).toISOString()
    expect(await changed({ status: 'snoozed', snoozedUntil, snoozeNote: 'Call back' })).toMatchObject({
      status: 'snoozed',
      snoozedUntil,
      snoozeNote: 'Call back',
    })
    await until(async () => (await inbox.find(id)).status === 'open', 'waking')
    expect(await inbox.find(id)).toMatchObject({ status: 'open', unread: 1 })
    const woken = (await inbox.items(id)).filter((item) => item.kind === 'event' && item.event === 'woken')
    expect(woken).toMatchObject([{ details: { note: 'Call back' } }])
    expect(woken[0]).not.toHaveProperty('actor')
  })

  test('snoozed until a reply, it wakes with it', async () => {
    const { phoneNumber = '' } = await changed({ status: 'snoozed' })
    await inbox.write(phoneNumber.slice(1), 'Still there?')
    expect(await inbox.find(id)).toMatchObject({ status: 'open' })
  })

  test('its times must be in the next year, and belong to it', async () => {
    const field = async (body: Change) => (await change(body)).body
    const past = new Date(Date.now() - 1000).toISOString()
    const far = new Date(Date.now() + 400 * 86_400_000).toISOString()
    expect(await field({ status: 'snoozed', snoozedUntil: past })).toMatchObject({
      details: [{ field: 'snoozedUntil', message: 'Choose a time in the future' }],
    })
    expect(await field({ status: 'snoozed', snoozedUntil: far })).toMatchObject({
      details: [{ message: 'Choose a time within a year' }],
    })
    expect(await field({ snoozeNote: 'Why?' })).toMatchObject({ details: [{ field: 'snoozedUntil' }] })
    expect(await field({ pausedUntil: far })).toMatchObject({ details: [{ field: 'pausedUntil' }] })
  })

  test('with a bot it is pending; a pause ends at its time', async () => {
    expect(await changed({ handledBy: 'bot' })).toMatchObject({ handledBy: 'bot', status: 'pending' })
    const pausedUntil = new Date(Date.now() + 1500).toISOString()
    expect(await changed({ handledBy: 'paused', pausedUntil })).toMatchObject({
      handledBy: 'paused',
      status: 'open',
      pausedUntil,
    })
    expect(await changed({ priority: 'high' })).toMatchObject({ handledBy: 'paused', pausedUntil })
    await until(async () => (await inbox.find(id)).handledBy === 'bot', 'the end of the pause')
    expect(await inbox.find(id)).toMatchObject({ status: 'pending' })
    expect(await changed({ status: 'open' })).toMatchObject({ handledBy: 'human', status: 'open' })
    expect(await inbox.events(id)).toEqual([
      'handed_to_bot',
      'bot_paused',
      'priority_changed',
      'handed_to_bot',
      'taken_over',
    ])
  })
})

test('blocking is audited, and a blocked person raises no alarm', async () => {
  const { phoneNumber = '' } = await changed({ isBlocked: true })
  await inbox.write(phoneNumber.slice(1), 'Buy now')
  expect(await inbox.find(id)).toMatchObject({ isBlocked: true, unread: 0 })
  expect(await inbox.query(`select action, actor_id from audit_log where object_id = $1`, [id])).toEqual([
    { action: 'conversation.blocked', actor_id: user.id },
  ])
})

test('many are changed at once; those that cannot be are named', async () => {
  const other = await inbox.write(inbox.newPerson(), 'Hello')
  const taken = await inbox.write(inbox.newPerson(), 'Hello')
  await inbox.server.ask('conversations.change', {
    as: colleague,
    path: { id: taken },
    body: { assigneeId: colleague.id },
  })
  const ids = [id, other, taken, newId()]
  const { conversations, refused } = await inbox.server.ask('conversations.changeMany', {
    as: user,
    body: { ids, change: { assigneeId: user.id, labels: ['bulk'] } },
  })
  expect(conversations.map(({ chatId }) => chatId).toSorted()).toEqual([id, other].toSorted())
  expect(refused.map(({ message }) => message).toSorted()).toEqual([
    'Conversation not found',
    expect.stringContaining('took this conversation'),
  ])
})

describe('reading', () => {
  const read = (upTo?: string, as = user) =>
    inbox.server.ask('conversations.read', { as, path: { id }, body: upTo === undefined ? {} : { upTo } })

  test('leaves a message unread that arrives meanwhile, and sends a receipt', async () => {
    const { phoneNumber = '' } = await inbox.find(id)
    const from = phoneNumber.slice(1)
    const [first] = await inbox.items(id)
    await new Promise((resume) => setTimeout(resume, 1100))
    await inbox.write(from, 'Hello?')
    expect(await read(first?.id)).toMatchObject({ unread: 1 })
    expect(await read(first?.id)).toMatchObject({ unread: 1 })
    expect(await read()).toMatchObject({ unread: 0 })
    const receipts = () => inbox.simulator.graph.control.showPerson(from)
    await until(() => JSON.stringify(receipts()).includes('read'), 'the receipt')
    expect(
      (await inbox.server.call('conversations.read', { as: user, path: { id }, body: { upTo: newId() } })).body,
    ).toMatchObject({ success: true })
  })

  test('an unknown item is an error', async () => {
    const refused = await inbox.server.call('conversations.read', { as: user, path: { id }, body: { upTo: newId() } })
    expect(refused.body).toMatchObject({ details: [{ field: 'upTo' }] })
    expect(await inbox.find(id)).toMatchObject({ unread: 1 })
  })
})

describe('a note', () => {
  const note = (text: string, mentions: string[] = [], as = user) =>
    inbox.server.call('conversations.note', { as, path: { id }, body: { text, mentions } })

  test('notifies those it mentions, and is not sent', async () => {
    expect((await note('Please look', [colleague.id, user.id])).data()).toMatchObject({
      kind: 'note',
      text: 'Please look',
      author: { _id: user.id },
      mentions: [{ _id: colleague.id }, { _id: user.id }],
    })
    expect(await notificationsOf(colleague, 'conversation_mentioned')).toMatchObject([
      { description: expect.stringContaining('Please look') },
    ])
    expect(await notificationsOf(user, 'conversation_mentioned')).toEqual([])
    expect(await inbox.query('select from single_sends where conversation_id = $1', [id])).toEqual([])
  })

  test('mentions members who can answer only', async () => {
    expect((await note('Look', [colleague.id, inbox.foreign.id])).body).toMatchObject({
      details: [{ field: 'mentions.1' }],
    })
    expect((await note(' ')).body).toMatchObject({ details: [{ field: 'text' }] })
  })
})

describe('new messages', () => {
  const joinInbox = (as: Account) => inbox.server.ask('agents.own', { as })

  test('notify the assignee, or those who could take the conversation; each once for a conversation', async () => {
    await joinInbox(user)
    await joinInbox(colleague)
    const { phoneNumber = '' } = await inbox.find(id)
    await inbox.write(phoneNumber.slice(1), 'Anyone?')
    const newest = async () => (await notificationsOf(colleague, 'message_received')).at(0)?.description
    await until(async () => (await newest()) === 'Anyone?', 'the notification')
    expect(await notificationsOf(colleague, 'message_received')).toMatchObject([{ description: 'Anyone?' }])
    expect(await notificationsOf(user, 'message_received')).toHaveLength(1)
    await changed({ assigneeId: user.id })
    await inbox.write(phoneNumber.slice(1), 'Please')
    await until(
      async () => (await notificationsOf(user, 'message_received')).at(0)?.description === 'Please',
      'the second notification',
    )
    expect(await notificationsOf(colleague, 'message_received')).toMatchObject([{ description: 'Anyone?' }])
  })

  test('do not notify members whose preference is none', async () => {
    await joinInbox(user)
    await joinInbox(colleague)
    const set = (chatNotifications: 'none' | 'all') =>
      inbox.server.ask('profile.update', { as: user, body: { preferences: { chatNotifications } } })
    await set('none')
    id = await inbox.write(inbox.newPerson(), 'Quiet please')
    await until(
      async () => (await notificationsOf(colleague, 'message_received')).at(0)?.description === 'Quiet please',
      'the notification',
    )
    expect(await notificationsOf(user, 'message_received')).toEqual([])
    await set('all')
  })
})
