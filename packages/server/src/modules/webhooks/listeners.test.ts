import { WebhookEventType } from '@carillon/contract/webhook-records'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildKey } from '../../testing/api-keys.ts'
import { buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { deleteExpiredListeners } from './listeners.ts'
import { measureWebhooks } from './measure.ts'

let server: TestServer
let manager: Account
let listenerId: string
let secret: string

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web,worker'] })
})
afterAll(() => server.close())
beforeEach(async () => {
  manager = await buildManager(server.database)
  const listener = await server.ask('events.listen', { as: manager, body: {} })
  listenerId = listener.id
  secret = listener.secret
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.systemPool.query<Row>(text, values)).rows

const fetchEvents = (more: { after?: string; limit?: number; waitSeconds?: number } = {}) =>
  server.ask('events.list', { as: manager, query: { listenerId, ...more } })

const optOut = (number: string) =>
  server.ask('optOuts.add', { as: manager, body: { scope: 'sms', numbers: number, format: 'text' } } as never)

test('a listener gets the events of all types, signed as an endpoint would get them', async () => {
  await optOut('9812345678')
  const { events } = await fetchEvents({ waitSeconds: 10 })
  expect(events).toMatchObject([{ type: 'contact.opted_out' }])
  const [event] = events
  const read = new Webhook(secret).verify(event?.body ?? '', event?.headers ?? {})
  expect(read).toMatchObject({ type: 'contact.opted_out', data: { phoneNumber: '+919812345678' } })
})

test('events come again until they are confirmed, and only those that were answered are confirmed', async () => {
  for (const number of ['9812345671', '9812345672', '9812345673']) await optOut(number)
  await expect
    .poll(async () => (await query('select from webhook_queue where endpoint_id = $1', [listenerId])).length)
    .toBe(3)
  const first = await fetchEvents({ limit: 2 })
  const lost = await fetchEvents({ limit: 2 })
  expect(lost.events.map(({ id }) => id)).toEqual(first.events.map(({ id }) => id))
  const rest = await fetchEvents({ after: lost.nextCursor ?? '' })
  expect(rest.events).toHaveLength(1)
  expect(first.events.map(({ id }) => id)).not.toContain(rest.events[0]?.id)
  expect(await fetchEvents({ after: rest.nextCursor ?? '' })).toEqual({ events: [], nextCursor: null })
})

test('a test event is fetched at once; the listener ends with its events', async () => {
  const { id } = await server.ask('events.trigger', { as: manager, path: { id: listenerId }, body: {} })
  expect((await fetchEvents()).events).toMatchObject([{ id, type: 'endpoint.test' }])
  await server.ask('events.stop', { as: manager, path: { id: listenerId } })
  expect(await server.call('events.list', { as: manager, query: { listenerId } })).toMatchObject({ status: 404 })
  await expect.poll(() => query('select from webhook_queue where endpoint_id = $1', [listenerId])).toEqual([])
})

test('what a listener did not fetch yet is no backlog of endpoints', async () => {
  await server.ask('events.trigger', { as: manager, path: { id: listenerId }, body: {} })
  expect(await query('select from webhook_queue where endpoint_id = $1', [listenerId])).toHaveLength(1)
  expect(await measureWebhooks(server.database)).toMatchObject({ queued: 0 })
})

test('listeners are not endpoints, and of the one who made them', async () => {
  expect(await server.ask('webhookEndpoints.list', { as: manager, query: {} })).toEqual({ endpoints: [] })
  expect(await server.call('webhookEndpoints.get', { as: manager, path: { id: listenerId } })).toMatchObject({
    status: 404,
  })
  const user = await buildUser(server.database, { parent: manager })
  const stranger = await buildManager(server.database)
  const testKey = await buildKey(server.database, manager, { environment: 'test' })
  for (const as of [user, stranger, testKey]) {
    expect(await server.call('events.list', { as, query: { listenerId } })).toMatchObject({ status: 404 })
    expect(await server.call('events.stop', { as, path: { id: listenerId } })).toMatchObject({ status: 404 })
  }
})

test('the listener of a test key gets the events of test keys, and no others', async () => {
  const as = await buildKey(server.database, manager, { environment: 'test' })
  const listener = await server.ask('events.listen', {
    as,
    body: { eventTypes: ['message.sent', 'contact.opted_out'] },
  })
  expect(listener).toMatchObject({ environment: 'test', eventTypes: ['message.sent', 'contact.opted_out'] })
  await optOut('9812345678')
  await server.ask('publicMessages.send', { as, body: { to: '+919812345678', text: 'Hello' } })
  const { events } = await server.ask('events.list', { as, query: { listenerId: listener.id, waitSeconds: 5 } })
  expect(events.map(({ type }) => type)).toEqual(['message.sent'])
})

test('an account has five listeners at most, and those that fetch nothing are deleted', async () => {
  for (let count = 2; count <= 5; count += 1) await server.ask('events.listen', { as: manager, body: {} })
  expect(await server.call('events.listen', { as: manager, body: {} })).toMatchObject({ status: 409 })
  await query(`update webhook_endpoints set expires_at = now() - interval '1 second' where id = $1`, [listenerId])
  expect(await server.call('events.list', { as: manager, query: { listenerId } })).toMatchObject({ status: 404 })
  await server.ask('events.listen', { as: manager, body: {} })
  await deleteExpiredListeners(server.database)
  expect(await query('select from webhook_endpoints where id = $1', [listenerId])).toEqual([])
  expect(await query('select from event_subscriptions where target = $1', [listenerId])).toEqual([])
})

test('unknown types are refused', async () => {
  expect(WebhookEventType.options).not.toContain('endpoint.test')
  expect(
    await server.callUnchecked('events.listen', { as: manager, body: { eventTypes: ['endpoint.test'] } }),
  ).toMatchObject({ status: 400 })
})
