import type { Client } from '@carillon/simulator/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryReport } from '../../../channels/provider.ts'
import { buildAdmin, buildManager, type Account } from '../../../testing/builders.ts'
import { issueTo, setSmsPrice } from '../../../testing/money.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { applyProviderEvents } from '../../messages/index.ts'
import { buildSender, fakeProvider, startTestSender, type FakeProvider } from '../../messages/test-lane.ts'
import { createCredential, readReceipt, smppClients, type TestCredential } from '../test-smpp.ts'

let server: TestServer
let fake: FakeProvider
let sender: Awaited<ReturnType<typeof startTestSender>>
let manager: Account
let senderId: string
let credential: TestCredential
let client: Client
const { bind, closeAll } = smppClients()

const funds = 10_000_000
const environment = { SMPP_PORT: '0', SECRET_KEY: 'a'.repeat(64) }

beforeAll(async () => {
  server = await testServer({ environment, flags: ['--run=web,worker'] })
  fake = fakeProvider()
  sender = await startTestSender({ ...server, url: server.databaseUrl }, { provider: fake })
})
afterAll(async () => {
  await sender.stop()
  await server.close()
})
beforeEach(async () => {
  fake.handedOver.length = 0
  manager = await buildManager(server.database)
  senderId = await buildSender(server.database, manager)
  await setSmsPrice(server.database, manager, 1500)
  await issueTo(server.database, { admin: await buildAdmin(server.database), account: manager, units: funds })
  credential = await createCredential(server, manager)
  client = await bind(server, credential)
})
afterEach(closeAll)

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.systemPool.query<Row>(text, values)).rows

const stored = () =>
  query<{ id: string; text: string; header: string }>(
    'select id, text, header from single_sends where account_id = $1 order by id',
    [manager.id],
  )

type Fields = Record<string, unknown>

const submit = (fields: Fields = {}, to = '919812345678') => client.submit(to, { source_addr: 'ACMEIN', ...fields })

const handedOver = async () => {
  await expect.poll(() => fake.handedOver.length).toBeGreaterThan(0)
  return fake.handedOver[0]
}

/** What the operator reports of the only message of the account. */
async function report(more: Partial<DeliveryReport> = {}): Promise<void> {
  const sent = () =>
    query<{ id: string }>(
      `select provider_message_id as id from messages where organization_id = $1 and status = 'sent' limit 1`,
      [manager.organizationId],
    )
  await expect.poll(async () => (await sent()).length).toBe(1)
  const [message] = await sent()
  await applyProviderEvents(server.database.systemPool, { organizationId: manager.organizationId, senderId }, [
    {
      kind: 'delivery-report',
      providerMessageIds: [message?.id ?? ''],
      status: 'delivered',
      at: new Date(),
      raw: 'report',
      ...more,
    },
  ])
}

/** Held or charged, as the sender may have sent the message already. */
const spent = async () => {
  const [balance] = await query<{ available: number }>(
    `select posted - held as available from ledger_accounts where account_id = $1 and kind = 'balance'`,
    [manager.id],
  )
  return funds - (balance?.available ?? 0)
}

test('a submit is answered with the id of the message once it is stored, and its receipt follows', async () => {
  const answer = await submit()
  expect(answer).toMatchObject({ command: 'submit_sm_resp', command_status: 0 })
  expect(await stored()).toMatchObject([{ id: answer.message_id, text: 'Order 7 is on its way', header: 'ACMEIN' }])
  expect(await handedOver()).toMatchObject({ to: '+919812345678', from: 'ACMEIN', text: 'Order 7 is on its way' })
  await report()
  const receipt = await client.nextDelivery()
  expect(receipt).toMatchObject({
    esm_class: 4,
    source_addr: '919812345678',
    destination_addr: 'ACMEIN',
    receipted_message_id: answer.message_id,
    message_state: 2,
  })
  expect(readReceipt(receipt)).toMatchObject({
    id: answer.message_id,
    sub: '001',
    dlvrd: '001',
    stat: 'DELIVRD',
    err: '000',
  })
  await expect.poll(() => query('select from smpp_receipts where credential_id = $1', [credential.id])).toEqual([])
  expect(client.deliveries).toHaveLength(1)
})

test.each([
  ['EXPIRED', '003', { status: 'failed', reason: 'expired' }],
  ['UNDELIV', '001', { status: 'failed', reason: 'number_unreachable' }],
  ['REJECTD', '012', { status: 'failed', reason: 'dlt_template' }],
] as const)('a failed message is reported as %s with error %s', async (stat, err, more) => {
  await submit()
  await report(more)
  expect(readReceipt(await client.nextDelivery())).toMatchObject({ dlvrd: '000', stat, err })
})

test('no receipt that was not asked for', async () => {
  await submit({ registered_delivery: 0 })
  await report()
  const { message_id: second } = await submit({ registered_delivery: 2 })
  await expect.poll(async () => (await stored()).length).toBe(2)
  await report({ status: 'failed', reason: 'undelivered' })
  expect(readReceipt(await client.nextDelivery())).toMatchObject({ id: second, stat: 'UNDELIV' })
  expect(client.deliveries).toHaveLength(1)
})

describe('texts', () => {
  test.each<[string, string, Fields]>([
    ['GSM 03.38', 'Price: 7 € [net] @ café', {}],
    ['ASCII', 'Code [7]', { data_coding: 1, short_message: Buffer.from('Code [7]') }],
    ['Latin-1', 'Café ½', { data_coding: 3, short_message: Buffer.from('Café ½', 'latin1') }],
    ['UCS-2', 'नमस्ते 🎉', { data_coding: 8, short_message: Buffer.from('नमस्ते 🎉', 'utf16le').swap16() }],
    ['message_payload', 'x'.repeat(500), { data_coding: 0, short_message: '', message_payload: 'x'.repeat(500) }],
  ])('%s', async (_, text, fields) => {
    const gsm = { data_coding: 0, short_message: text }
    expect((await submit(Object.keys(fields).length > 0 ? fields : gsm)).command_status).toBe(0)
    expect((await stored())[0]?.text).toBe(text)
  })

  test.each<[string, number, Fields]>([
    ['binary', 0x104, { data_coding: 4, short_message: Buffer.from([1, 2]) }],
    ['an empty text', 0x01, { short_message: Buffer.alloc(0) }],
    ['half a UCS-2 character', 0x01, { data_coding: 8, short_message: Buffer.from([0, 0x41, 0]) }],
    ['5,000 characters', 0x01, { data_coding: 0, short_message: '', message_payload: 'x'.repeat(5000) }],
    ['NUL in Latin-1', 0x01, { data_coding: 3, short_message: Buffer.from('a\0b', 'latin1') }],
    ['a receipt of the client', 0x43, { esm_class: 4 }],
  ])('%s is refused', async (_, status, fields) => {
    expect((await submit(fields)).command_status).toBe(status)
    expect(await stored()).toEqual([])
  })
})

const part = (number: number, total: number, text: Buffer, reference = 7): Fields => ({
  esm_class: 0x40,
  short_message: Buffer.concat([Buffer.from([5, 0, 3, reference, total, number]), text]),
})

describe('a long message', () => {
  test('by user data headers: one message and one charge, an id and a receipt for each part', async () => {
    const text = `${'a'.repeat(150)}${'b'.repeat(150)}${'c'.repeat(20)}`
    const parts = [text.slice(0, 150), text.slice(150, 300), text.slice(300)].map((each) => Buffer.from(each))
    const ids: string[] = []
    // One after the other, each after the response to the one before.
    for (const [index, each] of parts.entries()) {
      const answer = await submit({ data_coding: 0, ...part(index + 1, 3, each) })
      expect(answer.command_status).toBe(0)
      ids.push(answer.message_id)
    }
    const [id = ''] = ids
    expect(ids).toEqual([id, `${id}-2`, `${id}-3`])
    expect(await stored()).toMatchObject([{ id, text }])
    expect(await query('select from smpp_long_messages')).toEqual([])
    await report()
    const receipts = [await client.nextDelivery(), await client.nextDelivery(), await client.nextDelivery()].map(
      readReceipt,
    )
    expect(new Set(receipts.map((each) => each['id']))).toEqual(new Set(ids))
    expect(new Set(receipts.map(({ stat }) => stat))).toEqual(new Set(['DELIVRD']))
  })

  test('by optional parameters, in any order and at once, in UCS-2 with an emoji that is cut', async () => {
    const text = `${'न'.repeat(66)}🎉${'म'.repeat(40)}`
    const octets = Buffer.from(text, 'utf16le').swap16()
    const sar = (number: number, short_message: Buffer) =>
      submit({ data_coding: 8, short_message, sar_msg_ref_num: 300, sar_total_segments: 2, sar_segment_seqnum: number })
    const answers = await Promise.all([sar(2, octets.subarray(134)), sar(1, octets.subarray(0, 134))])
    expect(answers.map(({ command_status }) => command_status)).toEqual([0, 0])
    expect((await stored()).map((each) => each.text)).toEqual([text])
  })

  test('parts of two sessions, and a part that is repeated', async () => {
    const other = await bind(server, credential)
    const first = await submit(part(1, 2, Buffer.from('Hello ')))
    const again = await submit(part(1, 2, Buffer.from('Hello ')))
    expect(again.message_id).toBe(first.message_id)
    expect((await submit(part(1, 2, Buffer.from('Other ')))).command_status).toBe(0x58)
    await other.submit('919812345678', { source_addr: 'ACMEIN', ...part(2, 2, Buffer.from('world')) })
    expect((await stored()).map(({ text }) => text)).toEqual(['Hello world'])
  })

  test('that is refused: the last part by its response, the others by receipts', async () => {
    const first = await client.submit('919812345678', { source_addr: 'NOTOUR', ...part(1, 2, Buffer.from('Hello ')) })
    expect(first.command_status).toBe(0)
    const last = await client.submit('919812345678', { source_addr: 'NOTOUR', ...part(2, 2, Buffer.from('world')) })
    expect(last.command_status).toBe(0x0a)
    expect(readReceipt(await client.nextDelivery())).toMatchObject({
      id: first.message_id,
      stat: 'REJECTD',
      err: '016',
    })
    expect(await stored()).toEqual([])
  })

  test('that is throttled: its last part can be submitted again', async () => {
    const limited = await createCredential(server, manager, { key: { config: { rate: { messagesPerSecond: 1 } } } })
    const bound = await bind(server, limited)
    const send = (fields: Fields) => bound.submit('919812345678', { source_addr: 'ACMEIN', ...fields })
    expect((await send(part(1, 2, Buffer.from('Hello ')))).command_status).toBe(0)
    const last = part(2, 2, Buffer.from('world'))
    // Others use up the second, also if it ends meanwhile.
    const answers = await Promise.all([send({}), send({}), send({}), send(last)])
    const throttled = answers.at(-1)?.command_status === 0x58
    if (throttled) await expect.poll(async () => (await send(last)).command_status, { interval: 300 }).toBe(0)
    expect((await stored()).filter(({ text }) => text === 'Hello world')).toHaveLength(1)
    expect(await query('select from smpp_long_messages')).toEqual([])
  })

  test('whose parts do not come within a minute is given up with receipts', async () => {
    const { message_id } = await submit(part(1, 2, Buffer.from('Hello ')))
    await server.database.ownerPool.query(`update smpp_long_messages set created_at = now() - interval '61 seconds'`)
    expect(readReceipt(await client.nextDelivery())).toMatchObject({ id: message_id, stat: 'EXPIRED', err: '033' })
    expect(await query('select from smpp_long_messages')).toEqual([])
  })

  test('that was complete when its process died is accepted by another, once', async () => {
    const { message_id: id } = await submit(part(1, 2, Buffer.from('Hello ')))
    const second = { text: Buffer.from('world').toString('base64'), registered: 1 }
    await server.database.ownerPool.query(
      `update smpp_long_messages set parts = parts || jsonb_build_object('2', $1::jsonb), changed_at = now() - interval '6 seconds' where id = $2`,
      [JSON.stringify(second), id],
    )
    await expect.poll(stored).toMatchObject([{ id, text: 'Hello world' }])
    expect(await query('select from smpp_long_messages')).toEqual([])
    expect(await spent()).toBe(1500)
  })
})

describe('what a submit asks for', () => {
  test('validity and schedule, relative and absolute', async () => {
    const { message_id } = await submit({
      validity_period: '000000030000000R',
      schedule_delivery_time: '000000020000000R',
    })
    const [row] = await query<{ send: number; ttl: number }>(
      `select round(extract(epoch from (due_at - now())) / 60)::int as send, round(extract(epoch from (expires_at - now())) / 60)::int as ttl
      from priority_messages where id = $1`,
      [message_id],
    )
    expect(row).toEqual({ send: 120, ttl: 180 })
    expect((await submit({ validity_period: '000000000010000R' })).command_status).toBe(0x62)
    expect((await submit({ validity_period: 'tomorrow' })).command_status).toBe(0x62)
    expect((await submit({ schedule_delivery_time: '250101000000000+' })).command_status).toBe(0x61)
    expect((await submit({ schedule_delivery_time: 'soon' })).command_status).toBe(0x61)
  })

  test('DLT ids, with and without NUL, are passed on', async () => {
    await submit({ dlt_entity_id: '1101234567890123456', dlt_template_id: '1107654321098765432' })
    expect(await handedOver()).toMatchObject({
      entityId: '1101234567890123456',
      dltTemplateId: '1107654321098765432',
    })
    expect((await submit({ dlt_template_id: 'order' })).command_status).toBe(0xc4)
  })

  test.each<[string, number, Fields, string]>([
    ['a foreign header', 0x0a, { source_addr: 'NOTOUR' }, '919812345678'],
    ['no number', 0x0b, {}, 'Shop'],
    ['a landline', 0x0b, {}, '911123456789'],
    ['an empty number', 0x0b, {}, ''],
  ])('%s is refused', async (_, status, fields, to) => {
    expect((await submit(fields, to)).command_status).toBe(status)
  })

  test('a header that is left out is the only sender’s', async () => {
    expect((await submit({ source_addr: '' })).command_status).toBe(0)
    expect((await stored())[0]?.header).toBe('ACMEIN')
  })
})

describe('limits', () => {
  const limited = async (config: Fields, wanted = 12) => {
    const other = await createCredential(server, manager, { key: { config } })
    const bound = await bind(server, other)
    const submits = Array.from({ length: wanted }, () => bound.submit('919812345678', { source_addr: 'ACMEIN' }))
    return (await Promise.all(submits)).map(({ command_status }) => command_status)
  }

  test('of calls and of messages a second: throttled', async () => {
    const calls = await limited({ rate: { requestsPerSecond: 5, burst: 5 } })
    expect(calls.filter((status) => status === 0x58).length).toBeGreaterThan(4)
    const messages = await limited({ rate: { messagesPerSecond: 3 } })
    expect(messages.filter((status) => status === 0x58).length).toBeGreaterThan(4)
    expect(messages).toContain(0)
  })

  test('of a day, and of the balance: failed', async () => {
    expect(new Set(await limited({ rate: { messagesPerDay: 3 } }))).toEqual(new Set([0, 0x45]))
    await server.database.ownerPool.query(
      `update ledger_accounts set posted = 0, held = 0 where account_id = $1 and kind = 'balance'`,
      [manager.id],
    )
    expect((await submit()).command_status).toBe(0x45)
  })

  test('of submits in flight: those beyond the window are throttled', async () => {
    const answers = await Promise.all(Array.from({ length: 150 }, () => submit()))
    const count = (status: number) => answers.filter(({ command_status }) => command_status === status).length
    expect(count(0) + count(0x58)).toBe(150)
    expect(count(0)).toBeGreaterThanOrEqual(100)
    expect((await stored()).length).toBe(count(0))
  })
})

test('a test key sends nothing, and gets the receipts of its numbers', async () => {
  const testing = await createCredential(server, manager, { key: { environment: 'test' } })
  const bound = await bind(server, testing)
  const delivered = await bound.submit('919812345678', { source_addr: 'ACMEIN' })
  const failed = await bound.submit('919999900001', { source_addr: 'ACMEIN' })
  const receipts = [await bound.nextDelivery(), await bound.nextDelivery()].map(readReceipt)
  expect(receipts).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: delivered.message_id, stat: 'DELIVRD' }),
      expect.objectContaining({ id: failed.message_id, stat: 'UNDELIV', err: '001' }),
    ]),
  )
  expect(await stored()).toEqual([])
})
