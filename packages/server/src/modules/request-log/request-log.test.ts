import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildKey, type TestKey } from '../../testing/api-keys.ts'
import type { Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { buildShop, message, parsed, post as postTo, readLog } from '../../testing/request-log.ts'

let server: TestServer
let manager: Account
let key: TestKey

beforeAll(async () => {
  server = await testServer({ environment: { TRUST_PROXY: '1' }, flags: ['--run=web'] })
})
beforeEach(async () => {
  manager = await buildShop(server)
  key = await buildKey(server.database, manager, { name: 'Shop' })
})
afterAll(() => server.close())

const post = (path: string, body: unknown, options: { as?: TestKey; key?: string } = {}) =>
  postTo(server, path, { as: key, body, ...options })
const log = (count: number, as = manager) => readLog(server).log(as, count)
const details = (id: string, as = manager) => readLog(server).details(as, id)
const sent = (id: string, query: { page?: number } = {}) => readLog(server).sent(manager, id, query)
const query = <Row extends object>(text: string, values: unknown[] = []) => readLog(server).query<Row>(text, values)

async function only() {
  const [request] = await log(1)
  return details(request?.id ?? '')
}

describe('a call that sends', () => {
  test('is kept with its key, answer and bodies', async () => {
    const { data, requestId } = await post('messages', message({ reference: 'order 7' }), { key: 'order-7' })
    const request = await only()
    expect(request).toMatchObject({
      id: requestId,
      kind: 'api_send',
      status: 'accepted',
      channel: 'sms',
      environment: 'live',
      key: { id: key.id, name: 'Shop' },
      createdBy: { _id: manager.id },
      method: 'POST',
      path: '/api/public/v1/messages',
      httpStatus: 200,
      isReplay: false,
      counts: { messages: 1, accepted: 1, refused: 0, delivered: 0, failed: 0 },
      cost: 0.15,
      clientAddress: '203.0.113.7',
      idempotencyKey: 'order-7',
    })
    expect(request).not.toHaveProperty('code')
    expect(Date.parse(request.createdAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(parsed(request.requestBody)).toEqual({
      to: '+91•••••••678',
      text: '[25 characters]',
      reference: 'order 7',
    })
    expect(parsed(request.responseBody)).toMatchObject({ success: true, data: { id: data.id, to: '+91•••••••678' } })
    expect(await sent(request.id)).toEqual([
      {
        id: data.id,
        requestId: request.id,
        to: '+919812345678',
        channel: 'sms',
        status: 'queued',
        segments: 1,
        cost: 0.15,
        createdAt: expect.any(String),
      },
    ])
  })

  test('as a batch of which half is refused has both, and its messages in their order, paged by ten', async () => {
    const { data } = await post('messages/batch', {
      messages: Array.from({ length: 24 }, (_, index) =>
        index % 2 === 0 ? message({ text: `Number ${index}` }) : { to: 'no number', text: 'No' },
      ),
    })
    const request = await only()
    expect(request).toMatchObject({
      status: 'accepted',
      httpStatus: 200,
      counts: { messages: 24, accepted: 12, refused: 12 },
      cost: 1.8,
    })
    const ids = data.messages.flatMap(({ accepted }) => (accepted ? [accepted.id] : []))
    const pages = [await sent(request.id), await sent(request.id, { page: 2 })]
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([ids.slice(0, 10), ids.slice(10)])
  })

  test('is marked as a replay if its answer is an earlier one, and costs nothing then', async () => {
    const { data } = await post('messages', message(), { key: 'once' })
    await post('messages', message(), { key: 'once' })
    const [replay, first] = await log(2)
    expect([first?.isReplay, first?.cost, replay?.isReplay, replay?.cost]).toEqual([false, 0.15, true, 0])
    expect((await sent(replay?.id ?? '')).map(({ id }) => id)).toEqual([data.id])
  })

  test.each([
    ['an invalid field', 'messages', message({ colour: 'red' }), 400, 'bad_request'],
    ['a number that cannot exist', 'messages', message({ to: '+9112' }), 400, 'bad_request'],
    ['an empty batch', 'messages/batch', { messages: [] }, 400, 'bad_request'],
    ['no JSON', 'messages', '{', 400, 'bad_request'],
    ['the same field twice', 'messages', '{"to":"+919812345678","to":"+919812345679","text":"a"}', 400, 'bad_request'],
    ['an unknown password', 'otp/019ab3c4-5d6e-7f80-91a2-b3c4d5e6f708/resend', {}, 404, 'not_found'],
  ])('is kept if it is refused for %s', async (_, path, body, status, code) => {
    expect(await post(path, body)).toMatchObject({ status })
    expect(await only()).toMatchObject({
      status: 'rejected',
      path: `/api/public/v1/${path}`,
      httpStatus: status,
      code,
      message: expect.stringMatching(/./),
      counts: { accepted: 0 },
      cost: 0,
      responseBody: { text: expect.stringContaining(code) },
    })
  })

  test('is kept if a key has no right to it, or makes too many calls', async () => {
    const narrow = await buildKey(server.database, manager, { name: 'Narrow', scopes: ['messages:read'] })
    await post('messages', message(), { as: narrow })
    const slow = await buildKey(server.database, manager, {
      name: 'Slow',
      config: { rate: { requestsPerSecond: 1, burst: 1 } },
    })
    await post('messages', message(), { as: slow })
    await post('messages', message(), { as: slow })
    expect((await log(3)).map(({ key: { name }, httpStatus, code }) => [name, httpStatus, code])).toEqual([
      ['Slow', 429, 'too_many_requests'],
      ['Slow', 200, undefined],
      ['Narrow', 403, 'scope_missing'],
    ])
  })

  test('is kept if its body is too large, and is refused before it has arrived', async () => {
    const { status } = await post('messages', message({ metadata: { long: 'a'.repeat(300 * 1024) } }))
    expect(status).toBe(413)
    expect(await only()).toMatchObject({ httpStatus: 413, code: 'too_large', requestBody: null })
  })

  test('is not kept if it only checks, reads or cancels, or if the key is unknown', async () => {
    const { data } = await post('messages', message({ sendAt: new Date(Date.now() + 3_600_000).toISOString() }))
    await post('messages/check', message())
    await post(`messages/${data.id}/cancel`, '')
    await fetch(`${server.url}/api/public/v1/messages`, { headers: { authorization: `Bearer ${key.token}` } })
    await post('messages', message(), { as: { ...key, token: key.token.replace(/.$/, 'x') } })
    await post('messages', message({ text: 'Last' }))
    expect(await log(2)).toHaveLength(2)
  })

  test('is written when the process stops at once', async () => {
    const other = await testServer({ beside: server, flags: ['--run=web'] })
    try {
      const answer = await fetch(`${other.url}/api/public/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(message()),
      })
      expect(answer.status).toBe(200)
    } finally {
      await other.close()
    }
    expect(await readLog(server).list(manager)).toHaveLength(1)
  })

  test('of an AI agent is kept like any other', async () => {
    await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'send_message', arguments: { ...message(), dryRun: false } },
      }),
    })
    expect(await only()).toMatchObject({ path: '/api/public/v1/messages', counts: { accepted: 1 } })
  })
})

describe('bodies', () => {
  const keyWith = (privacy: object) => buildKey(server.database, manager, { config: { privacy } })

  test.each([
    ['full', { storeBody: 'full', maskNumbers: false }, { to: '+919812345678', text: 'Your parcel is on its way' }],
    ['full with masked numbers', { storeBody: 'full' }, { to: '+91•••••••678', text: 'Your parcel is on its way' }],
    ['masked', { maskNumbers: false }, { to: '+919812345678', text: '[25 characters]' }],
    ['none', { storeBody: 'none' }, null],
  ])('are stored as the config says: %s', async (_, privacy, expected) => {
    await post('messages', message(), { as: await keyWith(privacy) })
    const request = await only()
    expect(parsed(request.requestBody)).toEqual(expected)
    expect(request.responseBody === null).toBe(expected === null)
  })

  test('of one-time passwords never contain the code or its text, and no row contains the key', async () => {
    const full = await keyWith({ storeBody: 'full', maskNumbers: false })
    const { data } = await post('otp', { to: '+919812345678', text: 'The secret word is {code}' }, { as: full })
    const [{ text } = { text: '' }] = await query<{ text: string }>(
      'select text from priority_messages where id = $1',
      [data.messageId],
    )
    const code = /\d{6}/.exec(text)?.[0] ?? ''
    expect(code).toMatch(/^\d{6}$/)
    await post('otp', { to: '+919812345678', code, secret: 'The secret word', text: `${code} {code}` }, { as: full })
    const [refused, request] = await log(2)
    expect(request).toMatchObject({ channel: 'sms', counts: { messages: 1, accepted: 1 } })
    expect(request).not.toHaveProperty('cost')
    expect((await sent(request?.id ?? '')).map(({ id, cost }) => [id, cost])).toEqual([[data.messageId, 0.15]])
    expect(parsed((await details(refused?.id ?? '')).requestBody)).toMatchObject({ to: '+919812345678' })
    const stored = JSON.stringify(await query('select * from api_requests where account_id = $1', [manager.id]))
    expect(stored).toContain('otp')
    expect(stored).not.toContain(code)
    expect(stored).not.toContain('secret word')
    expect(stored).not.toContain(full.token)
    expect(stored).not.toContain(full.token.split('_')[3])
  })

  test('longer than 16 KB are cut', async () => {
    const full = await keyWith({ storeBody: 'full' })
    await post('messages/batch', { messages: Array.from({ length: 300 }, () => message()) }, { as: full })
    const { requestBody, responseBody, counts } = await only()
    expect(counts).toMatchObject({ messages: 300, accepted: 300 })
    for (const body of [requestBody, responseBody]) {
      expect(body?.isCut).toBe(true)
      expect(Buffer.byteLength(body?.text ?? '')).toBeLessThanOrEqual(16 * 1024)
    }
  })
})
