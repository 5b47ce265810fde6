import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { buildKey } from '../../testing/api-keys.ts'
import { buildAdmin, buildManager, type Account } from '../../testing/builders.ts'
import { issueTo, setSmsPrice } from '../../testing/money.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { buildSender } from '../messages/test-lane.ts'

let server: TestServer
let other: TestServer
let manager: Account
let senderId: string
let token: string

beforeAll(async () => {
  server = await testServer({ environment: { TRUST_PROXY: '1' } })
  other = await testServer({ environment: { TRUST_PROXY: '1' }, beside: server, flags: ['--run=web'] })
})
beforeEach(async () => {
  manager = await buildManager(server.database)
  senderId = await buildSender(server.database, manager)
  const admin = await buildAdmin(server.database)
  await setSmsPrice(server.database, manager, 1500)
  await issueTo(server.database, { admin, account: manager, units: 10_000_000 })
  token = (await buildKey(server.database, manager)).token
})
afterAll(async () => {
  await other.close()
  await server.close()
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.systemPool.query<Row>(text, values)).rows

/** The fields of all answers together; each has some of them. */
type AnswerData = {
  id: string
  text: string
  cursor: string
  messages: { text: string; refused: { code: string } }[]
  templates: { id: string }[]
}
type Answer = {
  status: number
  headers: Headers
  body: { data: AnswerData; code?: string; details?: { field: string }[] }
}

async function post(
  path: string,
  body: unknown,
  { key, at = server, as = token }: { key?: string; at?: TestServer; as?: string } = {},
): Promise<Answer> {
  const answer = await fetch(`${at.url}/api/public/v1/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] }
}

const get = async (path: string): Promise<Answer> => {
  const answer = await fetch(`${server.url}/api/public/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] }
}

const message = (more: object = {}) => ({ to: '+919812345678', text: 'Your order is on its way', ...more })

const stored = async () =>
  (await query<{ count: number }>('select count(*)::int from single_sends where account_id = $1', [manager.id]))[0]
    ?.count

const held = async () =>
  (
    await query<{ held: number }>(`select held from ledger_accounts where account_id = $1 and kind = 'balance'`, [
      manager.id,
    ])
  )[0]?.held

describe('a message', () => {
  test('is accepted, queued and paid for, and can be read', async () => {
    const sent = await post('messages', message({ reference: 'order 7', metadata: { order: '7' } }))
    expect(sent).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'queued',
          to: '+919812345678',
          channel: 'sms',
          from: { _id: senderId },
          parts: 1,
          cost: 0.15,
          reference: 'order 7',
        },
      },
    })
    expect(await held()).toBe(1500)
    expect(await get(`messages/${sent.body.data.id}`)).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'queued',
          text: 'Your order is on its way',
          reference: 'order 7',
          metadata: { order: '7' },
          cost: 0.15,
        },
      },
    })
  })

  test('is found by its reference, page by page, newest first', async () => {
    for (const number of [1, 2, 3]) await post('messages', message({ reference: 'batch', text: `Number ${number}` }))
    await post('messages', message({ reference: 'another' }))
    const first = await get('messages?reference=batch&limit=2')
    expect(first.body.data.messages.map(({ text }) => text)).toEqual(['Number 3', 'Number 2'])
    const second = await get(`messages?reference=batch&limit=2&cursor=${first.body.data.cursor}`)
    expect(second.body.data).toMatchObject({ messages: [{ text: 'Number 1' }], cursor: null })
  })

  test('that is planned waits, and can be cancelled once', async () => {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const sent = await post('messages', message({ sendAt }))
    expect(sent.body.data).toMatchObject({ status: 'scheduled', sendAt })
    const { id } = sent.body.data
    expect((await get(`messages/${id}`)).body.data).toMatchObject({ status: 'scheduled', sendAt })
    expect(await post(`messages/${id}/cancel`, '')).toMatchObject({
      status: 200,
      body: { data: { status: 'cancelled' } },
    })
    expect(await post(`messages/${id}/cancel`, '')).toMatchObject({ status: 409 })
  })
})

describe('a check', () => {
  test('answers what a message would cost, and stores, holds and counts nothing', async () => {
    const config = { rate: { messagesPerDay: 1 } }
    const { token: limited } = await buildKey(server.database, manager, { config })
    for (const _ of [1, 2])
      expect(
        await post('messages/check', message({ reference: 'order 7' }), { as: limited, key: 'order 7' }),
      ).toMatchObject({
        status: 200,
        body: { data: { to: '+919812345678', channel: 'sms', parts: 1, cost: 0.15, reference: 'order 7' } },
      })
    expect(await stored()).toBe(0)
    expect(await held()).toBe(0)
    expect(await post('messages', message(), { as: limited, key: 'order 7' })).toMatchObject({ status: 200 })
  })

  test('is refused as the message would be', async () => {
    expect(await post('messages/check', message({ to: '12' }))).toMatchObject({
      status: 400,
      body: { details: [{ field: 'to' }] },
    })
    expect(await post('messages/check', message({ subject: 'x' }))).toMatchObject({ status: 400 })
    await setSmsPrice(server.database, manager, 20_000_000)
    expect(await post('messages/check', message())).toMatchObject({
      status: 409,
      body: { code: 'insufficient_balance' },
    })
  })

  test('with a test key stores nothing either', async () => {
    const { token: as } = await buildKey(server.database, manager, { environment: 'test' })
    expect(await post('messages/check', message(), { as })).toMatchObject({ status: 200, body: { data: { cost: 0 } } })
    expect(await query('select id from test_messages where account_id = $1', [manager.id])).toEqual([])
  })
})

describe('an Idempotency-Key', () => {
  test('makes a repeat return the first answer, and another body an error', async () => {
    const key = newId()
    const first = await post('messages', message(), { key })
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    for (const at of [server, other]) {
      const repeat = await post('messages', message(), { key, at })
      expect(repeat).toMatchObject({ status: 200, body: first.body })
      expect(repeat.headers.get('idempotent-replayed')).toBe('true')
    }
    expect(await post('messages', message({ text: 'Other' }), { key })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch' },
    })
    expect(await stored()).toBe(1)
  })

  test('50 equal calls at once, to two processes, have one effect and one answer', async () => {
    const key = newId()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => post('messages', message(), { key, at: index % 2 ? server : other })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await stored()).toBe(1)
    expect(await held()).toBe(1500)
  })

  test('of a refused message may be used again', async () => {
    const key = newId()
    expect(await post('messages', message({ to: '+911123456789' }), { key })).toMatchObject({ status: 400 })
    expect(await post('messages', message(), { key })).toMatchObject({ status: 200 })
  })

  test('covers a whole batch', async () => {
    const key = newId()
    const messages = [message(), message({ to: '+911123456789' }), message({ text: 'Second' })]
    const first = await post('messages/batch', { messages }, { key })
    const repeat = await post('messages/batch', { messages }, { key })
    expect(repeat.body.data).toEqual(first.body.data)
    expect(repeat.headers.get('idempotent-replayed')).toBe('true')
    expect(await stored()).toBe(2)
  })
})

test('200 calls at once are accepted together, each with its own answer and its own cost', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => post('messages', message({ text: `Number ${index}` }), { key: newId() })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(200)
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(200)
  expect(await held()).toBe(200 * 1500)
  const [transactions] = await query<{ count: number }>(
    'select count(distinct xid)::int from single_sends where account_id = $1',
    [manager.id],
  )
  expect(transactions?.count).toBeLessThan(100)
})

test('a batch has an answer for each of its messages', async () => {
  const answer = await post('messages/batch', {
    messages: [message(), { to: 7 }, message({ colour: 'red' }), message({ from: 'Unknown sender' }), 'text'],
  })
  expect(answer.body.data).toMatchObject({
    accepted: 1,
    refused: 4,
    messages: [
      { accepted: { to: '+919812345678' } },
      { refused: { code: 'bad_request', details: [{ field: 'to' }] } },
      { refused: { details: [{ field: 'colour', message: 'Unknown field' }] } },
      { refused: { details: [{ field: 'from' }] } },
      { refused: { code: 'bad_request' } },
    ],
  })
  expect(await stored()).toBe(1)
})

test('a balance that covers two of three messages pays for two', async () => {
  await server.database.systemPool.query(
    `update ledger_accounts set held = posted - 3000 where account_id = $1 and kind = 'balance'`,
    [manager.id],
  )
  const answer = await post('messages/batch', { messages: [message(), message(), message()] })
  expect(answer.body.data).toMatchObject({ accepted: 2, refused: 1 })
  expect(answer.body.data.messages[2]?.refused.code).toBe('insufficient_balance')
})

describe('bad input', () => {
  test.each<[string, unknown, number, string | undefined]>([
    ['an unknown field', message({ colour: 'red' }), 400, ''],
    ['a list of numbers', message({ to: ['+919812345678'] }), 400, 'to'],
    ['no content', { to: '+919812345678' }, 400, 'text'],
    ['two contents', message({ template: { name: 'offer' } }), 400, 'text'],
    ['a landline', message({ to: '+911123456789' }), 400, 'to'],
    ['a time that has passed', message({ sendAt: '2020-01-01T00:00:00Z' }), 400, 'sendAt'],
    ['a time too far ahead', message({ sendAt: '2090-01-01T00:00:00Z' }), 400, 'sendAt'],
    ['an unknown sender', message({ from: 'Unknown sender' }), 400, 'from'],
    ['an unknown template', { to: '+919812345678', template: { name: 'none' } }, 400, 'template.name'],
    ['a key twice', '{"to": "+919812345678", "text": "a", "text": "b"}', 400, 'text'],
    ['__proto__', '{"to": "+919812345678", "text": "a", "__proto__": {"admin": true}}', 400, undefined],
    ['no JSON', '{"to": ', 400, undefined],
    ['1 MB', message({ text: 'a'.repeat(1_000_000) }), 413, undefined],
  ])('%s', async (_, body, status, field) => {
    const answer = await post('messages', body)
    expect(answer.status).toBe(status)
    if (field) expect(answer.body.details?.map((detail) => detail.field)).toContain(field)
    expect(await stored()).toBe(0)
  })

  test('a text with NUL', async () => {
    const answer = await post('messages', String.raw`{"to": "+919812345678", "text": "a\u0000b"}`)
    expect(answer.status).toBe(400)
  })

  test('a sender of another organisation does not exist', async () => {
    const stranger = await buildManager(server.database)
    const foreign = await buildSender(server.database, stranger)
    expect(await post('messages', message({ from: foreign }))).toMatchObject({
      status: 400,
      body: { details: [{ field: 'from' }] },
    })
  })

  test('a message of another account cannot be read or cancelled', async () => {
    const { body } = await post('messages', message())
    const stranger = await buildManager(server.database)
    const foreign = (await buildKey(server.database, stranger)).token
    expect(await post(`messages/${body.data.id}/cancel`, '', { as: foreign })).toMatchObject({
      status: 404,
    })
  })
})

describe('a key', () => {
  test('sends only what its config allows, with the defaults of it', async () => {
    const { token: narrow } = await buildKey(server.database, manager, {
      config: {
        channels: { allowed: ['sms'], default: 'sms' },
        defaults: { country: 'IN' },
        filters: { allowedCountries: ['IN'], maxSegments: 1 },
      },
    })
    const send = (body: object) => post('messages', body, { as: narrow })
    expect(await send(message({ to: '98123 45678' }))).toMatchObject({
      status: 200,
      body: { data: { to: '+919812345678' } },
    })
    expect(await send(message({ to: '+14155550100' }))).toMatchObject({
      status: 403,
      body: { details: [{ field: 'to' }] },
    })
    expect(await send(message({ text: 'long '.repeat(60) }))).toMatchObject({
      status: 403,
      body: { details: [{ field: 'text' }] },
    })
  })

  test('counts its messages exactly when they arrive together', async () => {
    const { token: limited } = await buildKey(server.database, manager, { config: { rate: { messagesPerDay: 25 } } })
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        post('messages', message({ text: `Number ${index}` }), { as: limited, at: index % 2 ? server : other }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
    expect(await stored()).toBe(25)
  })

  test('without the scope to send is refused, and one for tests sends nothing', async () => {
    const reader = await buildKey(server.database, manager, { scopes: ['messages:read'] })
    const testKey = await buildKey(server.database, manager, { environment: 'test' })
    expect(await post('messages', message(), { as: reader.token })).toMatchObject({ status: 403 })
    expect(await post('messages', message(), { as: testKey.token })).toMatchObject({ status: 200 })
    expect(await stored()).toBe(0)
  })
})

describe('a template', () => {
  const create = async () => {
    const created = await server.call('smsTemplates.create', {
      as: manager,
      body: {
        smsAccountId: senderId,
        name: 'order_sent',
        category: 'service_implicit',
        header: 'ACMEIN',
        body: 'Dear {#var#}, your order has left.',
        variables: [{ name: 'name', kind: 'var', sample: 'Priya' }],
        entityId: '1'.repeat(19),
        dltTemplateId: '2'.repeat(19),
      },
    })
    expect(created).toMatchObject({ status: 200 })
  }

  test('is listed with its values, and sent by name or id', async () => {
    await create()
    const { templates } = (await get('templates?channel=sms')).body.data
    expect(templates).toMatchObject([{ name: 'order_sent', channel: 'sms', values: ['name'] }])
    for (const named of [{ name: 'order_sent' }, { id: templates[0]?.id }]) {
      const sent = await post('messages', {
        to: '+919812345678',
        template: { ...named, values: { name: 'Asha' } },
      })
      expect(sent.status).toBe(200)
      expect((await get(`messages/${sent.body.data.id}`)).body.data.text).toBe('Dear Asha, your order has left.')
    }
  })

  test('without a value, in another language or on another channel is refused at the field', async () => {
    await create()
    const refused = async (template: object, more: object = {}) =>
      (await post('messages', { to: '+919812345678', template, ...more })).body.details?.map(({ field }) => field)
    expect(await refused({ name: 'order_sent' })).toEqual(['template.values.name'])
    expect(await refused({ name: 'order_sent', language: 'hi' })).toEqual(['template.name'])
    expect(await refused({ name: 'order_sent' }, { channel: 'whatsapp' })).toEqual(['template.name'])
  })
})

test('balance and inbound messages are read', async () => {
  expect(await get('balance')).toMatchObject({
    status: 200,
    body: { data: { balance: 1000, available: 1000, currency: 'INR' } },
  })
  expect((await get('inbound')).body.data).toEqual({ messages: [], cursor: null })
})
