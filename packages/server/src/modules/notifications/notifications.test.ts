import type { Notification } from '@carillon/contract/notifications'
import { sql } from 'kysely'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { asSystem, inScope } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildManager, buildReseller, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { notify, sweepNotifications, type NewNotification } from './index.ts'

let server: TestServer
let reseller: Account
let manager: Account
let stranger: Account
const open: Socket[] = []

beforeAll(async () => {
  server = await testServer()
  reseller = await buildReseller(server.database)
  manager = await buildManager(server.database, { parent: reseller })
  stranger = await buildManager(server.database)
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect()
})
afterAll(() => server.close())

const news = (to: Account, more: Partial<NewNotification> = {}): NewNotification => ({
  organizationId: to.organizationId,
  accountId: to.id,
  kind: 'balance_low',
  title: 'Low balance',
  description: 'Less than ₹1,000 is left',
  eventKey: newId(),
  ...more,
})

/** Adds notifications as a call of that account would. */
async function addNotifications(who: Account, notifications: NewNotification[]): Promise<void> {
  await inScope(
    server.database,
    { organizationId: who.organizationId, path: who.path, descends: who.role === 'reseller' },
    (db) => notify(db, notifications),
  )
}

async function listOf(who: Account, query: Record<string, string | number> = {}) {
  return server.ask('notifications.list', { as: who, query })
}

async function listen(who: Account): Promise<string[]> {
  const received: string[] = []
  const socket = io(server.url, { transports: ['websocket'], query: { token: who.token }, forceNew: true })
  open.push(socket)
  socket.on('notification', ({ title }: Notification) => received.push(title))
  await new Promise<void>((resolve) => socket.on('connect', resolve))
  return received
}

test('a repeated event is one notification, with its link', async () => {
  const campaign = newId()
  const event = news(manager, { eventKey: 'once', link: { type: 'campaign', id: campaign } })
  await addNotifications(manager, [event])
  await addNotifications(manager, [event, event])
  const { notifications } = await listOf(manager)
  expect(notifications).toEqual([
    {
      _id: expect.any(String),
      kind: 'balance_low',
      title: 'Low balance',
      description: 'Less than ₹1,000 is left',
      link: { type: 'campaign', id: campaign },
      isNew: true,
      at: expect.any(String),
    },
  ])
})

test('notifications go up and down the tree and never across it', async () => {
  const user = await buildUser(server.database, { parent: manager })
  await addNotifications(user, [news(manager, { title: 'From below' }), news(stranger, { title: 'Across' })])
  await addNotifications(reseller, [news(user, { title: 'From above' }), news(stranger, { title: 'Across' })])
  const titles = async (who: Account) => (await listOf(who)).notifications.map(({ title }) => title)
  expect(await titles(manager)).toContain('From below')
  expect(await titles(user)).toEqual(['From above'])
  expect(await titles(stranger)).toEqual([])
})

test('are pushed to the sockets of the account concerned only', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const received = { user: await listen(user), manager: await listen(manager), stranger: await listen(stranger) }
  await addNotifications(user, [news(user, { title: 'For the user' })])
  await addNotifications(stranger, [news(stranger, { title: 'CANARY' })])
  await addNotifications(manager, [news(manager, { title: 'For the manager' })])
  await expect
    .poll(() => received, { timeout: 20_000 })
    .toEqual({ user: ['For the user'], manager: expect.arrayContaining(['For the manager']), stranger: ['CANARY'] })
  expect(received.manager).not.toContain('CANARY')
  expect(received.manager).not.toContain('For the user')
})

test('are read by their own account only; unread ones are counted and listed separately', async () => {
  const user = await buildUser(server.database, { parent: manager })
  await addNotifications(user, [
    news(user, { title: 'First' }),
    news(user, { title: 'Second' }),
    news(user, { title: 'Third' }),
  ])
  const [newest] = (await listOf(user)).notifications
  await server.call('notifications.read', { as: stranger, body: { ids: [newest?._id ?? ''] } })
  expect(await listOf(user)).toMatchObject({ total: 3, unread: 3 })

  await server.call('notifications.read', { as: user, body: { ids: [newest?._id ?? ''] } })
  expect(await listOf(user, { unread: 'true' })).toMatchObject({ total: 2, unread: 2 })
  expect(await listOf(user, { unread: 'false' })).toMatchObject({ total: 1, notifications: [{ isNew: false }] })

  await server.call('notifications.read', { as: user, body: {} })
  expect(await listOf(user)).toMatchObject({ total: 3, unread: 0 })
})

const message = (to: Account, description: string, more: Partial<NewNotification> = {}) =>
  news(to, {
    kind: 'message_received',
    title: 'Asha Rao',
    description,
    link: { type: 'conversation', id: '0199aaaa-0000-8000-8000-000000000001' },
    eventKey: 'message_received:1',
    merges: true,
    ...more,
  })

test('messages of a conversation are one notification, which moves to the top and counts them until it is read', async () => {
  const user = await buildUser(server.database, { parent: manager })
  await addNotifications(user, [message(user, 'Hello')])
  await addNotifications(user, [news(user, { title: 'Between' })])
  await addNotifications(user, [message(user, 'Anyone there?')])
  const first = await listOf(user)
  expect(first).toMatchObject({ total: 2, unread: 2 })
  expect(first.notifications[0]).toEqual({
    _id: expect.any(String),
    kind: 'message_received',
    title: 'Asha Rao',
    description: 'Anyone there?',
    link: { type: 'conversation', id: '0199aaaa-0000-8000-8000-000000000001' },
    count: 2,
    isNew: true,
    at: expect.any(String),
  })

  await server.call('notifications.read', { as: user, body: { ids: [first.notifications[0]?._id ?? ''] } })
  await addNotifications(user, [message(user, 'Good morning')])
  const [again] = (await listOf(user)).notifications
  expect(again).toMatchObject({ description: 'Good morning', isNew: true })
  expect(again?.count).toBeUndefined()
})

test('messages that arrive together are counted, each account and conversation for itself', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const other = await buildUser(server.database, { parent: manager })
  await addNotifications(manager, [
    message(user, 'One'),
    message(other, 'Two', { count: 4 }),
    message(user, 'Three'),
    message(user, 'Elsewhere', { eventKey: 'message_received:2' }),
  ])
  const contents = async (who: Account) =>
    (await listOf(who)).notifications.map(({ description, count }) => ({ description, count }))
  expect(await contents(user)).toEqual(
    expect.arrayContaining([
      { description: 'Three', count: 2 },
      { description: 'Elsewhere', count: undefined },
    ]),
  )
  expect(await contents(user)).toHaveLength(2)
  expect(await contents(other)).toEqual([{ description: 'Two', count: 4 }])
})

test('a message that arrives after the list was read stays unread', async () => {
  const user = await buildUser(server.database, { parent: manager })
  await addNotifications(user, [message(user, 'Shown')])
  const [shown] = (await listOf(user)).notifications
  await addNotifications(user, [message(user, 'Not shown')])
  await server.call('notifications.read', { as: user, body: { ids: [shown?._id ?? ''] } })
  expect(await listOf(user)).toMatchObject({ unread: 1, notifications: [{ count: 2, isNew: true }] })
})

test('concurrent messages of a conversation are all counted', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const received = await listen(user)
  await Promise.all(Array.from({ length: 8 }, (_, index) => addNotifications(user, [message(user, `Text ${index}`)])))
  expect(await listOf(user)).toMatchObject({ total: 1, notifications: [{ count: 8 }] })
  await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThan(0)
})

test('merged notifications stay inside the tree and are not mailed', async () => {
  const user = await buildUser(server.database, { parent: manager })
  await addNotifications(user, [message(stranger, 'Across'), message(user, 'Own', { kind: 'support_answered' })])
  expect((await listOf(stranger)).notifications.map(({ description }) => description)).not.toContain('Across')
  expect(await mailsTo(user)).toEqual([])
})

test('the preferences for incoming messages are checked, and a change of one keeps the others', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const { preferences } = await server.ask('profile.details', { as: user })
  expect(preferences).toMatchObject({ chatNotifications: 'all', desktopNotifications: false, sounds: true })
  await server.call('profile.update', { as: user, body: { preferences: { chatNotifications: 'mine', sounds: false } } })
  await server.call('profile.update', { as: user, body: { preferences: { desktopNotifications: true } } })
  expect((await server.ask('profile.details', { as: user })).preferences).toEqual({
    ...preferences,
    chatNotifications: 'mine',
    sounds: false,
    desktopNotifications: true,
  })
  const wrong: object = { preferences: { chatNotifications: 'some' } }
  expect(await server.call('profile.update', { as: user, body: wrong })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'preferences.chatNotifications' }] },
  })
})

test('notifications older than ninety days are deleted', async () => {
  const user = await buildUser(server.database, { parent: manager })
  await addNotifications(user, [news(user, { title: 'Old', eventKey: 'old' }), news(user, { title: 'New' })])
  await asSystem(server.database, (db) =>
    sql`update notifications set created_at = now() - interval '91 days' where account_id = ${user.id}::uuid and event_key = 'old'`.execute(
      db,
    ),
  )
  await sweepNotifications(server.database)
  expect((await listOf(user)).notifications.map(({ title }) => title)).toEqual(['New'])
})

async function mailsTo(who: Account): Promise<string[]> {
  const rows = await asSystem(server.database, (db) =>
    db
      .selectFrom('mails')
      .innerJoin('accounts', 'accounts.email', 'mails.recipient')
      .where('accounts.id', '=', who.id)
      .select('subject')
      .orderBy('mails.created_at')
      .execute(),
  )
  return rows.map(({ subject }) => subject)
}

test('are mailed once to accounts that prefer it, also up the tree, and to no others', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const subscriber = await buildUser(server.database, { parent: manager })
  await server.call('profile.update', {
    as: subscriber,
    body: { preferences: { mailCampaigns: true, mailSupport: false, mailBalance: false } },
  })
  const events = (to: Account) => [
    news(to, { kind: 'campaign_completed', title: 'Campaign completed', eventKey: 'campaign' }),
    news(to, { kind: 'support_answered', title: 'Answered', eventKey: 'support' }),
    news(to, { kind: 'account_visited', title: 'Visited', eventKey: 'visit' }),
    news(to, { title: 'Low balance', eventKey: 'balance' }),
  ]
  await addNotifications(manager, [...events(user), ...events(subscriber)])
  await addNotifications(manager, [...events(user), ...events(subscriber)])
  expect((await mailsTo(user)).toSorted()).toEqual(['Answered', 'Low balance'])
  expect(await mailsTo(subscriber)).toEqual(['Campaign completed'])

  await addNotifications(user, [news(manager, { kind: 'support_opened', title: 'Asked from below' })])
  expect(await mailsTo(manager)).toContain('Asked from below')
})
