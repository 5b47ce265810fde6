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
