import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { deliveryTest, queueDeliveries, verifyAt, type DeliveryTest, type Queued } from '../test-delivery.ts'
import {
  createEndpoint,
  deliveriesOf,
  startReceiver,
  type ListQuery,
  type Receiver,
  type TestEndpoint,
} from '../../../testing/webhook-receiver.ts'

let receiver: Receiver
let other: Receiver
let it: DeliveryTest
let manager: Account
let endpoint: TestEndpoint

beforeAll(async () => {
  receiver = await startReceiver()
  other = await startReceiver()
  it = await deliveryTest([receiver, other])
})
afterAll(async () => {
  await it.close()
  await receiver.close()
  await other.close()
})
beforeEach(async () => {
  await it.server.database.ownerPool.query('truncate webhook_queue, webhook_endpoints cascade')
  it.clock.reset()
  manager = await buildManager(it.server.database)
  for (const one of [receiver, other]) one.reset()
  endpoint = await createEndpoint(it.server, manager, { url: receiver.url() })
})
afterEach(() => it.stop())

const queue = (options?: Queued, to: TestEndpoint = endpoint) =>
  queueDeliveries(it, { organizationId: manager.organizationId, endpointId: to.id }, options)
const list = (query?: ListQuery) => deliveriesOf(it.server, { as: manager, ...endpoint }, query)
const get = () => it.server.ask('webhookEndpoints.get', { as: manager, path: { id: endpoint.id } })
const only = async () => {
  const [delivery] = await list()
  if (!delivery) throw new Error('There is no delivery')
  return delivery
}

test('ten attempts with the same id, each signed anew; then the delivery is dead', async () => {
  receiver.respond = (_, response) => response.writeHead(500).end('down')
  await queue()
  it.start()
  const hour = 3_600_000
  const waits = [5000, 300_000, 1_800_000, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
  for (const [index, wait] of [...waits, 0].entries()) {
    await expect.poll(() => receiver.received.length).toBe(index + 1)
    const request = receiver.received[index]
    if (!request) throw new Error('Nothing came')
    expect(verifyAt(it.clock, endpoint.secret, request)).toMatchObject({ type: 'endpoint.test' })
    await expect.poll(async () => (await only()).attempts.length).toBe(index + 1)
    const { status, nextAttemptAt } = await only()
    if (wait === 0) {
      expect({ status, nextAttemptAt }).toEqual({ status: 'dead', nextAttemptAt: null })
      break
    }
    expect(status).toBe('failed')
    const ms = Date.parse(nextAttemptAt ?? '') - it.clock.now().getTime()
    expect(ms).toBeGreaterThan(wait * 0.9 - 10_000)
    expect(ms).toBeLessThan(wait * 1.1 + 1000)
    it.clock.move(wait * 1.1)
  }
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size).toBe(10)
  expect((await only()).attempts.at(-1)).toMatchObject({ status: 500, response: 'down' })
})

test('an endpoint gets four requests at the same time, and a silent one delays no other', async () => {
  receiver.respond = () => undefined
  const quick = await createEndpoint(it.server, manager, { url: other.url() })
  await queue({ count: 40 })
  await queue({ count: 200 }, quick)
  it.start({ timeout: 5000 })
  await expect.poll(() => other.received.length, { timeout: 4000 }).toBe(200)
  expect(receiver.received).toHaveLength(4)
  expect(receiver.open.most).toBe(4)
  expect(other.open.most).toBeLessThanOrEqual(4)
  expect(new Set(other.received.map(({ id }) => id)).size).toBe(200)
})

test('a silent endpoint fails after the timeout, and is probed with one request after twenty failures', async () => {
  receiver.respond = () => undefined
  await queue({ count: 60 })
  it.start({ timeout: 100 })
  await expect.poll(async () => (await get()).heldUntil, { timeout: 10_000 }).not.toBeNull()
  const { length } = receiver.received
  expect(length).toBeLessThan(30)
  expect((await list({ status: 'failed' })).at(-1)?.attempts).toEqual([
    { at: expect.any(String), durationMs: expect.any(Number), error: 'No complete response within 15 seconds' },
  ])
  await expect.poll(() => receiver.open.now).toBe(0)
  receiver.open.most = 0
  it.clock.move(2000)
  await expect.poll(() => receiver.received.length).toBe(length + 1)
  await expect
    .poll(async () => Date.parse((await get()).heldUntil ?? '') - it.clock.now().getTime())
    .toBeGreaterThan(2500)
  expect(receiver.open.most).toBe(1)

  receiver.respond = (_, response) => response.end()
  it.clock.move(5000)
  await expect.poll(async () => (await list({ status: 'delivered' })).length, { timeout: 10_000 }).toBeGreaterThan(10)
  await expect.poll(async () => (await get()).heldUntil).toBeNull()
})

test('a response that never ends fails after the timeout, however it trickles', async () => {
  receiver.respond = (_, response) => {
    response.writeHead(200)
    const trickle = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(trickle))
  }
  await queue()
  it.start({ timeout: 200 })
  await expect
    .poll(async () => (await only()).attempts)
    .toMatchObject([{ error: expect.stringContaining('15 seconds') }])
})

test('of a large response the beginning is stored', async () => {
  receiver.respond = (_, response) => response.end('x'.repeat(10_000_000))
  await queue()
  it.start({ timeout: 5000 })
  await expect.poll(async () => (await only()).status).toBe('delivered')
  expect((await only()).attempts).toMatchObject([{ status: 200, response: 'x'.repeat(4096) }])
})

test('a redirect is a failure and is not followed', async () => {
  receiver.respond = (_, response) => response.writeHead(307, { location: other.url() }).end()
  await queue()
  it.start()
  await expect.poll(async () => (await only()).attempts).toMatchObject([{ status: 307 }])
  expect(other.received).toEqual([])
  expect((await only()).status).toBe('failed')
})

test('an endpoint that asks to wait gets nothing meanwhile', async () => {
  let isBusy = true
  receiver.respond = (_, response) =>
    isBusy ? response.writeHead(429, { 'retry-after': '120' }).end() : response.end()
  await queue({ count: 30 })
  it.start()
  await expect.poll(async () => (await get()).heldUntil).not.toBeNull()
  const { length } = receiver.received
  expect(length).toBeLessThanOrEqual(4)
  const [asked] = await list({ status: 'failed' })
  expect(Date.parse(asked?.nextAttemptAt ?? '') - it.clock.now().getTime()).toBeGreaterThan(100_000)
  isBusy = false
  it.clock.move(60_000)
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(receiver.received).toHaveLength(length)
  it.clock.move(61_000)
  await expect.poll(async () => (await list({ status: 'delivered', limit: 50 })).length, { timeout: 5000 }).toBe(30)
})

test.each([502, 504])('%d slows an endpoint down', async (status) => {
  receiver.respond = (_, response) => response.writeHead(status).end()
  await queue({ count: 30 })
  it.start()
  await expect.poll(async () => (await get()).heldUntil).not.toBeNull()
  expect(receiver.received.length).toBeLessThanOrEqual(4)
})

test('410 disables the endpoint; its events are kept and can be replayed', async () => {
  receiver.respond = (_, response) => response.writeHead(410).end()
  await queue({ count: 10 })
  it.start()
  await expect.poll(async () => (await get()).disabledReason).toBe('gone')
  await expect.poll(async () => (await list({ status: 'retained' })).length).toBe(10)
  const { length } = receiver.received
  expect(length).toBeLessThanOrEqual(4)
  expect((await it.server.ask('notifications.list', { as: manager })).notifications).toMatchObject([
    { kind: 'webhook_disabled', description: expect.stringContaining('410') },
  ])

  receiver.respond = (_, response) => response.end()
  const path = { id: endpoint.id }
  const refused = await it.server.call('webhookEndpoints.replayMissed', { as: manager, path, body: {} })
  expect(refused).toMatchObject({
    status: 409,
    body: { message: 'This webhook endpoint is disabled: enable it first' },
  })
  await it.server.ask('webhookEndpoints.update', { as: manager, path, body: { enabled: true } })
  expect(await it.server.ask('webhookEndpoints.replayMissed', { as: manager, path, body: {} })).toEqual({
    replayed: 10,
    continues: false,
  })
  await expect.poll(async () => (await list({ status: 'delivered' })).length).toBe(10)
  expect(receiver.received).toHaveLength(length + 10)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(10)
})

test('five days of nothing but failures disable the endpoint, told by bell and mail', async () => {
  receiver.respond = (_, response) => response.writeHead(500).end()
  await queue()
  it.start()
  await expect.poll(async () => (await get()).failingSince).not.toBeNull()
  it.clock.move(4.9 * 86_400_000)
  await expect.poll(async () => (await only()).attempts.length).toBe(2)
  expect((await get()).enabled).toBe(true)
  it.clock.move(0.2 * 86_400_000)
  await expect.poll(async () => (await get()).disabledReason).toBe('failing')
  await expect.poll(async () => (await only()).status).toBe('retained')
  expect((await it.server.ask('notifications.list', { as: manager })).notifications).toMatchObject([
    { kind: 'webhook_disabled', description: expect.stringContaining('five days') },
  ])
  const { rows } = await it.server.database.systemPool.query<{ body: string }>(
    'select body from mails where organization_id = $1',
    [manager.organizationId],
  )
  expect(rows).toMatchObject([{ body: expect.stringContaining(`127.0.0.1:${receiver.port}`) }])
})

test('a success ends the series of failures, and replays do not begin one', async () => {
  receiver.respond = (_, response) => response.writeHead(500).end()
  await queue()
  it.start()
  await expect.poll(async () => (await get()).failingSince).not.toBeNull()
  receiver.respond = (_, response) => response.end()
  it.clock.move(6000)
  await expect.poll(async () => (await get()).failingSince).toBeNull()

  receiver.respond = (_, response) => response.writeHead(500).end()
  const { id: deliveryId } = await only()
  const path = { id: endpoint.id, deliveryId }
  await it.server.ask('webhookEndpoints.replay', { as: manager, path, body: {} })
  await expect.poll(async () => (await only()).attempts.at(-1)).toMatchObject({ status: 500, isReplay: true })
  await expect.poll(async () => (await get()).lastFailedAt).not.toBeNull()
  expect((await get()).failingSince).toBeNull()
})

test('another URL begins without the failures of the one before', async () => {
  receiver.respond = (_, response) => response.writeHead(500).end()
  await queue()
  it.start()
  await expect.poll(async () => (await get()).failingSince).not.toBeNull()
  it.clock.move(6 * 86_400_000)
  other.respond = (_, response) => response.writeHead(500).end()
  const path = { id: endpoint.id }
  await it.stop()
  await it.server.ask('webhookEndpoints.update', { as: manager, path, body: { url: other.url() } })
  expect((await get()).failingSince).toBeNull()
  it.start()
  await expect.poll(async () => (await only()).attempts.length).toBe(2)
  await it.server.ask('webhookEndpoints.update', { as: manager, path, body: { url: receiver.url() } })
  await expect.poll(async () => (await get()).failingSince).toBeNull()
  expect(await get()).toMatchObject({ enabled: true, failingSince: null })
})

test('an ordered endpoint gets the deliveries of a conversation one after the other, others meanwhile', async () => {
  let failures = 2
  receiver.respond = ({ data: { orderKey, number } }, response) => {
    const isFailing = orderKey === 'asha' && number === 1 && failures > 0
    if (isFailing) failures -= 1
    setTimeout(() => response.writeHead(isFailing ? 503 : 200).end(), 5)
  }
  await queue({ orderKey: 'asha', count: 5 })
  await queue({ orderKey: 'ravi', count: 5 })
  it.start()
  const numbersOf = (key: string) =>
    receiver.received.filter(({ data }) => data['orderKey'] === key).map(({ data }) => data['number'])
  await expect.poll(() => numbersOf('ravi')).toEqual([0, 1, 2, 3, 4])
  // The second delivery of the other conversation failed and is tried again first.
  expect(numbersOf('asha')).toEqual([0, 1])
  it.clock.move(6000)
  await expect.poll(() => numbersOf('asha')).toEqual([0, 1, 1])
  it.clock.move(400_000)
  await expect.poll(() => numbersOf('asha')).toEqual([0, 1, 1, 1, 2, 3, 4])
})

test('a name that leads to a private address later is not requested', async () => {
  const { ownerPool } = it.server.database
  await ownerPool.query('update webhook_endpoints set url = $1', [`http://localhost:${receiver.port}/hook`])
  const literal = await createEndpoint(it.server, manager, { url: receiver.url() })
  await ownerPool.query('update webhook_endpoints set url = $1 where id = $2', ['https://[::1]/hook', literal.id])
  await queue()
  await queue({}, literal)
  it.start()
  for (const one of [endpoint, literal])
    await expect
      .poll(async () => (await deliveriesOf(it.server, { as: manager, ...one }))[0]?.attempts)
      .toMatchObject([{ error: expect.stringMatching(/is not a public address|cannot be called/) }])
  expect(receiver.received).toEqual([])
})

test('both secrets sign after a rotation, and the new one alone when its time is over', async () => {
  const rotate = (body: object) =>
    it.server.ask('webhookEndpoints.rotateSecret', { as: manager, path: { id: endpoint.id }, body })
  const send = async () => {
    const { length } = receiver.received
    await queue()
    await expect.poll(() => receiver.received.length).toBe(length + 1)
    const request = receiver.received[length]
    if (!request) throw new Error('Nothing came')
    return request
  }
  const isVerified = (secret: string | null, request: Parameters<typeof verifyAt>[2]) => {
    try {
      verifyAt(it.clock, secret ?? '', request)
      return true
    } catch {
      return false
    }
  }
  it.start()
  expect(isVerified(endpoint.secret, await send())).toBe(true)
  const { secret, previousSecretUntil } = await rotate({})
  expect(Date.parse(previousSecretUntil ?? '') - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
  // The process sees the new secret with its next check.
  await expect.poll(async () => isVerified(secret, await send())).toBe(true)
  expect(isVerified(endpoint.secret, await send())).toBe(true)
  it.clock.move(24 * 3_600_000 + 1000)
  await expect.poll(async () => isVerified(endpoint.secret, await send())).toBe(false)
  expect(isVerified(secret, await send())).toBe(true)

  const last = await rotate({ overlapHours: 0, signature: 'v1a' })
  expect(last).toMatchObject({ secret: null, signature: 'v1a', publicKey: expect.stringMatching(/^whpk_/) })
  await expect.poll(async () => (await send()).headers['webhook-signature']).toMatch(/^v1a,\S+$/)
})

test('without a usable secret nothing is sent', async () => {
  await queue()
  it.start({}, 'cd'.repeat(32))
  await expect.poll(async () => (await get()).heldUntil).not.toBeNull()
  expect(receiver.received).toEqual([])
  expect((await only()).status).toBe('pending')
})

test('several processes share endpoints, and each delivery is sent once', async () => {
  const endpoints = await Promise.all(
    Array.from({ length: 6 }, (_, index) => createEndpoint(it.server, manager, { url: other.url(`/${index}`) })),
  )
  for (const one of endpoints) await queue({ count: 50 }, one)
  for (let process = 0; process < 3; process += 1) it.start()
  for (const one of endpoints) await queue({ count: 50 }, one)
  await expect.poll(() => other.received.length, { timeout: 10_000 }).toBe(600)
  expect(new Set(other.received.map(({ id }) => id)).size).toBe(600)
})

test('the deliveries of a suspended account, or of one without the module, are kept', async () => {
  const { systemPool } = it.server.database
  it.start()
  await systemPool.query(`update accounts set status = 'suspended' where id = $1`, [manager.id])
  await queue({ count: 3 })
  await expect.poll(async () => countRetained()).toBe(3)
  await systemPool.query(`update accounts set status = 'active' where id = $1`, [manager.id])
  await systemPool.query(`delete from account_modules where account_id = $1 and module = 'api'`, [manager.id])
  await queue({ count: 3 })
  await expect.poll(async () => countRetained()).toBe(6)
  expect(receiver.received).toEqual([])
})

async function countRetained(): Promise<number> {
  const { rows } = await it.server.database.systemPool.query<{ count: number }>(
    `select count(*) from webhook_deliveries where endpoint_id = $1 and status = 'retained'`,
    [endpoint.id],
  )
  return rows[0]?.count ?? 0
}

test('an endpoint that a member disables gets nothing within five seconds, and later what was kept', async () => {
  receiver.respond = (_, response) => setTimeout(() => response.end(), 20)
  await queue({ count: 400 })
  it.start({ beat: 2000 })
  await expect.poll(() => receiver.received.length).toBeGreaterThan(20)
  const path = { id: endpoint.id }
  await it.server.ask('webhookEndpoints.update', { as: manager, path, body: { enabled: false } })
  await expect.poll(async () => (await list({ status: 'pending' })).length, { timeout: 6000 }).toBe(0)
  const { length } = receiver.received
  expect(length).toBeLessThan(400)
  await it.server.ask('webhookEndpoints.update', { as: manager, path, body: { enabled: true } })
  const { replayed } = await it.server.ask('webhookEndpoints.replayMissed', { as: manager, path, body: {} })
  expect(replayed).toBe(400 - length)
  await expect.poll(() => new Set(receiver.received.map(({ id }) => id)).size, { timeout: 10_000 }).toBe(400)
})
