import { spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../index.ts'
import { bindClient, type Client, connectClient } from '../testing.ts'

let simulator: Simulator
const clients: Client[] = []

beforeEach(async () => {
  simulator = await startSimulator({ faults: { lateMs: 200 } })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await simulator.close()
})

async function bound(fields?: Record<string, unknown>) {
  const client = await bindClient(simulator.smscPort, fields)
  clients.push(client)
  return client
}

async function connected() {
  const client = await connectClient(simulator.smscPort)
  clients.push(client)
  return client
}

const textOf = (pdu: { short_message: { message: string | Buffer } }) => String(pdu.short_message.message)
const statOf = (pdu: Parameters<typeof textOf>[0]) => /stat:(\w+) err:(\w+)/.exec(textOf(pdu))?.slice(1).join(' ')
const eventually = (assertion: () => void) =>
  expect.poll(() => (assertion(), true), { timeout: 10_000, interval: 10 }).toBe(true)

test.each([
  ['an unknown name', { system_id: 'nobody', password: 'simulator' }, 0x0f],
  ['a wrong password', { system_id: 'carillon', password: 'guess' }, 0x0e],
  ['one bind too many', { system_id: 'narrow', password: 'simulator' }, 0x05],
])('a bind with %s is rejected', async (_, fields, status) => {
  simulator.putAccount({ systemId: 'narrow', bindLimit: 1 })
  await bound({ system_id: 'narrow' })
  const client = await connected()
  expect((await client.request('bind_transceiver', fields)).command_status).toBe(status)
  await client.closed
})

test('commands in the wrong state, and unknown commands', async () => {
  const open = await connected()
  expect((await open.submit('919812345670')).command_status).toBe(0x04)
  expect((await open.request('bind_receiver', { system_id: 'carillon', password: 'simulator' })).command_status).toBe(0)
  expect((await open.submit('919812345670')).command_status).toBe(0x04)
  expect(
    (await open.request('bind_transceiver', { system_id: 'carillon', password: 'simulator' })).command_status,
  ).toBe(0x04)
  expect(await open.request('submit_multi', {})).toMatchObject({ command: 'generic_nack', command_status: 0x03 })
  expect((await open.request('enquire_link')).command_status).toBe(0)
  expect((await open.request('unbind')).command_status).toBe(0)
  await open.closed
})

test.each([
  ['0001', ['DELIVRD 000'], 1],
  ['0002', ['UNDELIV 001'], 0],
  ['0003', ['EXPIRED 003'], 0],
  ['0004', ['REJECTD 004'], 0],
  ['0006', ['ACCEPTD 000', 'DELIVRD 000'], 1],
  ['0010', ['DELIVRD 000', 'DELIVRD 000'], 1],
  ['0013', ['DELIVRD 000', 'ENROUTE 000'], 1],
  ['0016', ['DELIVRD 000'], 1],
  ['0633', ['REJECTD 633'], 0],
  ['0650', ['REJECTD 650'], 0],
  ['4242', ['DELIVRD 000'], 1],
])('a number that ends in %s is reported %j', async (suffix, reports, received) => {
  const client = await bound()
  const answer = await client.submit(`91981234${suffix}`)
  const seen = []
  for (const _ of reports) seen.push(await client.nextDelivery())
  expect(seen.map(statOf)).toEqual(reports)
  expect(seen.map((pdu) => pdu.receipted_message_id)).toEqual(reports.map(() => answer.message_id))
  expect(seen.map((pdu) => [pdu.esm_class & 0x3c, pdu.source_addr, pdu.destination_addr])).toEqual(
    reports.map(() => [4, `91981234${suffix}`, 'ACMESH']),
  )
  expect(simulator.handset.count(`91981234${suffix}`)).toBe(received)
})

test.each([
  ['0058', [0x58, 0x58, 0x58, 0]],
  ['0014', [0x14, 0]],
  ['0008', [0x08, 0]],
  ['0011', [0x0b, 0x0b]],
])('submits to …%s are answered %j', async (suffix, statuses) => {
  const client = await bound()
  const seen = []
  for (const _ of statuses) seen.push((await client.submit(`91981234${suffix}`)).command_status)
  expect(seen).toEqual(statuses)
})

test('accepted without a response, accepted and disconnected, accepted without a report', async () => {
  const client = await bound()
  client.submit('919812340007').catch(() => undefined)
  await client.submit('919812340005')
  const lost = await bound()
  lost.submit('919812340009').catch(() => undefined)
  await lost.closed
  expect(['0005', '0007', '0009'].map((suffix) => simulator.handset.count(`91981234${suffix}`))).toEqual([1, 1, 1])
  // The report of the unanswered number arrives, and so does that of the closed connection: on the remaining bind.
  expect([await client.nextDelivery(), await client.nextDelivery()].map((pdu) => pdu.source_addr)).toEqual([
    '919812340007',
    '919812340009',
  ])
})

test('a report can come before the response', async () => {
  const client = await bound()
  const order: string[] = []
  await Promise.all([
    client.nextDelivery().then(() => order.push('report')),
    client.submit('919812340012').then(() => order.push('answer')),
  ])
  expect(order).toEqual(['report', 'answer'])
})

test.each([
  [0, []],
  [1, ['UNDELIV 001', 'DELIVRD 000']],
  [2, ['UNDELIV 001']],
])('with registered_delivery %i the reports are %j', async (registered_delivery, expected) => {
  const client = await bound()
  await client.submit('919812340002', { registered_delivery })
  await client.submit('919812340001', { registered_delivery })
  await client.submit('919812340002', { registered_delivery: 1, source_addr: 'LAST' })
  await eventually(() => expect(client.deliveries.at(-1)?.destination_addr).toBe('LAST'))
  expect(client.deliveries.slice(0, -1).map(statOf)).toEqual(expected)
})

test.each([
  ['hexadecimal', 'decimal', 16, 10],
  ['decimal', 'hexadecimal', 10, 16],
] as const)(
  'ids are answered in %s and reported in %s',
  async (answerIdBase, receiptIdBase, answerRadix, receiptRadix) => {
    simulator.putAccount({ systemId: 'carillon', answerIdBase, receiptIdBase, receiptForm: 'text' })
    const client = await bound()
    const { message_id: id } = await client.submit('919812345678')
    const report = await client.nextDelivery()
    expect(report.receipted_message_id).toBeUndefined()
    expect(
      /id:(\w+) sub:001 dlvrd:001 submit date:\d{10} done date:\d{10} stat:DELIVRD err:000 Text:Order 7 is on its wa$/.exec(
        textOf(report),
      )?.[1],
    ).toBe(Number.parseInt(id, answerRadix).toString(receiptRadix))
  },
)

test('a report may consist of TLVs only', async () => {
  simulator.putAccount({ systemId: 'carillon', receiptForm: 'tlv' })
  const client = await bound()
  const { message_id: id } = await client.submit('919812340003')
  expect(await client.nextDelivery()).toMatchObject({ receipted_message_id: id, message_state: 3 })
})

const eightBitPart = (position: number, text: string) => ({
  esm_class: 0x40,
  short_message: { udh: Buffer.from([5, 0, 3, 77, 2, position]), message: Buffer.from(text) },
})
const sixteenBitPart = (position: number, text: string) => ({
  esm_class: 0x40,
  short_message: { udh: Buffer.from([6, 8, 4, 1, 44, 2, position]), message: Buffer.from(text) },
})
const sarPart = (position: number, text: string) => ({
  sar_msg_ref_num: 300,
  sar_total_segments: 2,
  sar_segment_seqnum: position,
  short_message: text,
})

test.each([
  ['an 8 bit header', eightBitPart],
  ['a 16 bit header', sixteenBitPart],
  ['SAR', sarPart],
])('parts joined by %s become one message, whatever their order', async (_, part) => {
  const client = await bound()
  await client.submit('919812345678', part(2, 'world'))
  expect(simulator.handset.count('919812345678')).toBe(0)
  await client.submit('919812345678', part(1, 'Hello '))
  await client.submit('919812345678', part(1, 'Hello '))
  expect(simulator.handset.find('919812345678')?.messages).toMatchObject([
    { text: 'Hello world', parts: 2, peer: 'ACMESH' },
  ])
  expect(simulator.counts.duplicateParts).toBe(1)
})

test('a long text in message_payload, with DLT ids', async () => {
  const client = await bound()
  await client.request('submit_sm', {
    source_addr: 'ACMESH',
    destination_addr: '919812345678',
    message_payload: { message: Buffer.from('x'.repeat(400)) },
  })
  expect(simulator.handset.find('919812345678')?.messages).toMatchObject([
    { text: 'x'.repeat(400), parts: 3, encoding: 'gsm7' },
  ])
})

test.each([
  ['GSM 03.38 with its extension', 0, Buffer.from([0x00, 0x02, 0x1b, 0x65, 0x1b, 0x3c, 0x61]), '@$€[a', 'gsm7'],
  ['Latin-1', 3, Buffer.from('café', 'latin1'), 'café', 'latin1'],
  ['UCS-2', 8, Buffer.from('नमस्ते 🙏', 'utf16le').swap16(), 'नमस्ते 🙏', 'ucs2'],
])('the phone reads %s', async (_, data_coding, bytes, text, encoding) => {
  const client = await bound()
  await client.submit('919812345678', { data_coding, short_message: bytes })
  expect(simulator.handset.find('919812345678')?.messages).toMatchObject([{ text, encoding }])
})

test('limits: unanswered submits, submits per second, messages without a final report', async () => {
  simulator.setFaults({ answerDelayMs: [100, 100], receiptDelayMs: [60_000, 60_000] })
  simulator.putAccount({ systemId: 'windowed', window: 2 })
  const windowed = await bound({ system_id: 'windowed' })
  expect(
    (await Promise.all([1, 2, 3].map((n) => windowed.submit(`91981234567${n}`)))).map((pdu) => pdu.command_status),
  ).toEqual([0, 0, 0x58])
  simulator.setFaults({ answerDelayMs: [0, 0] })
  simulator.putAccount({ systemId: 'slow', ratePerSecond: 3 })
  const slow = await bound({ system_id: 'slow' })
  expect(
    (await Promise.all([1, 2, 3, 4, 5].map((n) => slow.submit(`91981234567${n}`)))).filter(
      (pdu) => pdu.command_status === 0x58,
    ),
  ).toHaveLength(2)
  simulator.putAccount({ systemId: 'full', queueLimit: 1 })
  const full = await bound({ system_id: 'full' })
  expect(
    [await full.submit('919812345671'), await full.submit('919812345672')].map((pdu) => pdu.command_status),
  ).toEqual([0, 0x14])
})

test('the registry: rejected without ids, or reported', async () => {
  const templates = [{ entityId: '1101', templateId: '1107', header: 'ACMESH', text: 'Order {#var#} is on its way' }]
  simulator.putAccount({ systemId: 'carillon', dlt: { templates, missing: 'refuse' } })
  const client = await bound()
  expect((await client.submit('919812345678')).command_status).toBe(0xc3)
  simulator.putAccount({ systemId: 'carillon', dlt: { templates, missing: 'report' } })
  expect((await client.submit('919812345678')).command_status).toBe(0)
  expect(statOf(await client.nextDelivery())).toBe('REJECTD 633')
})

test('an unanswered report, or one answered with 0x64, is repeated; also on a new bind', async () => {
  simulator.putAccount({ systemId: 'carillon', deliverTimeoutMs: 100, deliverRetryMs: 20 })
  const client = await bound()
  client.answerWith(0x64)
  await client.submit('919812345678')
  await client.nextDelivery()
  client.answerWith('nothing')
  await client.nextDelivery()
  await client.nextDelivery()
  await client.close()
  const next = await bound()
  expect(statOf(await next.nextDelivery())).toBe('DELIVRD 000')
  await eventually(() => expect(simulator.counts.reportsAnswered).toBe(1))
})

test('reports wait for a bind that can receive', async () => {
  const transmitter = await connected()
  await transmitter.request('bind_transmitter', { system_id: 'carillon', password: 'simulator' })
  const { message_id: id } = await transmitter.submit('919812345678')
  const receiver = await connected()
  await receiver.request('bind_receiver', { system_id: 'carillon', password: 'simulator' })
  expect((await receiver.nextDelivery()).receipted_message_id).toBe(id)
  expect(transmitter.deliveries).toEqual([])
})

test("a person's reply arrives as deliver_sm, long texts in parts", async () => {
  const client = await bound()
  await client.submit('919812345678', { registered_delivery: 0 })
  simulator.reply({ number: '919812345678', to: 'ACMESH', text: 'STOP' })
  expect(await client.nextDelivery()).toMatchObject({
    esm_class: 0,
    source_addr: '919812345678',
    destination_addr: 'ACMESH',
    short_message: { message: 'STOP' },
  })
  simulator.reply({ number: '919812345678', to: 'ACMESH', text: 'a'.repeat(200) })
  const parts = [await client.nextDelivery(), await client.nextDelivery()]
  expect(parts.map((pdu) => [pdu.esm_class, textOf(pdu).length])).toEqual([
    [0x40, 153],
    [0x40, 47],
  ])
  simulator.reply({ number: '919812345678', to: 'ACMESH', text: 'धन्यवाद' })
  expect(await client.nextDelivery()).toMatchObject({ data_coding: 8, short_message: { message: 'धन्यवाद' } })
})

test('connection faults: closed after a number of submits, unresponsive after a number', async () => {
  simulator.setFaults({ disconnectAfter: 2 })
  const cut = await bound()
  await cut.submit('919812345678')
  await cut.submit('919812345678')
  await cut.closed
  simulator.setFaults({ disconnectAfter: 0, halfOpenAfter: 1 })
  const unresponsive = await bound()
  await unresponsive.submit('919812345678')
  let isAnswered = false
  unresponsive.request('enquire_link').then(
    () => (isAnswered = true),
    () => undefined,
  )
  simulator.setFaults({ halfOpenAfter: 0 })
  const active = await bound()
  for (let round = 0; round < 5; round += 1) await active.request('enquire_link')
  expect(isAnswered).toBe(false)
})

test('an invalid length closes the connection with a generic_nack', async () => {
  const socket = connect(simulator.smscPort, '127.0.0.1')
  socket.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
  const [bytes] = await Promise.all([
    new Promise<Buffer>((resolve) => socket.once('data', resolve)),
    new Promise((resolve) => socket.once('close', resolve)),
  ])
  expect(bytes.toString('hex')).toBe('00000010800000000000000200000000')
})

test('the operator sends enquire_link to a quiet client, and disconnects one that stays quiet', async () => {
  simulator.putAccount({ systemId: 'asked', enquireEveryMs: 50 })
  simulator.putAccount({ systemId: 'idle', enquireEveryMs: 0, idleCloseMs: 50 })
  const [asked, idle] = [await bound({ system_id: 'asked' }), await bound({ system_id: 'idle' })]
  await idle.closed
  await eventually(() => expect(asked.enquiries()).toBeGreaterThan(0))
  expect((await asked.submit('919812345678')).command_status).toBe(0)
})

test.skipIf(!hasOpenssl())('the same over TLS', async () => {
  const secure = await startSimulator({ smscTls: makeCertificate() })
  const client = await connectClient(secure.smscPort, 'ssmpp')
  await client.request('bind_transceiver', { system_id: 'carillon', password: 'simulator' })
  await client.submit('919812345678')
  expect(statOf(await client.nextDelivery())).toBe('DELIVRD 000')
  await client.close()
  await secure.close()
})

function hasOpenssl(): boolean {
  return spawnSync('openssl', ['version']).status === 0
}

function makeCertificate() {
  const { stdout } = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-keyout',
    '-',
    '-days',
    '1',
  ])
  const pem = stdout.toString()
  return { key: pem, cert: pem }
}
