import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildKey } from '../../testing/api-keys.ts'
import { buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { createEndpoint, startReceiver, type Receiver } from '../../testing/webhook-receiver.ts'

let server: TestServer
let receiver: Receiver
let manager: Account
let testKey: string
let liveKey: string

beforeAll(async () => {
  receiver = await startReceiver()
  const environment = { EGRESS_ALLOW: `127.0.0.1:${receiver.port}`, TRUST_PROXY: '1' }
  server = await testServer({ environment, flags: ['--run=web,worker'] })
})
beforeEach(async () => {
  receiver.reset()
  manager = await buildManager(server.database)
  testKey = (await buildKey(server.database, manager, { environment: 'test' })).token
  liveKey = (await buildKey(server.database, manager)).token
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

/** The fields of all answers together; each has some of them. */
type Data = {
  id: string
  status: string
  reason?: string
  from: { name: string }
  cost: number
  readAt?: string
  messages: { id: string; text: string; chatId: string }[]
}
type Answer = { status: number; headers: Headers; body: { data: Data; code?: string } }

async function call(method: string, path: string, { body, as = testKey, key }: Options = {}): Promise<Answer> {
  const answer = await fetch(`${server.url}/api/public/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] }
}

type Options = { body?: object; as?: string; key?: string }

const send = (to: string, more: object = {}, options: Options = {}) =>
  call('POST', 'messages', { ...options, body: { to, text: 'Your code is 123456', ...more } })
const statusOf = async (id: string) => (await call('GET', `messages/${id}`)).body.data.status

const magic = (digits: string) => `+9199999000${digits}`

test('an account without sender, price and balance sends with a test key, and pays nothing', async () => {
  const sent = await send('+919812345678', { reference: 'first', metadata: { order: '7' } })
  expect(sent).toMatchObject({
    status: 200,
    body: { data: { status: 'queued', channel: 'sms', from: { name: 'Sandbox SMS' }, parts: 1, cost: 0 } },
  })
  await expect.poll(() => statusOf(sent.body.data.id)).toBe('delivered')
  expect((await call('GET', 'messages?reference=first')).body.data.messages).toMatchObject([
    { id: sent.body.data.id, metadata: { order: '7' } },
  ])
  const { rows } = await server.database.systemPool.query(
    'select from single_sends where organization_id = $1 union all select from priority_messages where organization_id = $1',
    [manager.organizationId],
  )
  expect(rows).toEqual([])
})

test('numbers decide what happens', async () => {
  const ends = { '01': 'failed', '02': 'failed', '03': 'failed', '06': 'delivered', '07': 'delivered', '08': 'read' }
  const ids = new Map<string, string>()
  for (const digits of Object.keys(ends)) ids.set(digits, (await send(magic(digits))).body.data.id)
  for (const [digits, status] of Object.entries(ends))
    await expect.poll(() => statusOf(ids.get(digits) ?? ''), { timeout: 10_000 }).toBe(status)
  expect((await call('GET', `messages/${ids.get('02')}`)).body.data.reason).toBe('expired')
  const silent = await send(magic('04'))
  expect(await statusOf(silent.body.data.id)).toBe('sent')
})

test('an answer is listed once it has come', async () => {
  const { id } = (await send(magic('09'))).body.data
  expect((await call('GET', 'inbound')).body.data.messages).toEqual([])
  const answers = async () => (await call('GET', 'inbound')).body.data.messages
  await expect.poll(answers, { timeout: 5000 }).toMatchObject([{ text: 'Yes, please', chatId: id }])
})

test('live keys and test keys see nothing of each other, whatever the idempotency key', async () => {
  const sent = await send('+919812345678', {}, { key: 'order 7' })
  expect(sent.status).toBe(200)
  const again = await send('+919812345678', {}, { key: 'order 7' })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.body.data.id).toBe(sent.body.data.id)
  // The live call is a new one, for which the account has no sender.
  expect(await send('+919812345678', {}, { key: 'order 7', as: liveKey })).toMatchObject({ status: 400 })
  const { id } = sent.body.data
  expect((await call('GET', `messages/${id}`, { as: liveKey })).status).toBe(404)
  expect((await call('GET', 'messages', { as: liveKey })).body.data.messages).toEqual([])
})

test('colleagues and other organisations see nothing of it', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const { id } = (await send('+919812345678')).body.data
  const stranger = await buildManager(server.database)
  for (const account of [user, stranger]) {
    const { token } = await buildKey(server.database, account, { environment: 'test' })
    expect((await call('GET', `messages/${id}`, { as: token })).status).toBe(404)
    expect((await call('GET', 'messages', { as: token })).body.data.messages).toEqual([])
    expect((await call('POST', `messages/${id}/cancel`, { as: token, body: {} })).status).toBe(404)
  }
})

test('bad numbers are refused as they are for live keys', async () => {
  expect(await send('+912228888888')).toMatchObject({ status: 400, body: { details: [{ field: 'to' }] } })
  expect(await send('+9112')).toMatchObject({ status: 400, body: { details: [{ field: 'to' }] } })
})

test('endpoints of the environment test get the events at their time, others nothing', async () => {
  for (const environment of ['test', 'live'] as const)
    await createEndpoint(server, manager, {
      url: receiver.url(`/${environment}`),
      types: ['message.sent', 'message.delivered', 'message.failed', 'message.expired', 'message.inbound'],
      environment,
    })
  await send(magic('09'), { reference: 'r', metadata: { order: '7' } })
  await send(magic('02'))
  await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBe(5)
  expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/test']))
  expect(receiver.received.map(({ type }) => type).toSorted()).toEqual([
    'message.delivered',
    'message.expired',
    'message.inbound',
    'message.sent',
    'message.sent',
  ])
  const delivered = receiver.received.find(({ type }) => type === 'message.delivered')
  expect(delivered?.data).toMatchObject({ status: 'delivered', reference: 'r', metadata: { order: '7' }, cost: 0 })
})

test('a cancelled message has no events', async () => {
  await createEndpoint(server, manager, {
    url: receiver.url('/test'),
    types: ['message.sent', 'message.delivered'],
    environment: 'test',
  })
  const sendAt = new Date(Date.now() + 3000).toISOString()
  const { id, status } = (await send('+919812345678', { sendAt })).body.data
  expect(status).toBe('scheduled')
  expect((await call('POST', `messages/${id}/cancel`, { body: {} })).body.data.status).toBe('cancelled')
  expect(await call('POST', `messages/${id}/cancel`, { body: {} })).toMatchObject({ status: 409 })
  const { rows } = await server.database.systemPool.query('select from webhook_queue where organization_id = $1', [
    manager.organizationId,
  ])
  expect(rows).toEqual([])
  expect(await statusOf(id)).toBe('cancelled')
})
