import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildKey } from '../../../testing/api-keys.ts'
import { buildAdmin, buildManager, type Account } from '../../../testing/builders.ts'
import { issueTo, setSmsPrice } from '../../../testing/money.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildSender } from '../../messages/test-lane.ts'

let server: TestServer
let admin: Account
let manager: Account
let as: Awaited<ReturnType<typeof buildKey>>

beforeAll(async () => {
  server = await testServer()
  admin = await buildAdmin(server.database)
})
afterAll(() => server.close())
beforeEach(async () => {
  manager = await buildManager(server.database)
  await buildSender(server.database, manager)
  await setSmsPrice(server.database, manager, 1500)
  await issueTo(server.database, { admin, account: manager, units: 10_000_000 })
  as = await buildKey(server.database, manager, { scopes: ['otp:send', 'messages:read'] })
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.systemPool.query<Row>(text, values)).rows

const body = (more: object = {}) => ({ to: '+919812345678', text: 'Your code is {code}.', ...more })
const send = (more: object = {}) => server.call('otp.send', { as, body: body(more) })
const verify = (id: string, code: string) => server.ask('otp.verify', { as, path: { id }, body: { code } })

/** The code as it is sent. */
async function codeOf(messageId: string): Promise<string> {
  const [row] = await query<{ text: string }>('select text from priority_messages where id = $1', [messageId])
  return /\d{4,10}/.exec(row?.text ?? '')?.[0] ?? ''
}
const wrong = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))

/** Moves what was sent into the past. */
const wait = (seconds: number) =>
  query(
    `update one_time_passwords set created_at = created_at - $1 * interval '1 second', sent_at = sent_at - $1 * interval '1 second',
      expires_at = expires_at - $1 * interval '1 second' where organization_id = $2`,
    [seconds, manager.organizationId],
  )

test('a password is sent first in its lane, verified once, and its code is stored nowhere', async () => {
  const sent = await server.ask('otp.send', { as, body: body({ reference: 'login 7' }) })
  expect(sent).toMatchObject({
    to: '+919812345678',
    status: 'pending',
    channel: 'sms',
    triesLeft: 5,
    reference: 'login 7',
  })
  const code = await codeOf(sent.messageId)
  expect(code).toMatch(/^\d{6}$/)
  expect(await query('select priority from priority_messages where id = $1', [sent.messageId])).toEqual([
    { priority: -1 },
  ])
  expect(await server.ask('publicMessages.get', { as, path: { id: sent.messageId } })).toMatchObject({
    text: 'Your code is ••••••.',
  })
  const { rows: tables } = await server.database.ownerPool.query<{ name: string }>(
    `select c.relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> 'priority_messages'`,
  )
  const holds = tables.map(
    ({ name }) => `select '${name}' as name from "${name}" line where line::text ~ '\\y${code}\\y'`,
  )
  expect((await server.database.ownerPool.query(holds.join(' union all '))).rows).toEqual([])

  expect(await verify(sent.id, wrong(code))).toEqual({ valid: false, status: 'pending', triesLeft: 4 })
  expect(await verify(sent.id, code)).toEqual({ valid: true, status: 'verified', triesLeft: 4 })
  expect(await verify(sent.id, code)).toEqual({ valid: false, status: 'verified', triesLeft: 4 })
})

test('five wrong codes end it, also at once', async () => {
  const { id, messageId } = await server.ask('otp.send', { as, body: body() })
  const code = await codeOf(messageId)
  const guesses = await Promise.all(Array.from({ length: 12 }, () => verify(id, wrong(code))))
  expect(guesses.filter(({ status }) => status === 'pending')).toHaveLength(4)
  expect(await verify(id, code)).toEqual({ valid: false, status: 'exhausted', triesLeft: 0 })
})

test('it expires', async () => {
  const { id, messageId } = await server.ask('otp.send', { as, body: body({ expirySeconds: 60 }) })
  const code = await codeOf(messageId)
  await wait(61)
  expect(await verify(id, code)).toMatchObject({ valid: false, status: 'expired' })
})

test('another code is sent after 30 seconds, and is then the only right one', async () => {
  const { id, messageId } = await server.ask('otp.send', { as, body: body() })
  const first = await codeOf(messageId)
  expect(await send()).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(await server.call('otp.resend', { as, path: { id }, body: {} })).toMatchObject({ status: 429 })
  await wait(31)
  const again = await server.ask('otp.resend', { as, path: { id }, body: { text: 'Once more: {code}' } })
  expect(again).toMatchObject({ id, triesLeft: 5 })
  const second = await codeOf(again.messageId)
  if (first !== second) expect(await verify(id, first)).toMatchObject({ valid: false })
  await wait(31)
  // A new password ends the earlier one.
  const next = await server.ask('otp.send', { as, body: body({ length: 4 }) })
  expect(await codeOf(next.messageId)).toMatch(/^\d{4}$/)
  expect(await verify(id, second)).toMatchObject({ valid: false, status: 'expired' })
})

test('a repeat with its idempotency key sends nothing again', async () => {
  const call = async () => {
    const answer = await fetch(`${server.url}/api/public/v1/otp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${as.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'login 7',
      },
      body: JSON.stringify(body()),
    })
    return { status: answer.status, body: (await answer.json()) as { data: { id: string } } }
  }
  const first = await call()
  expect(first.status).toBe(200)
  expect((await call()).body.data.id).toBe(first.body.data.id)
  expect(
    await query('select from priority_messages where organization_id = $1', [manager.organizationId]),
  ).toHaveLength(1)
})

describe('pumping', () => {
  test('a number gets five codes in ten minutes', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect((await send()).status).toBe(200)
      await wait(31)
    }
    expect(await send()).toMatchObject({ status: 429 })
    await wait(600)
    expect((await send()).status).toBe(200)
  })

  test('a range of numbers of which few are verified is stopped, and the owner is notified once', async () => {
    for (let count = 0; count < 20; count += 1)
      expect((await send({ to: `+9198123400${String(10 + count)}` })).status).toBe(200)
    await wait(180)
    const stopped = await send({ to: '+919812340099' })
    expect(stopped).toMatchObject({ status: 429, body: { message: expect.stringContaining('too few were verified') } })
    expect(await send({ to: '+919812340098' })).toMatchObject({ status: 429 })
    // Another range is not stopped.
    expect((await send({ to: '+919912340099' })).status).toBe(200)
    const told = await query<{ title: string }>('select title from notifications where account_id = $1', [manager.id])
    expect(told).toEqual([{ title: 'One-time passwords are stopped' }])
  })

  test('a range whose codes are verified goes on', async () => {
    for (let count = 0; count < 20; count += 1) {
      const { id, messageId } = await server.ask('otp.send', {
        as,
        body: body({ to: `+9198123400${String(10 + count)}` }),
      })
      if (count % 3 === 0) await verify(id, await codeOf(messageId))
    }
    await wait(180)
    expect((await send({ to: '+919812340099' })).status).toBe(200)
  })
})

test('a test key sends to the sandbox, where the code can be read', async () => {
  const test = await buildKey(server.database, manager, { environment: 'test' })
  const { id, messageId } = await server.ask('otp.send', { as: test, body: body() })
  const { text } = await server.ask('publicMessages.get', { as: test, path: { id: messageId } })
  const code = /\d{6}/.exec(text)?.[0] ?? ''
  // A live key does not know it.
  expect(await server.call('otp.verify', { as, path: { id }, body: { code } })).toMatchObject({ status: 404 })
  expect(await server.ask('otp.verify', { as: test, path: { id }, body: { code } })).toMatchObject({ valid: true })
})

test.each([
  ['no content', { text: undefined }, 'text'],
  ['a text without a place for the code', { text: 'Hello' }, 'text'],
  ['a landline', { to: '+912228888888' }, 'to'],
  ['a list of numbers', { to: ['+919812345678'] }, 'to'],
  ['an unknown field', { code: '123456' }, 'code'],
  ['a short code', { length: 3 }, 'length'],
])('%s is refused at its field', async (_, more, field) => {
  expect(await server.callUnchecked('otp.send', { as, body: body(more) })).toMatchObject({
    status: 400,
    body: { details: expect.arrayContaining([expect.objectContaining({ field })]) },
  })
})

test('a password of another account does not exist', async () => {
  const { id } = await server.ask('otp.send', { as, body: body() })
  const stranger = await buildKey(server.database, await buildManager(server.database))
  for (const name of ['otp.get', 'otp.verify', 'otp.resend'] as const)
    expect(
      await server.callUnchecked(name, {
        as: stranger,
        path: { id },
        ...(name === 'otp.get' ? {} : { body: name === 'otp.verify' ? { code: '123456' } : {} }),
      }),
    ).toMatchObject({ status: 404 })
})
