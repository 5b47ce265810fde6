import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildKey } from '../../testing/api-keys.ts'
import { buildAdmin, buildManager, type Account } from '../../testing/builders.ts'
import { issueTo, setSmsPrice } from '../../testing/money.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { buildSender } from '../messages/test-lane.ts'

let server: TestServer
let admin: Account
let manager: Account
let [first, second] = ['', '']
let as: Awaited<ReturnType<typeof buildKey>>

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web,worker'] })
  admin = await buildAdmin(server.database)
})
afterAll(() => server.close())
beforeEach(async () => {
  manager = await buildManager(server.database)
  first = await buildSender(server.database, manager)
  second = await buildSender(server.database, manager)
  await setSmsPrice(server.database, manager, 1500)
  await issueTo(server.database, { admin, account: manager, units: 10_000_000 })
  as = await buildKey(server.database, manager, { scopes: ['otp:send', 'messages:send', 'messages:read'] })
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.systemPool.query<Row>(text, values)).rows

const body = (more: object = {}) => ({
  to: '+919812345678',
  from: first,
  text: 'Your order is on its way',
  legs: [{ from: second, text: 'Your order is on its way.' }],
  ...more,
})
const send = (more: object = {}) => server.call('publicMessages.send', { as, body: body(more) })
const get = (id: string) => server.ask('publicMessages.get', { as, path: { id } })

/** As if the operator had refused the message. */
const fail = (id: string) =>
  query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, attempt, reason, failed_at, left_on)
    select organization_id, created_on, id, 0, 0, sender_id, phone, 'failed', 1, 0, 'sent', 1, 'number_unreachable', now(), current_date
    from single_sends where id = $1`,
    [id],
  )

describe('a message with legs', () => {
  test('is accepted with their prices, and answers the ones that were sent', async () => {
    const sent = await server.ask('publicMessages.send', { as, body: body() })
    expect(sent).toMatchObject({
      parts: 1,
      cost: 0.15,
      legs: [{ channel: 'sms', from: { _id: second }, parts: 1, cost: 0.15 }],
    })
    expect(await get(sent.id)).not.toHaveProperty('legs')
    await fail(sent.id)
    await expect
      .poll(async () => (await get(sent.id)).legs)
      .toMatchObject([{ channel: 'sms', enteredFor: 'number_unreachable' }])
    const leg = (await get(sent.id)).legs?.[0]?.id ?? ''
    expect(await get(leg)).toMatchObject({ legOf: sent.id, text: 'Your order is on its way.', from: { _id: second } })
  })

  test('is refused for a mistake in one of them, at its field', async () => {
    const refusals: [object, string][] = [
      [{ legs: [{ from: 'unknown', text: 'x' }] }, 'legs.0.from'],
      [{ legs: [{ from: second }] }, 'legs.0.text'],
      [
        { legs: [{ from: second, text: 'x', entryConditions: [{ type: 'undelivered_after' }] }] },
        'legs.0.entryConditions.0.afterSeconds',
      ],
      [{ legs: [{ from: second, text: 'x', entryConditions: [] }] }, 'legs.0.entryConditions'],
      [{ legs: [{ from: second, text: 'x', legs: [] }] }, 'legs.0.legs'],
      [{ legs: Array.from({ length: 4 }, () => ({ from: second, text: 'x' })) }, 'legs'],
      [
        {
          legs: [
            { from: second, text: 'x' },
            { from: first, template: { name: 'none' } },
          ],
        },
        'legs.1.template.name',
      ],
    ]
    for (const [more, field] of refusals)
      expect(await send(more)).toMatchObject({ status: 400, body: { details: [{ field }] } })
  })

  test('counts with them against the limits of the key', async () => {
    const config = { spend: { maxPerMessage: 0.2 } }
    const limited = await buildKey(server.database, manager, { config })
    expect(await server.call('publicMessages.send', { as: limited, body: body() })).toMatchObject({ status: 409 })
    const { legs: _, ...alone } = body()
    expect(await server.call('publicMessages.send', { as: limited, body: alone })).toMatchObject({ status: 200 })
  })

  test('can be cancelled after it was handed over: then no leg is sent', async () => {
    const { id } = await server.ask('publicMessages.send', { as, body: body() })
    await query('update priority_messages set submitting_epoch = 5 where id = $1', [id])
    expect(await server.ask('publicMessages.cancel', { as, path: { id } })).toMatchObject({ status: 'queued' })
    expect(await server.call('publicMessages.cancel', { as, path: { id } })).toMatchObject({ status: 409 })
    expect(await query('select 1 from single_failovers where message_id = $1', [id])).toEqual([])
  })
})

describe('with a test key, a message with legs', () => {
  beforeEach(async () => {
    as = await buildKey(server.database, manager, { environment: 'test' })
  })

  test('fails over by its number', async () => {
    const sent = await server.ask('publicMessages.send', { as, body: body({ to: '+919999900001' }) })
    expect(sent).toMatchObject({ legs: [{ channel: 'sms', cost: 0 }] })
    await expect.poll(async () => (await get(sent.id)).legs).toMatchObject([{ enteredFor: 'number_unreachable' }])
    expect(await get(sent.id)).toMatchObject({ status: 'failed' })
    const leg = (await get(sent.id)).legs?.[0]?.id ?? ''
    await expect.poll(() => get(leg)).toMatchObject({ legOf: sent.id, status: 'delivered' })
  })

  test('waits for a report that never comes, until it is cancelled', async () => {
    const { id } = await server.ask('publicMessages.send', { as, body: body({ to: '+919999900004' }) })
    const legs = () =>
      query<{ after: number; cancelled: boolean }>(
        `select extract(epoch from created_at - now())::int as after, cancelled_at is not null as cancelled from test_messages where leg_of = $1`,
        [id],
      )
    const [leg] = await legs()
    expect(leg?.after).toBeGreaterThan(290)
    expect(leg?.cancelled).toBe(false)
    expect((await server.ask('publicMessages.list', { as, query: {} })).messages).toHaveLength(1)
    await server.ask('publicMessages.cancel', { as, path: { id } })
    expect(await legs()).toMatchObject([{ cancelled: true }])
  })

  test('reaches other numbers with the first', async () => {
    const { id } = await server.ask('publicMessages.send', { as, body: body() })
    expect(await query('select 1 from test_messages where leg_of = $1', [id])).toEqual([])
  })
})

describe('a one-time password with legs', () => {
  const otp = (more: object = {}) =>
    server.ask('otp.send', {
      as,
      body: {
        to: '+919812345678',
        from: first,
        text: '{code} is it',
        legs: [{ from: second, text: 'Code: {code}' }],
        ...more,
      },
    })
  const waiting = async (messageId: string) =>
    (await query<{ legs: object }>('select legs from single_failovers where message_id = $1', [messageId]))[0]?.legs

  test('has the same code in each, which is sent after 30 seconds unless it was verified', async () => {
    const { id, messageId } = await otp()
    const [queued] = await query<{ text: string }>('select text from priority_messages where id = $1', [messageId])
    const code = queued?.text.slice(0, 6) ?? ''
    expect(await waiting(messageId)).toMatchObject([
      {
        entrance: { afterSeconds: 30 },
        send: { text: `Code: ${code}`, stored: { text: 'Code: ••••••' }, isUrgent: true },
      },
    ])
    expect(await server.ask('otp.verify', { as, path: { id }, body: { code } })).toMatchObject({ valid: true })
    expect(await waiting(messageId)).toBeUndefined()
  })

  test('sends no leg of an earlier password', async () => {
    const { messageId } = await otp()
    await query(`update one_time_passwords set sent_at = sent_at - interval '31 seconds' where message_id = $1`, [
      messageId,
    ])
    const next = await otp()
    expect(await waiting(messageId)).toBeUndefined()
    expect(await waiting(next.messageId)).toHaveLength(1)
  })
})

test('a config decides about one-time passwords', async () => {
  const config = { otp: { length: 8, expirySeconds: 120, maxTries: 2, resendAfterSeconds: 90 } }
  as = await buildKey(server.database, manager, { config })
  expect(await server.call('otp.send', { as, body: { to: '+919812345678', from: first } })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'text' }] },
  })
  const sent = await server.ask('otp.send', { as, body: { to: '+919812345678', from: first, text: '{code}' } })
  expect(sent).toMatchObject({ triesLeft: 2 })
  expect(Date.parse(sent.expiresAt) - Date.parse(sent.resendAt)).toBe(30_000)
  const [queued] = await query<{ text: string }>('select text from priority_messages where id = $1', [sent.messageId])
  expect(queued?.text).toMatch(/^\d{8}$/)
  const wrong = () =>
    server.ask('otp.verify', {
      as,
      path: { id: sent.id },
      body: { code: queued?.text === '00000000' ? '1111' : '0000' },
    })
  expect(await wrong()).toMatchObject({ triesLeft: 1 })
  expect(await wrong()).toEqual({ valid: false, status: 'exhausted', triesLeft: 0 })
  const again = { as, body: { to: '+919812345678', from: first, text: '{code}' } }
  expect(await server.call('otp.send', again)).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('90 seconds') },
  })
})

describe('the category of a text', () => {
  const category = (id: string) =>
    query(
      `select details ->> 'category' as category, (details ->> 'isMarketing')::boolean as marketing from priority_messages where id = $1`,
      [id],
    )
  const text = { to: '+919812345678', text: 'Diwali offer' }

  test('is the one that the message names, or its config', async () => {
    const { id } = await server.ask('publicMessages.send', {
      as,
      body: { ...text, from: first, category: 'promotional' },
    })
    expect(await category(id)).toEqual([{ category: 'promotional', marketing: true }])
    const config = { channels: { default: 'sms' as const }, defaults: { senderId: first, category: 'government' } }
    const by = await buildKey(server.database, manager, { config })
    const other = await server.ask('publicMessages.send', { as: by, body: text })
    expect(await category(other.id)).toEqual([{ category: 'government', marketing: false }])
  })

  test('is refused if the channel has no such category', async () => {
    const refused = await server.call('publicMessages.send', { as, body: { ...text, from: first, category: 'spam' } })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ field: 'category', message: /promotional/ }] } })
  })
})
