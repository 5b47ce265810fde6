import { maximumWebhookEndpoints } from '@carillon/contract/webhook-records'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildKey } from '../../testing/api-keys.ts'
import { buildTree, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { createEndpoint, deliveriesOf, startReceiver, verify, type Receiver } from '../../testing/webhook-receiver.ts'

let server: TestServer
let receiver: Receiver
let tree: Record<'admin' | 'reseller' | 'manager' | 'head' | 'user' | 'foreign', Account>

beforeAll(async () => {
  receiver = await startReceiver()
  server = await testServer({
    environment: { EGRESS_ALLOW: `127.0.0.1:${receiver.port}` },
    flags: ['--run=web,worker'],
  })
  tree = await buildTree(server.database)
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.reset()
})

const create = (as: Account, body: object) =>
  server.callUnchecked('webhookEndpoints.create', {
    as,
    body: { url: receiver.url(), types: ['message.sent'], ...body },
  })
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.systemPool.query<Row>(text, values)).rows

test('a test event arrives signed, and its delivery shows both bodies', async () => {
  receiver.respond = (_, response) => response.writeHead(202).end('thanks')
  const endpoint = await createEndpoint(server, tree.manager, { url: receiver.url() })
  const path = { id: endpoint.id }
  const queued = await server.ask('webhookEndpoints.test', { as: tree.manager, path, body: {} })
  expect(queued).toMatchObject({ type: 'endpoint.test', status: 'pending', attempts: [] })
  await expect.poll(() => receiver.received.length).toBe(1)
  const [request] = receiver.received
  if (!request) throw new Error('Nothing came')
  expect(request).toMatchObject({
    path: '/hook',
    id: queued.webhookId,
    body: queued.body,
    headers: { 'content-type': 'application/json', 'user-agent': 'Carillon-Webhooks/1.0' },
  })
  expect(verify(endpoint.secret, request)).toEqual({
    type: 'endpoint.test',
    timestamp: queued.at,
    data: { endpointId: endpoint.id, message: 'This is a test.' },
  })
  const get = () =>
    server.ask('webhookEndpoints.delivery', { as: tree.manager, path: { ...path, deliveryId: queued.id } })
  await expect.poll(async () => (await get()).status).toBe('delivered')
  expect(await get()).toEqual({
    ...queued,
    status: 'delivered',
    nextAttemptAt: null,
    endedAt: expect.any(String),
    attempts: [{ at: expect.any(String), durationMs: expect.any(Number), status: 202, response: 'thanks' }],
  })
})

test('an endpoint is created with a secret that is shown once, changed and deleted', async () => {
  const { secret, ...created } = await createEndpoint(server, tree.user, {
    url: receiver.url(),
    description: 'Orders',
    types: ['message.sent', 'message.inbound'],
  })
  expect(secret).toMatch(/^whsec_/)
  expect(created).toMatchObject({
    environment: 'live',
    url: receiver.url(),
    description: 'Orders',
    types: ['message.sent', 'message.inbound'],
    ordered: false,
    signature: 'v1',
    publicKey: null,
    enabled: true,
    disabledReason: null,
    isOwn: true,
    createdBy: { _id: tree.user.id },
  })
  const path = { id: created.id }
  const read = await server.ask('webhookEndpoints.get', { as: tree.user, path })
  expect(read).toEqual(created)
  expect(JSON.stringify(read)).not.toContain('whsec')
  const subscribed = async () =>
    (await query<{ types: string[] }>('select types from event_subscriptions where target = $1', [created.id]))[0]
      ?.types
  expect(await subscribed()).toEqual(['message.status', 'message.received'])

  const body = { types: ['balance.low' as const], ordered: true, enabled: false }
  expect(await server.ask('webhookEndpoints.update', { as: tree.user, path, body })).toMatchObject({
    types: ['balance.low'],
    ordered: true,
    enabled: false,
    disabledReason: 'owner',
    description: 'Orders',
  })
  expect(await subscribed()).toEqual(['balance.low'])
  await query(
    `insert into webhook_queue (organization_id, endpoint_id, id, type, at, body, due_at)
    values ($1, $2, gen_random_uuid(), 'message.sent', now(), '{}', now() + interval '1 hour')`,
    [tree.user.organizationId, created.id],
  )
  await server.ask('webhookEndpoints.delete', { as: tree.user, path })
  expect(await server.call('webhookEndpoints.get', { as: tree.user, path })).toMatchObject({ status: 404 })
  expect(await subscribed()).toBeUndefined()
  await expect
    .poll(async () => (await query('select from webhook_queue where endpoint_id = $1', [created.id])).length)
    .toBe(0)
  const audit = await query<{ action: string; details: object }>(
    'select action, details from audit_log where object_id = $1 order by seq',
    [created.id],
  )
  const details = { host: `127.0.0.1:${receiver.port}` }
  expect(audit).toEqual(
    ['created', 'disabled', 'deleted'].map((action) => ({ action: `webhook_endpoint.${action}`, details })),
  )
})

test('accounts see the endpoints below them and delete them, but do not change them', async () => {
  const { id } = await createEndpoint(server, tree.user, { url: receiver.url() })
  const path = { id }
  for (const as of [tree.head, tree.manager, tree.reseller]) {
    const { endpoints } = await server.ask('webhookEndpoints.list', { as, query: {} })
    expect(endpoints.find((endpoint) => endpoint.id === id)).toMatchObject({ isOwn: false })
    const refused = {
      status: 403,
      body: { message: 'Only its owner can change a webhook endpoint. You can delete it' },
    }
    expect(await server.call('webhookEndpoints.update', { as, path, body: { ordered: true } })).toMatchObject(refused)
    expect(await server.call('webhookEndpoints.rotateSecret', { as, path, body: {} })).toMatchObject(refused)
    expect(await server.call('webhookEndpoints.test', { as, path, body: {} })).toMatchObject(refused)
    expect(await server.call('webhookEndpoints.replayMissed', { as, path, body: {} })).toMatchObject(refused)
    expect(await deliveriesOf(server, { as, id })).toEqual([])
  }
  const own = await createEndpoint(server, tree.manager, { url: receiver.url() })
  expect(await server.call('webhookEndpoints.get', { as: tree.user, path: { id: own.id } })).toMatchObject({
    status: 404,
  })
  expect(await server.call('webhookEndpoints.deliveries', { as: tree.foreign, path, query: {} })).toMatchObject({
    status: 404,
  })
  await server.ask('webhookEndpoints.delete', { as: tree.manager, path })
  expect((await server.ask('notifications.list', { as: tree.user })).notifications).toMatchObject([
    { kind: 'account_security', title: 'Your webhook endpoint was deleted' },
  ])
})

test.each([
  ['plain http', 'http://93.184.216.34/hook', 'Only https URLs can be used here'],
  ['a private address', 'https://10.0.0.7/hook', expect.stringContaining('is not a public address')],
  ['the metadata service', 'https://169.254.169.254/latest', expect.stringContaining('is not a public address')],
  ['this machine by number', 'https://2130706433/', expect.stringContaining('is not a public address')],
  ['this machine by IPv6', 'https://[::ffff:127.0.0.1]/', expect.stringContaining('is not a public address')],
  ['a name of this machine', 'https://localhost/hook', expect.stringContaining('is not a public address')],
  ['a name that does not exist', 'https://hook.invalid/', 'The host name cannot be resolved'],
  ['another port', 'https://93.184.216.34:8443/', 'Port 8443 cannot be called'],
  ['a password', 'https://user:secret@93.184.216.34/', 'A URL must not contain a user name'],
  ['another scheme', 'ftp://93.184.216.34/', 'Only http and https URLs can be called'],
  ['another port of this machine', 'http://127.0.0.1:1/', expect.anything()],
])('%s is refused, for new endpoints and for changes', async (_, url, message) => {
  const refused = { status: 400, body: { details: [{ field: 'url', message }] } }
  expect(await create(tree.manager, { url })).toMatchObject(refused)
  const { id } = await createEndpoint(server, tree.foreign, { url: receiver.url() })
  expect(await server.call('webhookEndpoints.update', { as: tree.foreign, path: { id }, body: { url } })).toMatchObject(
    refused,
  )
  await server.ask('webhookEndpoints.delete', { as: tree.foreign, path: { id } })
})

test.each([
  ['no URL', { url: 'example.com' }],
  ['no types', { types: [] }],
  ['an unknown type', { types: ['message.seen'] }],
  ['the type of tests', { types: ['endpoint.test'] }],
  ['a type twice', { types: ['message.sent', 'message.sent'] }],
  ['an unknown field', { secret: 'whsec_AAAA' }],
  ['an unknown scheme', { signature: 'v2' }],
  ['a long description', { description: 'x'.repeat(201) }],
])('%s is refused', async (_, body) => {
  expect(await create(tree.manager, body)).toMatchObject({ status: 400 })
})

test('an account has a maximum number of endpoints, also if they are created at the same time', async () => {
  const answers = await Promise.all(
    Array.from({ length: maximumWebhookEndpoints + 3 }, () => create(tree.reseller, { url: receiver.url() })),
  )
  // A few calls of an organisation at a time may resolve names; the others are asked to wait.
  for (const [index, { status }] of answers.entries())
    if (status === 429 || status === 503) answers[index] = await create(tree.reseller, {})
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(maximumWebhookEndpoints)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
})

test('an API key manages the endpoints of its environment', async () => {
  const owner = tree.head
  const live = await buildKey(server.database, owner, { scopes: ['webhooks:write'] })
  const sandbox = await buildKey(server.database, owner, { scopes: ['webhooks:write'], environment: 'test' })
  const narrow = await buildKey(server.database, owner, { scopes: ['messages:read'] })
  const { id } = await createEndpoint(server, owner, { url: receiver.url() })
  const other = await createEndpoint(server, owner, { url: receiver.url(), environment: 'test' })
  const listed = async (as: { token: string }) =>
    (await server.ask('webhookEndpoints.list', { as, query: {} })).endpoints.map((endpoint) => endpoint.id)
  expect(await listed(live)).toEqual([id])
  expect(await listed(sandbox)).toEqual([other.id])
  expect(await server.call('webhookEndpoints.get', { as: live, path: { id: other.id } })).toMatchObject({ status: 404 })
  expect(await server.call('webhookEndpoints.list', { as: narrow, query: {} })).toMatchObject({
    status: 403,
    body: { code: 'scope_missing' },
  })
  const change = { as: live, path: { id }, body: { description: 'By key' } }
  expect(await server.ask('webhookEndpoints.update', change)).toMatchObject({ description: 'By key' })
  const body = { url: receiver.url(), types: ['balance.low' as const] }
  const refused = { status: 403, body: { message: 'API keys cannot make this call: sign in instead' } }
  expect(await server.call('webhookEndpoints.create', { as: live, body })).toMatchObject(refused)
  expect(await server.call('webhookEndpoints.rotateSecret', { as: live, path: { id }, body: {} })).toMatchObject(
    refused,
  )
})

test('deliveries are listed by cursor, status and type', async () => {
  const { id } = await createEndpoint(server, tree.manager, { url: receiver.url() })
  await server.ask('webhookEndpoints.update', { as: tree.manager, path: { id }, body: { enabled: false } })
  await asSystem(server.database, async (db) => {
    const row = (number: number) => ({
      organization_id: tree.manager.organizationId,
      endpoint_id: id,
      id: newId(),
      type: number % 3 === 0 ? 'message.sent' : 'message.read',
      at: new Date(Date.UTC(2026, 10, 1, 0, number)),
      body: String(number),
      attempts: '[]',
    })
    const ended_at = new Date()
    for (let number = 0; number < 10; number += 1)
      await db
        .insertInto('webhook_deliveries')
        .values({ ...row(number), status: number % 2 === 0 ? 'delivered' : 'dead', ended_at })
        .execute()
    await db
      .insertInto('webhook_deliveries')
      .values({ ...row(10), status: 'retained', ended_at })
      .execute()
  })
  const list = (more: object) =>
    server.ask('webhookEndpoints.deliveries', { as: tree.manager, path: { id }, query: { limit: 4, ...more } })
  const pages: string[][] = []
  let cursor: string | null | undefined
  do {
    const page = await list(cursor ? { cursor } : {})
    pages.push(page.deliveries.map(({ body }) => body))
    cursor = page.nextCursor
  } while (cursor)
  expect(pages).toEqual([
    ['10', '9', '8', '7'],
    ['6', '5', '4', '3'],
    ['2', '1', '0'],
  ])
  const bodies = async (more: object) => (await list({ limit: 50, ...more })).deliveries.map(({ body }) => body)
  expect(await bodies({ status: 'dead' })).toEqual(['9', '7', '5', '3', '1'])
  expect(await bodies({ status: 'retained' })).toEqual(['10'])
  expect(await bodies({ status: 'delivered', type: 'message.sent' })).toEqual(['6', '0'])
  expect(await bodies({ status: 'pending' })).toEqual([])

  // Replays of a range, with their ids.
  await server.ask('webhookEndpoints.update', { as: tree.manager, path: { id }, body: { enabled: true } })
  const range = { from: '2026-11-01T00:02:00Z', to: '2026-11-01T00:05:00Z' }
  const replay = (body: { from: string; to: string; status?: 'dead' }) =>
    server.ask('webhookEndpoints.replayRange', { as: tree.manager, path: { id }, body })
  receiver.respond = (_, response) => response.end()
  expect(await replay({ ...range, status: 'dead' })).toEqual({ replayed: 1, continues: false })
  await expect.poll(() => bodies({ status: 'dead' })).toEqual(['9', '7', '5', '1'])
  await expect.poll(() => receiver.received.map(({ body }) => body)).toEqual(['3'])
  expect(await replay(range)).toEqual({ replayed: 3, continues: false })
  await expect.poll(() => receiver.received.map(({ body }) => body).toSorted()).toEqual(['2', '3', '3', '4'])
  expect(
    await server.call('webhookEndpoints.replayRange', {
      as: tree.manager,
      path: { id },
      body: { from: range.to, to: range.from },
    }),
  ).toMatchObject({ status: 400 })
})

test('of many missed deliveries the rest is replayed in the background, each once', async () => {
  const { id } = await createEndpoint(server, tree.manager, { url: receiver.url() })
  await query(
    `insert into webhook_deliveries (organization_id, endpoint_id, id, type, at, body, attempts, status, ended_at)
    select $1, $2, gen_random_uuid(), 'message.sent', now(), json_build_object('type', 'message.sent', 'data', '{}'::json, 'number', number)::text,
      '[]', case when number % 2 = 0 then 'dead' else 'retained' end, now()
    from generate_series(1, 2500) number`,
    [tree.manager.organizationId, id],
  )
  const path = { id }
  expect(await server.ask('webhookEndpoints.replayMissed', { as: tree.manager, path, body: {} })).toEqual({
    replayed: 1000,
    continues: true,
  })
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2500)
  expect(new Set(receiver.received.map((request) => request.id)).size).toBe(2500)
  const { deliveries } = await server.ask('webhookEndpoints.deliveries', {
    as: tree.manager,
    path,
    query: { status: 'delivered', limit: 1 },
  })
  const [delivery] = deliveries
  expect(delivery?.attempts).toMatchObject([{ isReplay: true }])
  const replayed = await server.ask('webhookEndpoints.replay', {
    as: tree.manager,
    path: { id, deliveryId: delivery?.id ?? '' },
    body: {},
  })
  expect(replayed).toMatchObject({ id: delivery?.id, webhookId: delivery?.webhookId })
  await expect.poll(() => receiver.received.filter((request) => request.id === delivery?.webhookId).length).toBe(2)
  expect(
    await server.call('webhookEndpoints.replay', { as: tree.manager, path: { id, deliveryId: newId() }, body: {} }),
  ).toMatchObject({ status: 404 })
})
