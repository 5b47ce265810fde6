import { expect, test, vi } from 'vitest'
import { Carillon, CarillonError } from './index.ts'
import { answer, hangUp, refuse, startStub } from './test-stub.ts'

const apiKey = `carillon_live_${'0'.repeat(8)}_${'1'.repeat(64)}_${'2'.repeat(8)}`
const message = { to: '+919812300001', text: 'Hello' }
const busy = refuse(503, { code: 'unavailable', message: 'The service is busy' })
const balance = { balance: 10, available: 9, currency: 'INR' }

function clientOf({ url }: { url: string }, more: Partial<ConstructorParameters<typeof Carillon>[0]> = {}): Carillon {
  return new Carillon({ baseUrl: url, apiKey, ...more })
}

test('sends the body and the key, and returns the data', async () => {
  await using stub = await startStub(answer({ id: '1', status: 'queued' }))
  expect(await clientOf(stub).messages.send(message)).toEqual({ id: '1', status: 'queued' })
  expect(stub.received).toEqual([
    expect.objectContaining({
      method: 'POST',
      url: '/api/public/v1/messages',
      body: JSON.stringify(message),
      headers: expect.objectContaining({ authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }),
    }),
  ])
})

test('a send that is repeated after a lost response has the same idempotency key; the next send has another', async () => {
  await using stub = await startStub(hangUp, refuse(502, 'Bad gateway'), answer({ id: '1' }))
  const client = clientOf(stub)
  await client.messages.send(message)
  await client.messages.send(message)
  const keys = stub.received.map(({ headers }) => headers['idempotency-key'])
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  expect(keys.slice(1, 3)).toEqual([keys[0], keys[0]])
  expect(keys[3]).not.toBe(keys[0])
})

test('the caller chooses the idempotency key', async () => {
  await using stub = await startStub(answer({ id: '1' }))
  await clientOf(stub).messages.send(message, { idempotencyKey: 'order-17' })
  expect(stub.received[0]?.headers['idempotency-key']).toBe('order-17')
})

test('writes without an idempotency key are not repeated', async () => {
  await using stub = await startStub(hangUp, answer({ id: '1' }))
  await expect(clientOf(stub).webhookEndpoints.delete('1')).rejects.toMatchObject({
    code: 'connection_failed',
    status: 0,
  })
  expect(stub.received).toHaveLength(1)
  await clientOf(stub).webhookEndpoints.delete('1', { idempotencyKey: 'a' })
})

test('gives up after three repeats, with the last error', async () => {
  await using stub = await startStub(busy)
  vi.spyOn(Math, 'random').mockReturnValue(0)
  try {
    const failed = clientOf(stub).balance.get()
    await expect(failed).rejects.toThrow(
      new CarillonError({ status: 503, code: 'unavailable', message: 'The service is busy' }),
    )
  } finally {
    vi.restoreAllMocks()
  }
  expect(stub.received).toHaveLength(4)
})

test('waits as long as the server asks', async () => {
  const slower = refuse(429, { code: 'too_many_requests', message: 'Slower' }, { 'retry-after': '30' })
  await using stub = await startStub(slower, answer(balance))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const call = clientOf(stub).balance.get()
    await vi.waitUntil(() => vi.getTimerCount() > 0 && stub.received.length === 1)
    await vi.advanceTimersByTimeAsync(29_900)
    expect(stub.received).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await call).toEqual(balance)
  } finally {
    vi.useRealTimers()
  }
  expect(stub.received).toHaveLength(2)
})

test('fails at once if the server asks for a wait of more than a minute', async () => {
  await using stub = await startStub(
    refuse(429, { code: 'too_many_requests', message: 'Slower' }, { 'retry-after': '3600' }),
  )
  await expect(clientOf(stub).balance.get()).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 3600 })
  expect(stub.received).toHaveLength(1)
})

test('an error has the code, the fields and the id of the request', async () => {
  const details = [{ field: 'to', message: 'Enter a phone number' }]
  const refused = refuse(
    400,
    { code: 'bad_request', message: 'Enter a phone number', details },
    { 'x-request-id': 'r-1' },
  )
  await using stub = await startStub(refused)
  const error = await clientOf(stub)
    .messages.send(message)
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(CarillonError)
  expect(error).toMatchObject({
    status: 400,
    code: 'bad_request',
    message: 'Enter a phone number',
    details,
    requestId: 'r-1',
  })
  expect(stub.received).toHaveLength(1)
})

test('a response of another program is an error that says so', async () => {
  await using stub = await startStub(refuse(404, '<html>'))
  await expect(clientOf(stub).balance.get()).rejects.toMatchObject({ status: 404, code: 'unreadable_response' })
})

test('redirects are not followed, which would send the key elsewhere', async () => {
  await using elsewhere = await startStub(answer(balance))
  await using stub = await startStub(refuse(302, '', { location: `${elsewhere.url}/api/public/v1/balance` }))
  await expect(clientOf(stub, { maximumRetries: 0 }).balance.get()).rejects.toMatchObject({ code: 'connection_failed' })
  expect(elsewhere.received).toEqual([])
})

test('a slow server is an error with the code timeout', async () => {
  await using stub = await startStub(() => undefined)
  const client = clientOf(stub, { maximumRetries: 0, timeoutMs: 100 })
  await expect(client.balance.get()).rejects.toMatchObject({ code: 'timeout' })
})

test('the caller ends a call, and the wait before its repeat', async () => {
  await using stub = await startStub(refuse(503, { code: 'unavailable', message: 'Busy' }, { 'retry-after': '30' }))
  const ending = new AbortController()
  const call = clientOf(stub).balance.get({ signal: ending.signal })
  await expect.poll(() => stub.received.length).toBe(1)
  ending.abort(new Error('Enough'))
  await expect(call).rejects.toThrow('Enough')
})

test('lists are read page by page, only as far as needed', async () => {
  await using stub = await startStub(
    answer({ messages: [{ id: '1' }, { id: '2' }], cursor: 'c2' }),
    answer({ messages: [{ id: '3' }], cursor: null }),
  )
  const list = clientOf(stub).messages.list({ reference: 'order 17', limit: 2 })
  const ids: string[] = []
  for await (const { id } of list) ids.push(id)
  expect(ids).toEqual(['1', '2', '3'])
  expect(stub.received.map(({ url }) => url)).toEqual([
    '/api/public/v1/messages?reference=order+17&limit=2',
    '/api/public/v1/messages?reference=order+17&limit=2&cursor=c2',
  ])
})

test('a page alone', async () => {
  await using stub = await startStub(answer({ messages: [{ id: '1' }], cursor: 'c' }))
  expect(await clientOf(stub).messages.list().page()).toEqual({ messages: [{ id: '1' }], cursor: 'c' })
})

test('ids are part of the path, whatever they contain', async () => {
  await using stub = await startStub(answer({ id: '1' }))
  await clientOf(stub).messages.get('../balance?x=1')
  expect(stub.received.map(({ url }) => url)).toEqual(['/api/public/v1/messages/..%2Fbalance%3Fx%3D1'])
  for (const id of ['', '.', '..']) expect(() => clientOf(stub).messages.get(id)).toThrow('is not an id')
})

test('the base address may end with a slash; anything but http is refused, and so is a key with other characters', async () => {
  await using stub = await startStub(answer(balance))
  await new Carillon({ baseUrl: `${stub.url}/`, apiKey }).balance.get()
  expect(stub.received[0]?.url).toBe('/api/public/v1/balance')
  expect(() => new Carillon({ baseUrl: 'ftp://example.com', apiKey })).toThrow('baseUrl')
  expect(() => new Carillon({ baseUrl: 'example.com', apiKey })).toThrow('baseUrl')
  expect(() => new Carillon({ baseUrl: stub.url, apiKey: 'a b' })).toThrow('apiKey')
})

test('neither the client nor its errors contain the key', async () => {
  await using stub = await startStub(refuse(401, { code: 'unauthenticated', message: 'User not authenticated.' }))
  const client = clientOf(stub)
  const error: unknown = await client.balance.get().catch((caught: unknown) => caught)
  const { inspect } = await import('node:util')
  expect(inspect([client, error], { depth: 10, showHidden: true })).not.toContain(apiKey.slice(20))
})
